import { syntaxTree } from '@codemirror/language'
import { type Range, RangeSet } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'
import type { SyntaxNodeRef } from '@lezer/common'

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

/** What begins an item: indentation, marker, and the box of a task. Bounded, so that it never runs far. */
const itemMark = /^[ \t]{0,80}(?:[-*+]|\d{1,9}[.)])[ \t]{1,8}(?:\[[ xX]\] )?/

const prefix = Decoration.mark({ class: 'md-item-mark' })

type Line = { classes: Set<string>; columns: number }

/** Returns the decorations of the visible lines: what kind of block a line belongs to, and where its item's text begins. */
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

/** Gives lines a class by the block that they belong to, and each its own direction of writing. */
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
