import TurndownService from 'turndown'
import { addEmphasis } from './from-html-emphasis.ts'
import { HTML_START } from './inline-html.ts'

/** The attribute with the TeX source of a formula. */
export const FORMULA = 'data-formula'
/** The attribute with the kind of a callout, of a quote. */
export const CALLOUT = 'data-callout'
const KINDS = /^(?:note|tip|important|warning|caution)$/i
/** The attribute with the label of a footnote, of its reference and of its text. */
export const FOOTNOTE = 'data-footnote'

const COLUMNS_MAX = 200
/** What would be read as a character, such as `&lt;`, where a page is about such names. */
const ENTITY = /&(?=#?[a-z0-9]{2,31};)/gi
const TEXT_NODE = 3
/** Elements for which Markdown has no marks; they are written as HTML. */
const WITHOUT_MARKS = new Set(['KBD', 'MARK', 'SUB', 'SUP', 'U'])

/**
 * Returns a converter of HTML to Markdown as the composer writes it. It works with the document of a browser and with that of
 * turndown on the server, whose lists of elements are not iterable, and runs nothing. Whoever calls it removes what is no text.
 */
export function createFromHtml(): TurndownService {
  const turndown = new TurndownService({
    headingStyle: 'atx',
    hr: '---',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    // Underscores are no emphasis within a word.
    emDelimiter: '*',
    br: '',
  })
  const escape = turndown.escape.bind(turndown)
  // Two tildes strike out what is between them, and some tags are no text; turndown knows only CommonMark.
  turndown.escape = (text) => {
    const escaped = escape(text)
      .replaceAll(HTML_START, '\\<')
      .replaceAll(ENTITY, '\\&')
      .replaceAll(/(?<![=\\])==(?=[^\s=])/g, '\\==')
      // turndown knows no such numbers.
      .replace(/^(\d{1,9})(?=\)(?:\s|$))/, '$1\\')
    // turndown has escaped the first of three.
    return escaped.split('~').length > 2 ? escaped.replace(/^\\(?=~~~)/, '').replaceAll('~', '\\~') : escaped
  }
  addEmphasis(turndown)
  for (const [name, rule] of Object.entries(rules)) turndown.addRule(name, rule)
  turndown.addRule('table', {
    filter: 'table',
    replacement: (_content, node) => `\n\n${tableOf(turndown, node)}\n\n`,
  })
  return turndown
}

