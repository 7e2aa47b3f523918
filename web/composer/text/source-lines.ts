import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state'
import { EditorView, ViewPlugin } from '@codemirror/view'

type Range = { from: number; to: number }

type SourceLines = {
  isFocused: boolean
  /** Whether a mouse button is held down: until it is released, nothing moves under the pointer. */
  isPressed: boolean
  /** Whether something is looked for: what is found shows its Markdown, with the focus elsewhere. */
  isSearched: boolean
  /** The lines of the selections. */
  ranges: readonly Range[]
}

const focusing = StateEffect.define<boolean>()
const pressing = StateEffect.define<boolean>()
/** Begins or ends a search in the text. */
export const searching = StateEffect.define<boolean>()

/** The lines that show their Markdown: those of the caret and of selections, while the text has the focus or is searched. */
export const sourceLines = StateField.define<SourceLines>({
  create: () => ({ isFocused: false, isPressed: false, isSearched: false, ranges: [] }),
  update(current, { effects, docChanged, changes, selection, state }) {
    let { isFocused, isPressed, isSearched } = current
    for (const effect of effects) {
      if (effect.is(focusing)) isFocused = effect.value
      if (effect.is(pressing)) isPressed = effect.value
      if (effect.is(searching)) isSearched = effect.value
    }
    const isSame =
      isFocused === current.isFocused && isPressed === current.isPressed && isSearched === current.isSearched
    if (isSame && !docChanged && !selection) return current
    const ranges =
      isPressed && !docChanged
        ? current.ranges
        : isPressed
          ? current.ranges.map(({ from, to }) => ({
              from: changes.mapPos(from, -1),
              to: changes.mapPos(to, 1),
            }))
          : isFocused || isSearched
            ? linesOf(state)
            : []
    return { isFocused, isPressed, isSearched, ranges }
  },
})

const linesOf = ({ doc, selection }: EditorState): Range[] =>
  selection.ranges.map(({ from, to }) => ({ from: doc.lineAt(from).from, to: doc.lineAt(to).to }))

/** Whether a range of the text shows its Markdown. */
export const showsSource = (state: EditorState, from: number, to: number): boolean =>
  state.field(sourceLines).ranges.some((range) => range.from <= to && range.to >= from)

const presses = ViewPlugin.define((view) => {
  function release() {
    if (view.state.field(sourceLines).isPressed) view.dispatch({ effects: pressing.of(false) })
  }
  const { defaultView } = view.dom.ownerDocument
  const events = ['pointerup', 'pointercancel', 'dragend', 'blur'] as const
  for (const event of events) defaultView?.addEventListener(event, release)
  return {
    destroy() {
      for (const event of events) defaultView?.removeEventListener(event, release)
    },
  }
})

/** Tracks which lines show their Markdown. */
export const trackSourceLines: Extension = [
  sourceLines,
  EditorView.focusChangeEffect.of((_state, isFocused) => focusing.of(isFocused)),
  EditorView.domEventHandlers({
    mousedown(event, view) {
      if (event.button === 0) view.dispatch({ effects: pressing.of(true) })
      return false
    },
  }),
  presses,
]
