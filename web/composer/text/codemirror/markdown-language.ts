import {
  defineLanguageFacet,
  Language,
  LanguageSupport,
  languageDataProp,
  syntaxHighlighting,
  syntaxTree,
} from '@codemirror/language'
import { type Range, RangeSet } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'
import type { SyntaxNodeRef } from '@lezer/common'
import { tagHighlighter, tags } from '@lezer/highlight'
import { GFM, type MarkdownConfig, parser } from '@lezer/markdown'
import { likeRenderer } from './renderer-rules.ts'

/** A longer paragraph is shown without its inline formatting: finding the ends of emphasis takes quadratic time. */
const PARAGRAPH_MAX = 5_000
/** The maximum depth of nested lists and quotes. Deeper ones are parsed as text, because each level costs time linear in the line. */
const DEPTH_MAX = 40

const limits: MarkdownConfig = {
  parseInline: [
    {
      name: 'LongParagraph',
      before: 'Escape',
      parse: (context) => (context.end - context.offset > PARAGRAPH_MAX ? context.end : -1),
    },
  ],
  parseBlock: [
    {
      name: 'DeepNesting',
      before: 'LinkReference',
      parse(context, line) {
        if (context.depth <= DEPTH_MAX) return false
        const start = context.lineStart
        context.addElement(context.elt('Paragraph', start + line.pos, start + line.text.length))
        context.nextLine()
        return true
      },
    },
  ],
}

const data = defineLanguageFacet()

/** GitHub Flavored Markdown as a CodeMirror language, without the languages of code blocks. */
export const markdownLanguage = new Language(
  data,
  parser.configure([GFM, likeRenderer, limits, { props: [languageDataProp.add({ Document: data })] }]),
  [],
  'markdown',
)

const highlighter = tagHighlighter([
  { tag: tags.processingInstruction, class: 'md-mark' },
  { tag: tags.contentSeparator, class: 'md-mark' },
  { tag: tags.emphasis, class: 'md-emphasis' },
  { tag: tags.strong, class: 'md-strong' },
  { tag: tags.strikethrough, class: 'md-struck' },
  { tag: tags.monospace, class: 'md-code' },
  { tag: tags.link, class: 'md-link' },
  { tag: [tags.url, tags.string], class: 'md-url' },
  { tag: tags.labelName, class: 'md-label' },
  { tag: tags.atom, class: 'md-task' },
  { tag: [tags.escape, tags.character], class: 'md-escape' },
  { tag: [tags.comment, tags.angleBracket, tags.tagName], class: 'md-html' },
])

/** The language and the classes of its inline formatting. */
export const markdown = () => new LanguageSupport(markdownLanguage, syntaxHighlighting(highlighter))

const classOf: { [node: string]: string } = {
  ATXHeading1: 'md-heading md-heading-1',
  ATXHeading2: 'md-heading md-heading-2',
  ATXHeading3: 'md-heading md-heading-3',
  ATXHeading4: 'md-heading',
  ATXHeading5: 'md-heading',
  ATXHeading6: 'md-heading',
  SetextHeading1: 'md-heading md-heading-1',
  SetextHeading2: 'md-heading md-heading-2',
  Blockquote: 'md-quote',
  FencedCode: 'md-code-line',
  CodeBlock: 'md-code-line',
  Table: 'md-table-line',
  HTMLBlock: 'md-html-line',
}

/** Matches the beginning of an item: indentation, marker and checkbox. Its length is bounded. */
const itemMark = /^[ \t]{0,80}(?:[-*+]|\d{1,9}[.)])[ \t]{1,8}(?:\[[ xX]\] )?/

const prefix = Decoration.mark({ class: 'md-item-mark' })

type Line = { classes: Set<string>; columns: number }

/** Returns the decorations of the visible lines: the kind of block of a line, and the indentation of its item's text. */
function decorate(view: EditorView): DecorationSet {
  const { doc } = view.state
  const lines = new Map<number, Line>()
  const marks: Range<Decoration>[] = []

  function lineAt(from: number): Line {
    const line = lines.get(from) ?? { classes: new Set(), columns: 0 }
    lines.set(from, line)
    return line
  }

  function addBlock({ name, from, to }: SyntaxNodeRef, start: number, end: number) {
    const blockClass = classOf[name]
    if (!blockClass) return
    for (let at = Math.max(from, start); at <= Math.min(to, end); ) {
      const line = doc.lineAt(at)
      const { classes } = lineAt(line.from)
      classes.add(blockClass)
      if (name === 'FencedCode' && line.from <= from) classes.add('md-code-first')
      if (name === 'FencedCode' && line.to >= to) classes.add('md-code-last')
      at = line.to + 1
    }
  }

  function addItem({ from }: SyntaxNodeRef) {
    const line = doc.lineAt(from)
    const mark = itemMark.exec(line.text.slice(0, 120))?.[0]
    if (!mark || from > line.from + mark.length) return
    lineAt(line.from).columns = mark.length
    marks.push(prefix.range(line.from, line.from + mark.length))
  }

  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to; at = doc.lineAt(at).to + 1) lineAt(doc.lineAt(at).from)
    syntaxTree(view.state).iterate({
      from,
      to,
      enter(node) {
        if (node.name === 'ListItem') addItem(node)
        else addBlock(node, from, to)
      },
    })
  }

  const ofLines = Array.from(lines, ([from, { classes, columns }]) =>
    Decoration.line({
      class: [...classes, ...(columns > 0 ? ['md-item'] : [])].join(' '),
      attributes: { dir: 'auto', ...(columns > 0 && { style: `--columns: ${columns}` }) },
    }).range(from),
  )
  return RangeSet.of([...ofLines, ...marks], true)
}

/** Adds to each line the class of its block and its text direction. */
export const lineClasses = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet

    constructor(view: EditorView) {
      this.decorations = decorate(view)
    }

    update({ docChanged, viewportChanged, startState, state, view }: ViewUpdate) {
      const isParsedFurther = syntaxTree(startState) !== syntaxTree(state)
      if (docChanged || viewportChanged || isParsedFurther) this.decorations = decorate(view)
    }
  },
  { decorations: (plugin) => plugin.decorations },
)
