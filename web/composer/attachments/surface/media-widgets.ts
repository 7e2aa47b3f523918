import { isolateHistory } from '@codemirror/commands'
import type { Extension, StateField } from '@codemirror/state'
import { Direction, EditorView, keymap, ViewPlugin, WidgetType } from '@codemirror/view'
import { insertReferences, removeReference } from '#web/composer/attachments/file-text.ts'
import type { Selected } from '#web/composer/text/edits.ts'
import { heldPlaces, hold, letGo } from './held-places.ts'
import type { Change } from './media-blocks.ts'
import { createMediaField, type KeyedBlock, type WidgetTarget } from './media-field.ts'

/** An element of the editor that shows a block of files, or files without ids. */
export type Mount = { element: HTMLElement; target: WidgetTarget }

/** The operations of the files of a text on CodeMirror. They wait during an IME composition. */
export type MediaWidgets = {
  selected: () => Selected
  /** Marks the position of the caret for files without ids. */
  hold: (key: number) => void
  letGo: (key: number) => void
  /** Inserts references at the marked position. */
  insertAt: (key: number, references: string) => Promise<void>
  change: (changes: Change | readonly Change[], userEvent: string) => void
  /** Moves the caret, and the focus, to the line before or after a block; there is one afterwards. */
  leave: (key: number, direction: 1 | -1) => void
  /** Moves the caret to a position, whose Markdown then shows. */
  showSource: (at: number) => void
  /** Moves the caret to the end of a block without moving the focus, so that files are added there. */
  placeAfter: (key: number) => void
  focus: () => void
}

type Bridge = {
  attach: (widgets: MediaWidgets | null) => void
  /** Called when an element appears in the text or disappears. */
  show: (mount: Mount) => void
  hide: (element: HTMLElement) => void
  /** Called when the files of the text, or what is written about them, have changed. */
  update: (blocks: readonly KeyedBlock[]) => void
  /** Moves the focus to the first or last file of a block; returns whether it is on the page. */
  enter: (key: number, direction: 1 | -1) => boolean
}

