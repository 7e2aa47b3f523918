import type { Edit, Selected } from './edits.ts'
import { isInTable } from './tables.ts'
import { lineStart } from './text-context.ts'

const onlyMark = /^([ \t]*)(?:[-*+] \[[ xX]\]|[-*+]|\d{1,9}[.)])[ \t]+$/
const item = /^[ \t]*(?:[-*+] \[[ xX]\]|[-*+]|\d{1,9}[.)])[ \t]+\S/
const PASTED_MAX = 20_000

/**
 * Returns the edit of pasting text where its lines would break what is around: a list behind the mark of an item takes the place of the
 * mark, and lines in the cell of a table become lines of the cell. Elsewhere it is pasted as it is (null).
 */
export function pasteLines(selected: Selected, pasted: string): Edit | null {
  if (pasted.length > PASTED_MAX) return null
  const { text, start, end } = selected
  const from = lineStart(text, start)
  const [, indent] = onlyMark.exec(text.slice(from, start)) ?? []
  if (indent !== undefined && start === end && item.test(pasted)) {
    const lines = pasted.trimEnd().split('\n')
    const outer = /^[ \t]*/.exec(lines[0] ?? '')?.[0] ?? ''
    const own = lines.map((line) => (line.startsWith(outer) ? line.slice(outer.length) : line.trimStart()))
    return replaced(from + indent.length, end, own.join(`\n${indent}`))
  }
  const lines = pasted.trim().split(/\n+/)
  const isWithinCell = lines.length > 1 && !/^\s*\|/.test(pasted) && !/[\n|]/.test(text.slice(start, end))
  const isOfTable = isWithinCell && isInTable(text, start) && !isBesideRow(text, start)
  return isOfTable ? replaced(start, end, lines.join('<br>').replaceAll(/(?<!\\)\|/g, '\\|')) : null
}

/** Whether a position is before the first line of cells, or behind the last one, where lines begin or end a table. */
function isBesideRow(text: string, at: number): boolean {
  const [line = ''] = text.slice(lineStart(text, at)).split('\n', 1)
  const column = at - lineStart(text, at)
  const [before, after] = [line.slice(0, column), line.slice(column)]
  return (before.trim() === '' && /^\s*\|/.test(after)) || (after.trim() === '' && /\|\s*$/.test(before))
}

function replaced(from: number, to: number, insert: string): Edit {
  const caret = from + insert.length
  return { from, to, insert, start: caret, end: caret }
}
