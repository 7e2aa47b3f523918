import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, ViewPlugin, WidgetType } from '@codemirror/view'
import type { Selected } from '#web/entries/editor/edits.ts'
import { fileReferences, insertReferences } from './file-text.ts'

/** An element of the editor that shows a file, or files without ids. */
export type FileMount = { element: HTMLElement } & WidgetTarget

type WidgetTarget = { id: string; index: number } | { arrival: number }

/** The operations of the files of a text on CodeMirror. They wait during an IME composition. */
export type FileWidgets = {
  selected: () => Selected
  /** Marks the position of the caret for files without ids. */
  hold: (key: number) => void
  letGo: (key: number) => void
  /** Inserts references at the marked position. */
  insertAt: (key: number, references: string) => Promise<void>
  change: (edit: { from: number; to: number; insert: string }) => void
}

type Bridge = {
  attach: (widgets: FileWidgets | null) => void
  /** Called when an element for a file appears in the text or disappears. */
  show: (mount: FileMount) => void
  hide: (element: HTMLElement) => void
}

const hold = StateEffect.define<{ key: number; at: number }>({
  map: ({ key, at }, changes) => ({ key, at: changes.mapPos(at, -1) }),
})
const letGo = StateEffect.define<number>()

/** The positions of files without ids. */
const heldPlaces = StateField.define<ReadonlyMap<number, number>>({
  create: () => new Map(),
  update(places, transaction) {
    const { effects, changes, docChanged } = transaction
    // Files stay above what is typed there meanwhile, and below files that were added before them.
    const side = transaction.isUserEvent('input.files') ? 1 : -1
    const next = new Map([...places].map(([key, at]) => [key, docChanged ? changes.mapPos(at, side) : at]))
    for (const effect of effects) {
      if (effect.is(hold)) next.set(effect.value.key, effect.value.at)
      if (effect.is(letGo)) next.delete(effect.value)
    }
    return next
  },
})

/** The Markdown of a reference, with a card below it. */
const quiet = Decoration.mark({ class: 'file-reference' })

/** Returns an extension that shows each file below the line that refers to it. It does not change the text. */
export function fileWidgets(bridge: Bridge): Extension {
  class FileWidget extends WidgetType {
    readonly #what: WidgetTarget

    constructor(what: WidgetTarget) {
      super()
      this.#what = what
    }

    override eq(other: FileWidget): boolean {
      return JSON.stringify(other.#what) === JSON.stringify(this.#what)
    }

    override toDOM(view: EditorView): HTMLElement {
      const element = document.createElement('div')
      element.className = 'file-widget'
      const sizes = new ResizeObserver(() => view.requestMeasure())
      sizes.observe(element)
      observers.set(element, sizes)
      bridge.show({ element, ...this.#what })
      return element
    }

    override destroy(element: HTMLElement): void {
      observers.get(element)?.disconnect()
      bridge.hide(element)
    }

    override get estimatedHeight(): number {
      return 112
    }

    override ignoreEvent(): boolean {
      return true
    }
  }

  const observers = new WeakMap<HTMLElement, ResizeObserver>()

  function decorate(state: EditorState): DecorationSet {
    const counts = new Map<string, number>()
    const files = fileReferences(state.doc.toString()).flatMap(({ id, from, to }) => {
      const index = counts.get(id) ?? 0
      counts.set(id, index + 1)
      return [quiet.range(from, to), below(state, to, new FileWidget({ id, index }))]
    })
    const arrivals = [...state.field(heldPlaces)].map(([arrival, at]) =>
      below(state, at, new FileWidget({ arrival })),
    )
    return Decoration.set([...files, ...arrivals], true)
  }

  const below = (state: EditorState, at: number, widget: WidgetType) =>
    Decoration.widget({ widget, block: true, side: 1 }).range(state.doc.lineAt(at).to)

  const decorations = StateField.define<DecorationSet>({
    create: decorate,
    update: (current, { docChanged, effects, state }) =>
      docChanged || effects.some((effect) => effect.is(hold) || effect.is(letGo)) ? decorate(state) : current,
    provide: (field) => EditorView.decorations.from(field),
  })

  const bridging = ViewPlugin.define((view) => {
    bridge.attach(widgetsOf(view))
    return { destroy: () => bridge.attach(null) }
  })

  return [heldPlaces, decorations, bridging]
}

function widgetsOf(view: EditorView): FileWidgets {
  return {
    selected() {
      const { doc, selection } = view.state
      return { text: doc.toString(), start: selection.main.from, end: selection.main.to }
    },
    hold: (key) => view.dispatch({ effects: hold.of({ key, at: view.state.selection.main.to }) }),
    letGo: (key) => view.dispatch({ effects: letGo.of(key) }),
    async insertAt(key, references) {
      await composed(view)
      const { state } = view
      const at = state.field(heldPlaces).get(key) ?? state.selection.main.to
      const { from, to, insert, end } = insertReferences(
        { text: state.doc.toString(), start: at, end: at },
        references,
      )
      const { empty, head } = state.selection.main
      const isCaretThere = empty && head >= from && head <= to && head <= at
      view.dispatch({
        changes: { from, to, insert },
        ...(isCaretThere && { selection: { anchor: end }, scrollIntoView: true }),
        effects: letGo.of(key),
        userEvent: 'input.files',
      })
    },
    change: (edit) => view.dispatch({ changes: edit, userEvent: 'input.files' }),
  }
}

/** Resolves when no IME composition is active. */
async function composed(view: EditorView): Promise<void> {
  while (view.composing) {
    await new Promise((resolve) =>
      view.contentDOM.addEventListener('compositionend', resolve, { once: true }),
    )
    await new Promise((resolve) => setTimeout(resolve))
  }
}
