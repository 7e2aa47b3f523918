type Range = { start: number; end: number }

const opening = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}(?![^\n]*`)|~{3,})/
const closing = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/

/** Returns the ranges of a text's fenced code, with their fences; one that is never closed goes to the end. */
export function codeBlocksOf(text: string): Range[] {
  const blocks: Range[] = []
  let fence = ''
  let start = 0
  for (let at = 0; at <= text.length; ) {
    const next = text.indexOf('\n', at)
    const end = next === -1 ? text.length : next
    const line = text.slice(at, Math.min(end, at + 1_000))
    if (fence === '') {
      fence = opening.exec(line)?.[1] ?? ''
      start = at
    } else {
      const [, marks = ''] = closing.exec(line) ?? []
      if (marks.startsWith(fence)) {
        blocks.push({ start, end: end + 1 })
        fence = ''
      }
    }
    at = end + 1
  }
  if (fence !== '') blocks.push({ start, end: text.length + 1 })
  return blocks
}

/** Whether a position is within fenced code, between its fences or on them. */
export const isInFence = (text: string, at: number): boolean =>
  codeBlocksOf(text).some(({ start, end }) => at > start && at < end)

/** Returns where the line of a position begins. */
export const lineStart = (text: string, at: number): number =>
  at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1

/** How far around a selection its paragraph is read. */
const REACH = 2_000

/** Links, images, autolinks, bare addresses and definitions; what is in them is no place for another link. */
const links = [
  /!?\[(?:[^[\]\\\n!]|!(?!\[)|\\.|!?\[[^[\]\n]*\](?:\([^()\n]*\)|(?!\([^()\n]*\))))*\](?:\((?:[^()\\\n]|\\.|\([^()\n]*\))*\)|\[[^[\]\n]*\])/g,
  /<[a-z][a-z0-9+.-]{1,31}:[^<>\s]*>/gi,
  /(?:https?:\/\/|mailto:|www\.)[^\s<>]*/gi,
  /^ {0,3}\[[^[\]\n]+\]:.*$/gm,
]
const image = /^!\[[^[\]\n]*\]\([^()\n]*\)$/
const ticks = /`+/g

/** Whether a selection is within or around code or a link, so that a pasted address stays an address. */
export function isInCodeOrLink(text: string, start: number, end: number): boolean {
  if (isInFence(text, start) || isInFence(text, end) || isIndentedCode(text, start)) return true
  const gap = start < 2 ? -1 : text.lastIndexOf('\n\n', start - 2)
  const from = Math.max(gap === -1 ? 0 : gap + 2, start - REACH)
  const after = text.indexOf('\n\n', end)
  const paragraph = text.slice(from, Math.min(after === -1 ? text.length : after, end + REACH))
  const isWholeImage = image.test(text.slice(start, end))
  const isWithin = ({ start: first, end: last }: Range) => {
    const isOutside = end <= from + first || start >= from + last
    const isItself = isWholeImage && start === from + first && end === from + last
    return !isOutside && !isItself
  }
  const touches = (pattern: RegExp) =>
    Array.from(paragraph.matchAll(pattern)).some(({ 0: found, index }) =>
      isWithin({ start: index, end: index + found.length }),
    )
  return (
    codeSpansOf(paragraph).some(isWithin) ||
    links.some((pattern, index) => !(isWholeImage && index === 2) && touches(pattern))
  )
}

/** Returns the code spans of a paragraph: from each run of backticks to the next one of the same length. */
function codeSpansOf(paragraph: string): Range[] {
  const spans: Range[] = []
  let open: { start: number; length: number } | undefined
  const runs = Array.from(paragraph.matchAll(ticks), ({ 0: run, index }) => ({
    start: index,
    length: run.length,
  }))
  const last = new Map(runs.map(({ start, length }) => [length, start]))
  for (const run of runs) {
    if (!open) {
      if ((last.get(run.length) ?? 0) > run.start && paragraph[run.start - 1] !== '\\') open = run
    } else if (run.length === open.length) {
      spans.push({ start: open.start, end: run.start + run.length })
      open = undefined
    }
  }
  return spans
}

/** Whether a line is indented code: at least four spaces after an empty line, and not in a list. */
function isIndentedCode(text: string, at: number): boolean {
  let start = lineStart(text, at)
  if (!/^(?: {4}|\t)/.test(text.slice(start, start + 4))) return false
  let isAfterGap = start === 0
  while (start > 0) {
    const previous = lineStart(text, start - 1)
    const line = text.slice(previous, start - 1)
    if (line.trim() === '') isAfterGap = true
    else if (!/^(?: {4}|\t)/.test(line))
      return isAfterGap && !/^\s*(?:[-*+]|\d{1,9}[.)])\s/.test(line) && !/^\s/.test(line)
    else if (!isAfterGap && /^\s*(?:[-*+]|\d{1,9}[.)])\s/.test(line)) return false
    start = previous
  }
  return isAfterGap
}
