import { eastAsianWidth } from 'get-east-asian-width'
import type { Edit, Selected } from './edits.ts'
import { isInFence, lineStart } from './text-context.ts'

const delimiterRow = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*){0,200}(?:\|[ \t]*)?$/
/** Larger tables are not aligned, because each press of Tab writes the whole table. */
const TABLE_MAX = 20_000

type Table = { from: number; to: number; rows: string[][]; row: number; cell: number }

/**
 * Returns the edit of Tab in a table: selects the next cell, or with -1 the previous one, and aligns the source. After the last cell
 * it adds a row. Returns null outside of a table, and before its first cell.
 */
export function tabInTable(direction: 1 | -1): (selected: Selected) => Edit | null {
  return ({ text, start }) => {
    const table = tableAt(text, start)
    if (!table) return null
    const { rows } = table
    const columns = rows[0]?.length ?? 0
    const next = nextCell(table, columns, direction)
    if (!next) return null
    if (next.row === rows.length) rows.push(Array.from({ length: columns }, () => ''))
    const { insert, startOf } = aligned(rows, columns)
    const at = table.from + startOf(next.row, next.cell)
    return {
      from: table.from,
      to: table.to,
      insert,
      start: at,
      end: at + (rows[next.row]?.[next.cell] ?? '').length,
    }
  }
}

/** Returns the next cell; the row of delimiters, the second one, has none. */
function nextCell({ row, cell }: Table, columns: number, direction: 1 | -1) {
  if (row === 1) return direction === 1 ? { row: 2, cell: 0 } : { row: 0, cell: columns - 1 }
  const at = Math.min(cell, columns - 1) + direction
  if (at >= 0 && at < columns) return { row, cell: at }
  const other = row + direction === 1 ? row + 2 * direction : row + direction
  return other < 0 ? undefined : { row: other, cell: direction === 1 ? 0 : columns - 1 }
}

/** Whether a position is in a row of a table. */
export const isInTable = (text: string, at: number): boolean => tableAt(text, at) !== undefined

/** Returns the table around a position. */
function tableAt(text: string, at: number): Table | undefined {
  const from = startOfTable(text, at)
  const lines: string[] = []
  let to = from
  for (let next = from; next <= text.length && to - from <= TABLE_MAX; ) {
    const newline = text.indexOf('\n', next)
    const end = newline === -1 ? text.length : newline
    const line = text.slice(next, end)
    if (!isRow(line)) break
    lines.push(line)
    to = end
    next = end + 1
  }
  const isTable = lines.length > 1 && delimiterRow.test(lines[1] ?? '') && at <= to && to - from <= TABLE_MAX
  if (!isTable || isInFence(text, at)) return undefined
  const rows = lines.map(cellsOf)
  const isComplete =
    rows[0]?.length === rows[1]?.length && rows.every((row) => row.length <= (rows[0]?.length ?? 0))
  if (!isComplete) return undefined
  const before = text.slice(from, at).split('\n')
  const row = before.length - 1
  const typed = before[row] ?? ''
  const pipes = typed.replaceAll(/\\./g, '').split('|').length - 1
  const cell = Math.max(0, pipes - (/^\s*\|/.test(lines[row] ?? '') ? 1 : 0))
  return { from, to, rows, row, cell }
}

const isRow = (line: string) => line.includes('|') && !/^(?: {4}|\t|[ ]*>)/.test(line)

/** Returns where the lines of a table that contain a position begin. */
function startOfTable(text: string, at: number): number {
  let from = lineStart(text, at)
  while (from > 0 && at - from <= TABLE_MAX) {
    const previous = lineStart(text, from - 1)
    if (!isRow(text.slice(previous, from - 1))) break
    from = previous
  }
  return from
}

/** Returns the cells of a row. */
function cellsOf(line: string): string[] {
  const bare = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return Array.from(bare.matchAll(/((?:[^|\\]|\\.|\\$)*)(?:\||$)/gs), ([, cell = '']) => cell.trim()).slice(
    0,
    bare.replaceAll(/\\./g, '').split('|').length,
  )
}

/** Returns how many columns a text takes in a monospaced font. */
const widthOf = (text: string) =>
  Array.from(text).reduce((width, character) => width + eastAsianWidth(character.codePointAt(0) ?? 0), 0)

/** Returns the source of a table whose columns are aligned, and where its cells begin in it. */
function aligned(rows: readonly string[][], columns: number) {
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(3, ...rows.map((row, index) => (index === 1 ? 0 : widthOf(row[column] ?? '')))),
  )
  const lines = rows.map((row, index) => {
    const cells = widths.map((width, column) => {
      const cell = row[column] ?? ''
      if (index === 1) return delimiter(cell, width)
      return cell + ' '.repeat(width - widthOf(cell))
    })
    return { text: `| ${cells.join(' | ')} |`, cells }
  })
  function startOf(row: number, cell: number): number {
    const above = lines.slice(0, row).reduce((length, { text }) => length + text.length + 1, 0)
    const before = lines[row]?.cells.slice(0, cell) ?? []
    return above + 2 + before.reduce((length, { length: own }) => length + own + 3, 0)
  }
  return { insert: lines.map(({ text }) => text).join('\n'), startOf }
}

function delimiter(cell: string, width: number): string {
  const [left, right] = [cell.startsWith(':') ? ':' : '', cell.endsWith(':') ? ':' : '']
  return left + '-'.repeat(width - left.length - right.length) + right
}
