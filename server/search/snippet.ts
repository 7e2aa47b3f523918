import { startOfCharacter } from '#contract/parts/characters.ts'
import { foldToFind } from '#contract/parts/folding.ts'
import { UNSPACED } from '#contract/parts/unspaced.ts'
import type { MarkedText } from '#contract/search.ts'

const SNIPPET_MAX = 220
const BEFORE = 60
const MARKS_MAX = 12
/** A snippet is looked for in the beginning of a text only. */
const READ_MAX = 8_000

/** A character as people see it: a flag, or one with what joins it. */
const cluster =
  /\p{Regional_Indicator}{2}|\P{M}(?:[\p{M}ﾞﾟ\p{Emoji_Modifier}\u{E0020}-\u{E007F}]|\u200D\P{M}?)*/gu
const unspaced = new RegExp(`[${UNSPACED}\\p{Script=Hangul}]`, 'u')
const wordLetter = /[\p{L}\p{N}\p{M}]/u

/** A text that is folded letter by letter, and for each folded character the letter that it comes from. */
type Folded = { text: string; starts: number[]; ends: number[] }

function foldWithPositions(text: string): Folded {
  let result = ''
  const starts: number[] = []
  const ends: number[] = []
  for (const match of text.matchAll(cluster)) {
    const [letters] = match
    const part = foldToFind(letters)
    for (let index = 0; index < part.length; index += 1) {
      starts.push(match.index)
      ends.push(match.index + letters.length)
    }
    result += part
  }
  return { text: result, starts, ends }
}

type Range = { start: number; end: number }

/** Returns where words begin with the wanted ones, or else where these are within words. */
function findRanges({ text, starts, ends }: Folded, wanted: readonly string[]): Range[] {
  const found: Range[] = []
  for (const word of wanted) {
    if (word === '') continue
    const all: Range[] = []
    const atStart: Range[] = []
    for (
      let at = text.indexOf(word);
      at >= 0 && all.length < 200;
      at = text.indexOf(word, at + word.length)
    ) {
      const range = { start: starts[at] ?? 0, end: ends[at + word.length - 1] ?? 0 }
      all.push(range)
      if (unspaced.test(word) || at === 0 || !wordLetter.test(text[at - 1] ?? ' ')) atStart.push(range)
    }
    found.push(...(atStart.length > 0 ? atStart : all))
  }
  const sorted = [...found].sort((a, b) => a.start - b.start || b.end - a.end)
  const merged: Range[] = []
  for (const range of sorted) {
    const last = merged.at(-1)
    if (last && range.start <= last.end) last.end = Math.max(last.end, range.end)
    else merged.push({ ...range })
  }
  return merged
}

const marksOf = (ranges: Range[], from: number, to: number) =>
  ranges
    .filter(({ start, end }) => start >= from && end <= to)
    .slice(0, MARKS_MAX)
    .map(({ start, end }) => ({ start: start - from, length: end - start }))

/** Returns a whole text with its matches. */
export function markTitle(title: string, wanted: readonly string[]): MarkedText {
  return { text: title, marks: marksOf(findRanges(foldWithPositions(title), wanted), 0, title.length) }
}

/** Returns the passage of a text with the first match, or else its beginning. */
export function snippetOf(text: string, wanted: readonly string[]): MarkedText {
  const read = text.slice(0, READ_MAX)
  const ranges = findRanges(foldWithPositions(read), wanted)
  const first = ranges[0]?.start ?? 0
  const from = first <= BEFORE ? 0 : startOfWord(read, first - BEFORE)
  const to = endOfWord(read, Math.min(read.length, from + SNIPPET_MAX))
  const before = from > 0 ? '…' : ''
  const after = to < text.length ? '…' : ''
  const marks = marksOf(ranges, from, to).map((mark) => ({ ...mark, start: mark.start + before.length }))
  return { text: `${before}${read.slice(from, to)}${after}`, marks }
}

/** Moves a position to the beginning of a word, or at least to that of a character. */
function startOfWord(text: string, at: number): number {
  const space = text.indexOf(' ', at)
  return space >= 0 && space - at < 20 ? space + 1 : startOfCharacter(text, at)
}

function endOfWord(text: string, at: number): number {
  if (at >= text.length) return text.length
  const space = text.lastIndexOf(' ', at)
  return space > 0 && at - space < 20 ? space : startOfCharacter(text, at)
}