/** What Markdown has that turndown does not write as the composer does, and what is written as HTML. */
const rules: { readonly [name: string]: TurndownService.Rule } = {
  'line break': {
    filter: 'br',
    // Two in a row separate paragraphs.
    replacement: (_content, node) =>
      isLineBreak(node, 'previousSibling') || isLineBreak(node, 'nextSibling') ? '\n\n' : '\n',
  },
  heading: {
    filter: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
    replacement(content, node) {
      // A heading is one line, and a number sign at its end would be its closing mark.
      const lines = content.split('\n').map((line) => line.trim())
      const words = lines
        .filter((line) => line !== '')
        .join(' ')
        .replace(/(?<=\s)#+$/, '\\$&')
      return words === '' ? '' : `\n\n${'#'.repeat(Number(node.nodeName.charAt(1)))} ${words}\n\n`
    },
  },
  'without marks': {
    // Addresses are underlined by most programs.
    filter: (node) =>
      WITHOUT_MARKS.has(node.nodeName) &&
      !(node.nodeName === 'U' && (node.closest('a') || node.querySelector('a'))),
    replacement(content, node) {
      const name = node.nodeName.toLowerCase()
      // A pair of tags works within one paragraph.
      return content.trim() === '' || content.includes('\n\n') ? content : `<${name}>${content}</${name}>`
    },
  },
  formula: {
    filter: (node) => node.hasAttribute(FORMULA),
    replacement: (_content, node) => {
      const source = (node as Element).getAttribute(FORMULA) ?? ''
      return node.nodeName === 'DIV' ? `\n\n$$\n${source}\n$$\n\n` : `$${source.replaceAll(/\s+/g, ' ')}$`
    },
  },
  task: {
    filter: (node) => node.nodeName === 'INPUT' && node.getAttribute('type') === 'checkbox',
    replacement: (_content, node) =>
      `${(node as Element).hasAttribute('checked') ? '[x]' : '[ ]'}${followsSpace(node) ? '' : ' '}`,
  },
  item: {
    filter: 'li',
    replacement(content, node) {
      const list = node.parentElement
      const mark = list?.nodeName === 'OL' ? `${firstNumber(list) + indexIn(list, node)}. ` : '- '
      const lines = content.trim().split('\n')
      return `${mark}${lines.join(`\n${' '.repeat(mark.length)}`)}${node.nextSibling ? '\n' : ''}`
    },
  },
  callout: {
    filter: (node) => node.nodeName === 'BLOCKQUOTE' && KINDS.test(node.getAttribute(CALLOUT) ?? ''),
    replacement: (content, node) =>
      `\n\n> [!${(node as Element).getAttribute(CALLOUT)?.toUpperCase()}]\n${content.trim().replaceAll(/^/gm, '> ')}\n\n`,
  },
  summary: {
    filter: 'summary',
    replacement: (content) => `<summary>${content.split(/\s+/).join(' ').trim()}</summary>\n\n`,
  },
  details: {
    filter: 'details',
    replacement: (content) => `\n\n<details>\n${content.trim()}\n\n</details>\n\n`,
  },
  footnote: {
    filter: (node) => /^[\w-]{1,40}$/.test(node.getAttribute(FOOTNOTE) ?? ''),
    replacement(content, node) {
      const mark = `[^${(node as Element).getAttribute(FOOTNOTE)}]`
      return node.nodeName === 'SUP' ? mark : `\n\n${mark}: ${content.trim().replaceAll('\n', '\n    ')}\n\n`
    },
  },
}

const indexes = new WeakMap<Element, Map<Element, number>>()

/** Returns the index of an item; the items of a list are counted once. */
function indexIn(list: Element, item: Element): number {
  const known = indexes.get(list) ?? new Map(Array.from(list.children, (child, index) => [child, index]))
  indexes.set(list, known)
  return known.get(item) ?? 0
}

/** Returns the number of the first item of a list, which Markdown takes up to 999,999,999. */
function firstNumber(list: Element): number {
  const written = list.getAttribute('start') ?? list.firstElementChild?.getAttribute('value') ?? '1'
  return /^\d{1,8}$/.test(written) ? Number(written) : 1
}

/** Whether the next thing in a direction is a line break too. */
function isLineBreak(node: Node, direction: 'previousSibling' | 'nextSibling'): boolean {
  let next = node[direction]
  while (next?.nodeType === TEXT_NODE && (next.textContent ?? '').trim() === '') next = next[direction]
  return next?.nodeName === 'BR'
}

const followsSpace = ({ nextSibling }: Node) => /^\s/.test(nextSibling?.textContent ?? '')

/** Returns a table as Markdown. Its first row is the header. */
function tableOf(turndown: TurndownService, table: Element): string {
  const rows = gridOf(table, (cell) => cellOf(turndown, cell))
  const aligned = gridOf(table, sideOf)
  const width = Math.max(0, ...rows.map((cells) => cells.length))
  if (width === 0) return ''
  const lines = rows.map(
    (cells) => `| ${Array.from({ length: width }, (_, at) => cells[at] ?? '').join(' | ')} |`,
  )
  const sides = Array.from(
    { length: width },
    (_, at) => MARKS[[aligned[1]?.[at], aligned[0]?.[at]].find(Boolean) ?? ''] ?? '---',
  )
  return [lines[0], `| ${sides.join(' | ')} |`, ...lines.slice(1)].join('\n')
}

const MARKS: { [side: string]: string } = { left: ':---', center: ':---:', right: '---:' }

/** Returns the side at which a cell says that its text is; empty if it says nothing. */
function sideOf(cell: Element): string {
  const style = `${cell.getAttribute('style') ?? ''};${cell.getAttribute('data-style') ?? ''}`.slice(
    0,
    10_000,
  )
  const [, styled = ''] = /\btext-align:\s?(left|center|right)/i.exec(style) ?? []
  return (cell.getAttribute('data-align') ?? cell.getAttribute('align') ?? styled).toLowerCase()
}

/** Returns the texts of a table's cells in their columns. What a cell spans beside its first place is empty. */
function gridOf(table: Element, textOf: (cell: Element) => string): string[][] {
  const found = Array.from(table.querySelectorAll('tr')).filter((row) => row.closest('table') === table)
  const rows: string[][] = found.map(() => [])
  for (const [at, row] of found.entries()) {
    let column = 0
    for (const cell of Array.from(row.children)) {
      if (cell.nodeName !== 'TD' && cell.nodeName !== 'TH') continue
      while (rows[at]?.[column] !== undefined) column += 1
      const columns = Math.min(spanOf(cell, 'colspan'), COLUMNS_MAX)
      for (const spanned of rows.slice(at, at + spanOf(cell, 'rowspan')))
        for (let next = column; next < column + columns; next += 1) spanned[next] = ''
      const own = rows[at]
      if (own) own[column] = textOf(cell)
      column += columns
      if (column >= COLUMNS_MAX) break
    }
  }
  return rows
}

const spanOf = (cell: Element, direction: 'colspan' | 'rowspan') =>
  Math.max(1, Math.trunc(Number(cell.getAttribute(direction) ?? 1)) || 1)

/** Returns the text of a cell in one line, with `<br>` where it has several. */
function cellOf(turndown: TurndownService, cell: Element): string {
  for (const block of Array.from(cell.querySelectorAll('pre'))) breakIntoLines(block)
  return turndown
    .turndown(cell as HTMLElement)
    .split('\n')
    .map((line) => line.split(/\s+/).join(' ').trim())
    .filter((line) => line !== '')
    .join('<br>')
    .replaceAll('|', '\\|')
}

/** Makes each line of a block of code an own code, because a cell has no blocks. */
function breakIntoLines(block: Element): void {
  const lines = (block.textContent ?? '').split('\n').filter((line) => line.trim() !== '')
  const parts = lines.flatMap((line) => {
    const code = block.ownerDocument.createElement('code')
    code.textContent = line
    return [code, block.ownerDocument.createElement('br')]
  })
  block.replaceWith(...parts)
}
