import { type EditorView, ViewPlugin } from '@codemirror/view'
import { insertion, type TextHandle } from '#web/composer/text/text-handle.ts'

/** The editors that have had the focus, or something dropped into them: their caret is where it was put. */
const touched = new WeakSet<EditorView>()

export const noteTouched = (view: EditorView): void => void touched.add(view)

/** Returns the handle of the text of an editor. */
export function handleOf(view: EditorView): TextHandle {
  const selected = () => {
    const { doc, selection } = view.state
    return { text: doc.toString(), start: selection.main.from, end: selection.main.to }
  }
  const apply: TextHandle['apply'] = ({ from, to, insert, start, end }) => {
    view.dispatch({
      changes: { from, to, insert },
      selection: { anchor: start, head: end },
      userEvent: 'input',
      scrollIntoView: true,
    })
    view.focus()
  }
  return {
    selected,
    apply,
    insertAtCaret: (inserted) => apply(insertion(selected(), inserted)),
    focus: () => view.focus(),
    placeCaret() {
      const { doc, selection } = view.state
      if (!touched.has(view) && selection.main.head === 0)
        view.dispatch({ selection: { anchor: doc.length } })
    },
  }
}

/** Replaces the text of an editor from outside, unless it is the same; during an IME composition, only afterwards. */
export const replacement = ViewPlugin.fromClass(
  class {
    readonly #view: EditorView
    #waiting: string | null = null

    constructor(view: EditorView) {
      this.#view = view
    }

    replace(next: string) {
      this.#waiting = next
      if (!this.#view.composing) this.replaceWaiting()
    }

    replaceWaiting() {
      const { composing, state } = this.#view
      const next = this.#waiting
      if (next === null || composing) return
      this.#waiting = null
      if (next === state.doc.toString()) return
      this.#view.dispatch({ changes: { from: 0, to: state.doc.length, insert: next } })
    }
  },
  {
    eventHandlers: {
      compositionend() {
        setTimeout(() => this.replaceWaiting())
      },
    },
  },
)
