import type { Edit } from './edits.ts'

type Range = { start: number; end: number }

/** Marked texts of one line, without marks of the same character within. */
const MARKED = {
  '**': [
    /(?<![\\*])\*\*(?=[^\s*])([^*\n]*[^\s*])\*\*(?!\*)/g,
    /(?<![\\_\w])__(?=[^\s_])([^_\n]*[^\s_])__(?![_\w])/g,
  ],
  '*': [
    /(?<![\\*])\*(?=[^\s*])([^*\n]*[^\s*])\*(?!\*)/g,
    /(?<![\\_\w])_(?=[^\s_])([^_\n]*[^\s_])_(?![_\w])/g,
  ],
} as const

/**
 * Returns the edit that takes a part out of a marked text, as `one` out of `**one two**`; undefined if the part is not within one,
 * or is all of it.
 */
export function unmarkPart(text: string, { start, end }: Range, mark: keyof typeof MARKED): Edit | undefined {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = text.indexOf('\n', end)
  const line = text.slice(lineStart, lineEnd < 0 ? text.length : lineEnd)
  for (const pattern of MARKED[mark])
    for (const { 0: whole, 1: inner = '', index } of line.matchAll(pattern)) {
      const from = lineStart + index
      const [innerStart, innerEnd] = [from + mark.length, from + whole.length - mark.length]
      const isWithin = innerStart <= start && end <= innerEnd && (innerStart < start || end < innerEnd)
      if (!isWithin) continue
      const written = whole.slice(0, mark.length)
      const before = remarked(inner.slice(0, start - innerStart), written)
      const part = text.slice(start, end)
      const after = remarked(inner.slice(end - innerStart), written)
      const at = from + before.length
      return {
        from,
        to: from + whole.length,
        insert: before + part + after,
        start: at,
        end: at + part.length,
      }
    }
  return undefined
}

/** Marks a text without the spaces around it. */
function remarked(text: string, mark: string): string {
  const words = text.trim()
  return words === '' ? text : text.replace(words, () => mark + words + mark)
}
