import type { EditorState, Range } from '@codemirror/state'
import { Decoration, type EditorView, WidgetType } from '@codemirror/view'
import type { SyntaxNode } from '@lezer/common'

const MARKER = /^[-*+][ \t]+\[([ xX])\]/
const LABEL_MAX = 200

/** The box of a task, which can be ticked. */
class TaskBox extends WidgetType {
  readonly #isTicked: boolean
  readonly #label: string
  readonly #isReadOnly: boolean

  constructor(isTicked: boolean, label: string, isReadOnly: boolean) {
    super()
    this.#isTicked = isTicked
    this.#label = label
    this.#isReadOnly = isReadOnly
  }

  override eq(other: TaskBox): boolean {
    return (
      other.#isTicked === this.#isTicked &&
      other.#label === this.#label &&
      other.#isReadOnly === this.#isReadOnly
    )
  }

  override toDOM(view: EditorView): HTMLElement {
    const place = document.createElement('span')
    place.className = 'md-task-place'
    const box = document.createElement('input')
    box.type = 'checkbox'
    box.className = 'checkbox'
    // The focus stays in the text.
    box.addEventListener('mousedown', (event) => event.preventDefault())
    box.addEventListener('change', () => tick(view, place))
    place.append(box)
    this.updateDOM(place)
    return place
  }

  override updateDOM(place: HTMLElement): boolean {
    const box = place.firstChild as HTMLInputElement
    box.checked = this.#isTicked
    box.disabled = this.#isReadOnly
    box.setAttribute('aria-label', this.#label || 'Task')
    return true
  }

  override ignoreEvent(): boolean {
    return true
  }
}

function tick(view: EditorView, place: HTMLElement): void {
  const from = view.posAtDOM(place)
  const found = MARKER.exec(view.state.sliceDoc(from, from + LABEL_MAX))
  if (!found || view.state.readOnly) return
  const at = from + found[0].length - 2
  view.dispatch({
    changes: { from: at, to: at + 1, insert: found[1] === ' ' ? 'x' : ' ' },
    userEvent: 'input.task',
  })
}

/** Replaces the marker of a task by its box, unless the caret is at the marker. */
export function taskBox(state: EditorState, task: SyntaxNode): Range<Decoration>[] {
  const from = task.prevSibling?.from
  const marker = task.getChild('TaskMarker')
  if (from === undefined || !marker || task.prevSibling?.name !== 'ListMark') return []
  const found = MARKER.exec(state.sliceDoc(from, marker.to))
  const isAtCaret = state.selection.ranges.some((range) => range.from <= marker.to && range.to >= from)
  if (!found || isAtCaret) return []
  const label = state
    .sliceDoc(marker.to, Math.min(state.doc.lineAt(marker.to).to, marker.to + LABEL_MAX))
    .trim()
  const widget = new TaskBox(found[1] !== ' ', label, state.readOnly)
  return [Decoration.replace({ widget }).range(from, marker.to)]
}
