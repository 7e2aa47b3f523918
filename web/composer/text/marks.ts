import type { Edit, Selected } from './edits.ts'
import { codeBlocksOf, lineStart } from './text-context.ts'
import { unmarkPart } from './unmark-part.ts'

type Range = { start: number; end: number }

/** The marks of a kind of formatting: the one to write, and those that mean the same. */
type Mark = '**' | '*' | '`'
const spellings: { [mark in Mark]: readonly string[] } = { '**': ['**', '__'], '*': ['*', '_'], '`': ['`'] }

/** What may stand before the text of a line: indentation, quotes, lists, tasks and headings. */
const prefix = /^(?:\s|>|[-*+] (?:\[[ xX]\] )?|\d{1,9}[.)] |#{1,6} )*/
const heading = /^[\s>]*#{1,6} /

/** Whether a line is a thematic break, the underline of a heading, or the second row of a table. */
function isDivider(line: string): boolean {
  const signs = line.replace(/^[\s>]+/, '')
  const bare = signs.replaceAll(/[ \t]/g, '')
  return (
    /^[-*_]{3,}$/.test(bare) || /^=+$/.test(signs.trimEnd()) || (/^[:|-]+$/.test(bare) && bare.includes('-'))
  )
}

/** Returns the range to mark in a line: the selection without surrounding space, or the word at the caret. */
export function target({ text, start, end }: Selected): Range {
  if (start === end) {
    const before = /[\p{L}\p{M}\p{N}]*$/u.exec(text.slice(Math.max(0, start - 200), start))?.[0].length ?? 0
    const after = /^[\p{L}\p{M}\p{N}]*/u.exec(text.slice(end, end + 200))?.[0].length ?? 0
    return before > 0 && after > 0 ? { start: start - before, end: end + after } : { start, end }
  }
  return trimmed(text, { start, end })
}

function trimmed(text: string, { start, end }: Range): Range {
  const chosen = text.slice(start, end)
  const from = start + chosen.length - chosen.trimStart().length
  return { start: from, end: Math.max(from, start + chosen.trimEnd().length) }
}

/** Returns the parts of a selection that are marked each for itself: paragraphs, items and cells, without code. */
function partsOf({ text, start, end }: Selected): Range[] {
  const blocks = codeBlocksOf(text)
  const parts: Range[] = []
  let open: Range | undefined
  for (let at = lineStart(text, start); at <= Math.min(end, text.length); ) {
    const next = text.indexOf('\n', at)
    const lineEnd = next === -1 ? text.length : next
    const line = text.slice(at, lineEnd)
    const own = prefix.exec(line)?.[0] ?? ''
    const written = { start: Math.max(start, at + own.length), end: Math.min(end, lineEnd) }
    const isCode = blocks.some((block) => at >= block.start && at < block.end)
    const part = trimmed(text, written)
    if (isCode || isDivider(line) || part.start >= part.end) open = undefined
    else if (line.trimStart().startsWith('|')) {
      parts.push(...cellsOf(text, part))
      open = undefined
    } else if (open && own.trim() === '') open.end = part.end
    else {
      open = part
      parts.push(part)
    }
    if (heading.test(line)) open = undefined
    at = lineEnd + 1
  }
  return parts
}

function cellsOf(text: string, { start, end }: Range): Range[] {
  return Array.from(text.slice(start, end).matchAll(/(?:[^|\\]|\\.)+/g), ({ 0: cell, index }) =>
    trimmed(text, { start: start + index, end: start + index + cell.length }),
  ).filter((cell) => cell.start < cell.end)
}

/** Returns the length of the run of a character that ends (-1) or begins (1) at a position. */
function runAt(text: string, at: number, character: string, step: 1 | -1): number {
  let length = 0
  while (text[step === 1 ? at + length : at - length - 1] === character) length++
  return length
}

/** Whether a run of marks contains this one: `***` is `**` and `*`. */
const includes = (run: number, mark: string) =>
  mark.length === 2 ? run >= 2 : mark === '`' ? run === 1 : run === 1 || run >= 3

/** Returns the part of a text with the marks around or within it, if it is marked. */
function markedRange(
  text: string,
  { start, end }: Range,
  mark: Mark,
): (Range & { width: number }) | undefined {
  for (const spelling of spellings[mark]) {
    const character = spelling.charAt(0)
    const from = start - runAt(text, start, character, -1)
    const to = end + runAt(text, end, character, 1)
    const [before, after] = [runAt(text, from, character, 1), runAt(text, to, character, -1)]
    const width = mark.length
    if (
      to - from > 2 * width &&
      before < to - from &&
      includes(before, spelling) &&
      includes(after, spelling)
    )
      if (!closesWithin(text.slice(from + before, to - after), spelling))
        return { start: from, end: to, width }
  }
  return undefined
}

/** Whether the marks around a text belong to several parts: `**a** and **b**` is not one. */
const closesWithin = (inner: string, mark: string) => inner.includes(mark) && mark !== '*' && mark !== '_'

/** Removes marks from within a text that will be marked as a whole. */
function withoutMarks(text: string, mark: Mark): string {
  if (mark === '**') return text.replace(/(?<![\\*])\*\*(?=\S)([^*`\n]+)(?<=\S)\*\*(?!\*)/g, '$1')
  if (mark === '*') return text.replace(/(?<![\\*])\*(?=[^\s*])([^*`\n]+)(?<=\S)\*(?!\*)/g, '$1')
  return text
}

/**
 * Surrounds the selection with a mark, or removes it if everything has it. Marks end with a paragraph, so each paragraph, item, heading
 * and cell gets its own, without its prefix and the spaces around it.
 */
export function toggleMark(mark: Mark): (selected: Selected) => Edit {
  return (selected) => {
    const { text, start, end } = selected
    const width = mark.length
    const isOneLine = !text.slice(start, end).includes('\n')
    const single = target(selected)
    const parts = isOneLine
      ? partsOf({ text, ...single }).length > 0
        ? partsOf({ text, ...single })
        : [single]
      : partsOf(selected)
    const [first, ...others] = parts
    const last = others.at(-1) ?? first
    if (!first || !last) return { from: start, to: end, insert: text.slice(start, end), start, end }
    if (first.start === first.end) return toggleAtCaret(text, first.start, mark)
    const unmarked = others.length === 0 && mark !== '`' && unmarkPart(text, first, mark)
    if (unmarked) return unmarked

    const marked = parts.map((part) => markedRange(text, part, mark))
    const removes = marked.every((range) => range !== undefined)
    const ranges = parts.map((part, index) => marked[index] ?? part)
    const [from, to] = [ranges[0]?.start ?? start, ranges.at(-1)?.end ?? end]
    let insert = ''
    let at = from
    ranges.forEach((range, index) => {
      const inner = text.slice(range.start, range.end)
      insert += text.slice(at, range.start)
      if (removes) insert += inner.slice(width, -width)
      else insert += marked[index] ? inner : mark + withoutMarks(inner, mark) + mark
      at = range.end
    })
    const isInner = others.length === 0 && !removes
    const edge = isInner ? width : 0
    return { from, to, insert, start: from + edge, end: from + insert.length - edge }
  }
}

/** Writes a pair of marks around the caret, or removes an empty one. */
function toggleAtCaret(text: string, at: number, mark: string): Edit {
  const width = mark.length
  const isEmptyPair =
    runAt(text, at, mark.charAt(0), -1) === width && runAt(text, at, mark.charAt(0), 1) === width
  if (isEmptyPair) return { from: at - width, to: at + width, insert: '', start: at - width, end: at - width }
  return { from: at, to: at, insert: mark + mark, start: at + width, end: at + width }
}
