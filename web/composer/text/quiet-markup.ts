import { syntaxTree } from '@codemirror/language'
import { type EditorState, type Range, RangeSet } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view'
import type { SyntaxNode, SyntaxNodeRef } from '@lezer/common'
import { showsSource, sourceLines } from './source-lines.ts'
import { taskBox } from './task-box.ts'

/** A word in the place of Markdown: the kind of a callout, or the language of code. */
class LabelWidget extends WidgetType {
  readonly #text: string
  readonly #className: string

  constructor(text: string, className: string) {
    super()
    this.#text = text
    this.#className = className
  }

  override eq(other: LabelWidget): boolean {
    return other.#text === this.#text && other.#className === this.#className
  }

  override toDOM(): HTMLElement {
    const label = document.createElement('span')
    label.className = this.#className
    label.textContent = this.#text
    return label
  }

  override ignoreEvent(): boolean {
    return false
  }
}

const hidden = Decoration.replace({})
const fence = Decoration.line({ class: 'md-fence-quiet' })
const bullet = Decoration.replace({ widget: new LabelWidget('•', 'md-bullet') })
const CALLOUT = /^\[!(note|tip|important|warning|caution)\]$/i

/** Returns the decorations that replace the marks of the visible text, except on the lines that show their Markdown. */
function decorate(view: EditorView): DecorationSet {
  const { state } = view
  const found: Range<Decoration>[] = []
  for (const { from, to } of view.visibleRanges)
    syntaxTree(state).iterate({ from, to, enter: (node) => void found.push(...quieted(state, node)) })
  return RangeSet.of(found, true)
}

function quieted(state: EditorState, node: SyntaxNodeRef): Range<Decoration>[] {
  const decorationsOf = byNode[node.name]
  return decorationsOf ? decorationsOf(state, node.node) : []
}

type DecorationsOf = (state: EditorState, node: SyntaxNode) => Range<Decoration>[]

/** Hides the marks at both ends of a node. */
const hideMarks =
  (mark: string): DecorationsOf =>
  (state, node) =>
    showsSource(state, node.from, node.to)
      ? []
      : node.getChildren(mark).map(({ from, to }) => hidden.range(from, to))

const heading: DecorationsOf = (state, node) => {
  if (showsSource(state, node.from, node.to)) return []
  const [opening, closing] = node.getChildren('HeaderMark')
  if (!opening || opening.from !== node.from) return []
  const text = state.sliceDoc(opening.to, node.to)
  const space = text.length - text.trimStart().length
  // A heading without words would be an empty line.
  if (text.trim() === '' || opening.to + space === closing?.from) return []
  const start = hidden.range(opening.from, opening.to + space)
  if (!closing) return [start]
  const words = state.sliceDoc(opening.to + space, closing.from)
  return [start, hidden.range(closing.from - (words.length - words.trimEnd().length), closing.to)]
}

const link: DecorationsOf = (state, node) => {
  const callout = CALLOUT.exec(state.sliceDoc(node.from, Math.min(node.to, node.from + 20)))
  if (callout) return calloutLabel(state, node, callout[1] ?? '')
  const [open, close] = node.getChildren('LinkMark')
  const isOneLine = close && state.doc.lineAt(close.from).to >= node.to
  if (!open || !isOneLine || !node.getChild('URL') || open.to === close.from) return []
  if (showsSource(state, node.from, node.to)) return []
  return [hidden.range(open.from, open.to), hidden.range(close.from, node.to)]
}

/** The kind of a callout is the first line of a quote, by itself. */
function calloutLabel(state: EditorState, node: SyntaxNode, kind: string): Range<Decoration>[] {
  const line = state.doc.lineAt(node.from)
  const quote = node.parent?.parent
  const isCallout =
    quote?.name === 'Blockquote' &&
    quote.from >= line.from &&
    /^\s*>\s*$/.test(line.text.slice(0, node.from - line.from)) &&
    line.text.slice(node.to - line.from).trim() === ''
  if (!isCallout || showsSource(state, line.from, line.to)) return []
  const name = kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase()
  const widget = new LabelWidget(name, `md-callout md-callout-${kind.toLowerCase()}`)
  return [Decoration.replace({ widget }).range(node.from, node.to)]
}

/** A picture among words is drawn below its line. */
const image: DecorationsOf = (state, node) => {
  const target = node.getChild('URL')
  const isOwn = target !== null && state.sliceDoc(target.from, target.to).startsWith('/files/')
  const isOneLine = state.doc.lineAt(node.from).to >= node.to
  return isOwn && isOneLine && !showsSource(state, node.from, node.to)
    ? [hidden.range(node.from, node.to)]
    : []
}

/** The border shows a quote; marks of quotes within it stay. */
const quoteMark: DecorationsOf = (state, { from, to }) => {
  const line = state.doc.lineAt(from)
  if (line.text.slice(0, from - line.from).trim() !== '' || showsSource(state, from, to)) return []
  return [hidden.range(from, state.sliceDoc(to, to + 1) === ' ' ? to + 1 : to)]
}

/** A bullet instead of the sign of an item. A task has its box in the place of both. */
const listMark: DecorationsOf = (state, { from, to, parent, nextSibling }) =>
  parent?.parent?.name !== 'BulletList' || nextSibling?.name === 'Task' || showsSource(state, from, to)
    ? []
    : [bullet.range(from, to)]

const code: DecorationsOf = (state, node) => {
  const [open, close] = node.getChildren('CodeMark')
  const first = state.doc.lineAt(node.from)
  if (!open || open.from !== node.from || first.to >= node.to || showsSource(state, node.from, node.to))
    return []
  const info = node.getChild('CodeInfo')
  const language = info ? state.sliceDoc(info.from, Math.min(info.to, info.from + 30)).split(/\s/)[0] : ''
  const start = language ? Decoration.replace({ widget: new LabelWidget(language, 'md-language') }) : hidden
  const found = [fence.range(first.from), start.range(open.from, first.to)]
  if (!close || close.from === open.from) return found
  return [...found, fence.range(state.doc.lineAt(close.from).from), hidden.range(close.from, close.to)]
}

const byNode: { [name: string]: DecorationsOf } = {
  Emphasis: hideMarks('EmphasisMark'),
  StrongEmphasis: hideMarks('EmphasisMark'),
  Strikethrough: hideMarks('StrikethroughMark'),
  InlineCode: hideMarks('CodeMark'),
  ATXHeading1: heading,
  ATXHeading2: heading,
  ATXHeading3: heading,
  ATXHeading4: heading,
  ATXHeading5: heading,
  ATXHeading6: heading,
  Link: link,
  Image: image,
  QuoteMark: quoteMark,
  ListMark: listMark,
  FencedCode: code,
  Task: taskBox,
}

/** Marks step back: emphasis, links, headings, quotes, callouts, lists, tasks and code show what they mean, away from the caret. */
export const quietMarkup = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet

    constructor(view: EditorView) {
      this.decorations = decorate(view)
    }

    update({ docChanged, changes, selectionSet, viewportChanged, startState, state, view }: ViewUpdate) {
      const lines = state.field(sourceLines)
      const isElsewhere = lines !== startState.field(sourceLines) || (selectionSet && !lines.isPressed)
      const isParsedFurther = syntaxTree(startState) !== syntaxTree(state)
      // Around the characters of an input method, nothing changes.
      if (view.composing) this.decorations = this.decorations.map(changes)
      else if (docChanged || viewportChanged || isElsewhere || isParsedFurther)
        this.decorations = decorate(view)
    }
  },
  { decorations: (plugin) => plugin.decorations },
)
