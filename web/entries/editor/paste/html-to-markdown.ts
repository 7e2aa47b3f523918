import TurndownService from 'turndown'
import { FORMULA, keepFormulas } from './copied-formulas.ts'
import { parseCopied } from './copied-styles.ts'
import { normalizeHtml, unwrap } from './normalize-html.ts'

/** Larger pages are not converted: turndown recurses for each level, and visits every element several times. */
const ELEMENTS_MAX = 20_000
const DEPTH_MAX = 200
const COLUMNS_MAX = 200

/** Elements that are not text, or that would be executed or sent elsewhere. */
const DROPPED =
  'script, style, template, noscript, iframe, object, embed, svg, math, title, meta, link, select, textarea'

/** Returns the Markdown of copied HTML, or null if it is too large. It is parsed into an inert document. */
export function htmlToMarkdown(html: string): string | null {
  const { body } = parseCopied(html)
  if (isTooLarge(body)) return null
  keepFormulas(body)
  for (const element of body.querySelectorAll(DROPPED)) element.remove()
  for (const link of body.querySelectorAll('a')) if (!isSafe(link.getAttribute('href'))) unwrap(link)
  for (const image of body.querySelectorAll('img')) if (!isSafe(image.getAttribute('src'))) image.remove()
  normalizeHtml(body)
  return service().turndown(body).trim()
}

function isTooLarge(body: Element): boolean {
  const elements = body.querySelectorAll('*')
  if (elements.length > ELEMENTS_MAX) return true
  const depths = new Map<Element, number>([[body, 0]])
  for (const element of elements) {
    const depth = 1 + (depths.get(element.parentElement ?? body) ?? 0)
    if (depth > DEPTH_MAX) return true
    depths.set(element, depth)
  }
  return false
}

const isSafe = (url: string | null) => url !== null && /^(?:https?:\/\/|mailto:)/i.test(url.trim())

function service() {
  const indexes = new Map<Element, Map<Element, number>>()
  function indexIn(list: Element, item: Element): number {
    const known = indexes.get(list) ?? new Map([...list.children].map((child, index) => [child, index]))
    indexes.set(list, known)
    return known.get(item) ?? 0
  }

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
  // Two tildes strike out what is between them; turndown knows only CommonMark.
  turndown.escape = (text) => {
    const escaped = escape(text)
    return escaped.split('~').length > 2 ? escaped.replaceAll('~', '\\~') : escaped
  }
  turndown.addRule('line break', {
    filter: 'br',
    // Two in a row separate paragraphs.
    replacement: (_content, node) =>
      isLineBreak(node, 'previousSibling') || isLineBreak(node, 'nextSibling') ? '\n\n' : '\n',
  })
  turndown.addRule('struck', {
    filter: ['del', 's'],
    replacement: (content) => (content.trim() === '' ? content : `~~${content}~~`),
  })
  turndown.addRule('formula', {
    filter: (node) => node.hasAttribute(FORMULA),
    replacement: (_content, node) => {
      const source = (node as Element).getAttribute(FORMULA) ?? ''
      return node.nodeName === 'DIV' ? `\n\n$$\n${source}\n$$\n\n` : `$${source.replaceAll(/\s+/g, ' ')}$`
    },
  })
  turndown.addRule('task', {
    filter: (node) => node.nodeName === 'INPUT' && node.getAttribute('type') === 'checkbox',
    replacement: (_content, node) =>
      `${(node as HTMLInputElement).hasAttribute('checked') ? '[x]' : '[ ]'}${followsSpace(node) ? '' : ' '}`,
  })
  turndown.addRule('item', {
    filter: 'li',
    replacement(content, node) {
      const list = node.parentElement
      const first = list?.nodeName === 'OL' ? Number(list.getAttribute('start') ?? 1) || 1 : null
      const mark = first === null || !list ? '- ' : `${first + indexIn(list, node)}. `
      const lines = content.trim().split('\n')
      return `${mark}${lines.join(`\n${' '.repeat(mark.length)}`)}${node.nextSibling ? '\n' : ''}`
    },
  })
  turndown.addRule('table', {
    filter: 'table',
    replacement: (_content, node) => `\n\n${tableOf(turndown, node as HTMLTableElement)}\n\n`,
  })
  return turndown
}

/** Whether the next thing in a direction is a line break too. */
function isLineBreak(node: Node, direction: 'previousSibling' | 'nextSibling'): boolean {
  let next = node[direction]
  while (next?.nodeType === Node.TEXT_NODE && (next.textContent ?? '').trim() === '') next = next[direction]
  return next?.nodeName === 'BR'
}

const followsSpace = ({ nextSibling }: Node) => /^\s/.test(nextSibling?.textContent ?? '')

/** Returns a table as Markdown. Its first row is the header, and its cells are single lines. */
function tableOf(turndown: TurndownService, table: HTMLTableElement): string {
  const rows = gridOf(table, (cell) => cellOf(turndown, cell))
  const width = Math.max(0, ...rows.map((cells) => cells.length))
  if (width === 0) return ''
  const lines = rows.map(
    (cells) => `| ${Array.from({ length: width }, (_, at) => cells[at] ?? '').join(' | ')} |`,
  )
  return [lines[0], `|${' --- |'.repeat(width)}`, ...lines.slice(1)].join('\n')
}

/** Returns the texts of a table's cells in their columns. What a cell spans beside its first place is empty. */
function gridOf(table: HTMLTableElement, textOf: (cell: HTMLTableCellElement) => string): string[][] {
  const rows: string[][] = Array.from(table.rows, () => [])
  for (const [at, row] of [...table.rows].entries()) {
    let column = 0
    for (const cell of row.cells) {
      while (rows[at]?.[column] !== undefined) column += 1
      const columns = Math.min(cell.colSpan, COLUMNS_MAX)
      for (const spanned of rows.slice(at, at + Math.max(1, cell.rowSpan)))
        for (let next = column; next < column + columns; next += 1) spanned[next] = ''
      const own = rows[at]
      if (own) own[column] = textOf(cell)
      column += columns
      if (column >= COLUMNS_MAX) break
    }
  }
  return rows
}

const cellOf = (turndown: TurndownService, cell: HTMLElement) =>
  turndown.turndown(cell.innerHTML).split(/\s+/).join(' ').trim().replaceAll('|', '\\|')
