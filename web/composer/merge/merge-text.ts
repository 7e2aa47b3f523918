import { diff3MergeRegions, diffIndices } from 'node-diff3'

/** Two versions of one part of a text, one of which a person has to choose. */
export type Conflict = { mine: string; theirs: string }

/** A part of a merged text: merged text, or a conflict. */
export type Piece = { same: string } | Conflict

export const isConflict = (piece: Piece): piece is Conflict => 'mine' in piece

/** The maximum number of words that are compared one by one. */
const TOKENS_MAX = 4_000

/**
 * Merges two texts with their common `base` by lines, and lines that both changed by words. Changes of only one side are
 * applied; passages that both changed differently are conflicts. Without a base (null) every difference is a conflict.
 */
export function mergeText(base: string | null, mine: string, theirs: string): Piece[] {
  if (mine === theirs) return [{ same: mine }]
  if (base === null) return compareLines(linesOf(mine), linesOf(theirs))
  if (base === mine) return [{ same: theirs }]
  if (base === theirs) return [{ same: mine }]
  const lines = [linesOf(base), linesOf(mine), linesOf(theirs)] as const
  const texts = [wordsOf(base), wordsOf(mine), wordsOf(theirs)] as const
  const pieces = mergeLines(...lines)
  const settled = pieces.map((piece) => (isConflict(piece) ? '' : piece.same)).join('\n')
  return bringsBack(wordsOf(settled), ...texts) ? compareLines(lines[1], lines[2]) : pieces
}

/**
 * Whether the merged text contains words that one of the two deleted, because the other one moved them or their context was
 * matched elsewhere.
 */
function bringsBack(settled: string[], base: string[], mine: string[], theirs: string[]): boolean {
  const [kept, keptByThem, deleted] = [new Set(mine), new Set(theirs), new Set(base)]
  return settled.some(
    (word) => deleted.has(word) && !(kept.has(word) && keptByThem.has(word)) && /[\p{L}\p{N}]/u.test(word),
  )
}

/**
 * Splits a text into lines, each with its end and the empty lines after it; the first one also with those before it.
 * Separate empty lines are all equal, and would be matched with each other.
 */
const linesOf = (text: string): string[] => text.match(/^\n*[^\n]*\n*|[^\n]+\n*/g)?.filter(Boolean) ?? []

function mergeLines(base: string[], mine: string[], theirs: string[]): Piece[] {
  const { before, after } = commonEnds(base, mine, theirs)
  const middle = ([base, mine, theirs] as const).map((lines) => lines.slice(before, lines.length - after))
  const [o = [], a = [], b = []] = middle
  const pieces: Piece[] = [{ same: base.slice(0, before).join('') }]
  for (const region of diff3MergeRegions(a, o, b)) {
    if (region.stable) pieces.push({ same: region.bufferContent.join('') })
    else pieces.push(...mergeRegion(region.oContent, region.aContent, region.bContent))
  }
  pieces.push({ same: base.slice(base.length - after).join('') })
  return joined(pieces)
}

/** The number of lines that all three texts begin and end with, which the slow search for common lines can skip. */
function commonEnds(base: string[], mine: string[], theirs: string[]) {
  const shortest = Math.min(base.length, mine.length, theirs.length)
  let before = 0
  while (before < shortest && base[before] === mine[before] && base[before] === theirs[before]) before += 1
  let after = 0
  const isSame = (back: number) => base.at(-back) === mine.at(-back) && base.at(-back) === theirs.at(-back)
  while (after < shortest - before && isSame(after + 1)) after += 1
  return { before, after }
}

/** Merges lines that both changed; line by line if nobody added, removed or moved one. */
function mergeRegion(base: string[], mine: string[], theirs: string[]): Piece[] {
  if (isLineByLine(base, mine) && isLineByLine(base, theirs))
    return base.map((line, index) => mergePassage(line, mine[index] ?? '', theirs[index] ?? ''))
  return [mergePassage(base.join(''), mine.join(''), theirs.join(''))]
}

const isLineByLine = (base: string[], changed: string[]) =>
  base.length === changed.length &&
  diffIndices(base, changed).every(
    ({ buffer1: [at, length], buffer2: [there, many] }) => at === there && length === many,
  )

function mergePassage(base: string, mine: string, theirs: string): Piece {
  if (mine === theirs || base === theirs) return { same: mine }
  if (base === mine) return { same: theirs }
  const merged = mergeWords(wordsOf(base), wordsOf(mine), wordsOf(theirs))
  return merged === null ? { mine, theirs } : { same: merged }
}

// oxlint-disable-next-line no-restricted-properties -- its absence is handled; Firefox has had it since 125
const segmenter = 'Segmenter' in Intl ? new Intl.Segmenter('und', { granularity: 'word' }) : undefined

/** Splits a text into words and the characters between them. */
const wordsOf = (text: string): string[] =>
  segmenter
    ? Array.from(segmenter.segment(text), ({ segment }) => segment)
    : (text.match(/[\p{L}\p{N}\p{M}]+|[^]/gu) ?? [])

/** Merges a passage by words; returns null if both changed the same words, or most of them. */
function mergeWords(base: string[], mine: string[], theirs: string[]): string | null {
  if (base.length + mine.length + theirs.length > TOKENS_MAX) return null
  // A rewrite by one person is not mixed with corrections by the other.
  if (keptOf(base, mine) < 0.5 || keptOf(base, theirs) < 0.5) return null
  const regions = diff3MergeRegions(mine, base, theirs)
  let merged = ''
  for (const region of regions) {
    if (region.stable) merged += region.bufferContent.join('')
    else if (region.aContent.join('') === region.bContent.join('')) merged += region.aContent.join('')
    else return null
  }
  return bringsBack(wordsOf(merged), base, mine, theirs) ? null : merged
}

/** The share of unchanged words. */
function keptOf(base: string[], changed: string[]): number {
  const isWord = (token: string) => token.trim() !== ''
  const words = base.filter(isWord).length
  if (words === 0) return 1
  const lost = diffIndices(base, changed).flatMap(({ buffer1Content }) => buffer1Content.filter(isWord))
  return 1 - lost.length / words
}

function compareLines(mine: string[], theirs: string[]): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const { buffer1, buffer1Content, buffer2Content } of diffIndices(mine, theirs)) {
    const [start, length] = buffer1
    pieces.push({ same: mine.slice(at, start).join('') })
    pieces.push({ mine: buffer1Content.join(''), theirs: buffer2Content.join('') })
    at = start + length
  }
  pieces.push({ same: mine.slice(at).join('') })
  return joined(pieces)
}

/** Joins adjacent pieces of one kind, so that there are few conflicts. */
function joined(pieces: readonly Piece[]): Piece[] {
  const result: Piece[] = []
  for (const piece of pieces) {
    const last = result.at(-1)
    if (!isConflict(piece) && piece.same === '') continue
    if (last && isConflict(last) && isConflict(piece)) {
      last.mine += piece.mine
      last.theirs += piece.theirs
    } else if (last && !isConflict(last) && !isConflict(piece)) last.same += piece.same
    else result.push({ ...piece })
  }
  return result
}