/** Returns an extension that shows the files of the text as its readers see them. It does not change the text. */
export function mediaWidgets(bridge: Bridge): Extension {
  const observers = new WeakMap<HTMLElement, ResizeObserver>()

  class MediaWidget extends WidgetType {
    readonly #target: WidgetTarget

    constructor(target: WidgetTarget) {
      super()
      this.#target = target
    }

    override eq(other: MediaWidget): boolean {
      return JSON.stringify(other.#target) === JSON.stringify(this.#target)
    }

    override toDOM(view: EditorView): HTMLElement {
      const element = document.createElement('div')
      element.className = 'media-widget'
      const sizes = new ResizeObserver(() => view.requestMeasure())
      sizes.observe(element)
      observers.set(element, sizes)
      bridge.show({ element, target: this.#target })
      return element
    }

    override destroy(element: HTMLElement): void {
      observers.get(element)?.disconnect()
      bridge.hide(element)
    }

    override get estimatedHeight(): number {
      return 200
    }

    override ignoreEvent(): boolean {
      return true
    }
  }

  const field = createMediaField((target) => new MediaWidget(target))
  const bridging = ViewPlugin.define((view) => {
    bridge.attach(operationsOn(view, field))
    bridge.update(view.state.field(field).blocks)
    let isUntouched = true
    return {
      update({ state, startState, focusChanged }) {
        const { settled } = state.field(field)
        if (startState.field(field, false)?.settled !== settled) bridge.update(settled)
        if (focusChanged) isUntouched = false
      },
      /** A text that begins with pictures shows them when it gets the focus for the first time, not their Markdown. */
      skipFirst() {
        const { selection, doc } = view.state
        const block = view.state.field(field).blocks.find(({ from }) => from === 0)
        if (!isUntouched || selection.main.to > 0 || block?.kind !== 'media' || block.to >= doc.length) return
        isUntouched = false
        view.dispatch({ selection: { anchor: block.to + 1 } })
      },
      destroy: () => bridge.attach(null),
    }
  })

  return [
    heldPlaces,
    field,
    bridging,
    EditorView.domEventHandlers({
      focus(_event, view) {
        view.plugin(bridging)?.skipFirst()
        return false
      },
    }),
    keymap.of(keysBesideMedia(field, bridge)),
  ]
}

type Field = ReturnType<typeof createMediaField>

/** Returns the block that is drawn in the place of its lines directly before or after the caret. */
function drawnBeside(view: EditorView, field: Field, direction: 1 | -1, at: number): KeyedBlock | undefined {
  const { main } = view.state.selection
  if (!main.empty) return undefined
  return view.state
    .field(field)
    .blocks.find(
      ({ kind, isSource, from, to }) =>
        kind !== 'inline' && !isSource && (direction === 1 ? from === at + 1 : to === at - 1),
    )
}

/** The arrow keys move into pictures as they move into lines; Backspace and Delete beside one remove it. */
function keysBesideMedia(field: Field, bridge: Bridge) {
  const enterSideways = (isRight: boolean) => (view: EditorView) => {
    const { head } = view.state.selection.main
    const isForward = isRight === (view.textDirectionAt(head) === Direction.LTR)
    const direction = isForward ? 1 : -1
    const block = drawnBeside(view, field, direction, head)
    return block !== undefined && bridge.enter(block.key, direction)
  }

  const enterByLine = (direction: 1 | -1) => (view: EditorView) => {
    const { doc, selection } = view.state
    const { main } = selection
    const line = doc.lineAt(main.head)
    const block = drawnBeside(view, field, direction, direction === 1 ? line.to : line.from)
    if (!block) return false
    const { head } = view.moveVertically(main, direction === 1)
    const isInLine = head >= line.from && head <= line.to && head !== main.head
    return !isInLine && bridge.enter(block.key, direction)
  }

  const remove = (direction: 1 | -1) => (view: EditorView) => {
    const { state } = view
    const block = drawnBeside(view, field, direction, state.selection.main.head)
    const item = block?.items.at(direction === 1 ? 0 : -1)
    if (!item || state.readOnly) return false
    const { from, to } = removeReference(state.doc.toString(), item)
    const annotations = isolateHistory.of('full')
    view.dispatch({ changes: { from, to }, userEvent: 'delete.file', annotations })
    return true
  }

  return [
    { key: 'ArrowRight', run: enterSideways(true) },
    { key: 'ArrowLeft', run: enterSideways(false) },
    { key: 'ArrowDown', run: enterByLine(1) },
    { key: 'ArrowUp', run: enterByLine(-1) },
    { key: 'Backspace', run: remove(-1) },
    { key: 'Delete', run: remove(1) },
  ]
}

function operationsOn(view: EditorView, field: StateField<{ blocks: readonly KeyedBlock[] }>): MediaWidgets {
  const find = (key: number) => view.state.field(field).blocks.find((block) => block.key === key)

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
    change: (changes, userEvent) => view.dispatch({ changes, userEvent }),
    leave(key, direction) {
      const block = find(key)
      if (!block) return
      const { from, to } = block
      const isAtEdge = direction === 1 ? to === view.state.doc.length : from === 0
      const at = direction === 1 ? to : from
      if (isAtEdge && !view.state.readOnly)
        view.dispatch({ changes: { from: at, insert: '\n\n' }, userEvent: 'input' })
      const anchor = direction === 1 ? (isAtEdge ? to + 2 : to + 1) : isAtEdge ? 0 : from - 1
      view.focus()
      view.dispatch({ selection: { anchor }, scrollIntoView: true })
    },
    showSource(at) {
      view.focus()
      view.dispatch({ selection: { anchor: at }, scrollIntoView: true })
    },
    placeAfter(key) {
      const block = find(key)
      if (block) view.dispatch({ selection: { anchor: block.to } })
    },
    focus: () => view.focus(),
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
