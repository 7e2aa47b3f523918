// Without modules of Node, because the search of an exported site splits by the same rules in a browser.

import { UNSPACED } from '#contract/parts/unspaced.ts'

/** Scripts that are written without spaces: two neighboring letters are a word. */
const unspaced = new RegExp(`^[${UNSPACED}]`, 'u')
const hangul = /^\p{Script=Hangul}+$/u
/** Runs without spaces, or words, which may be joined by signs as in code: `server.config.ts`, `C++`, `it's`. */
const run = new RegExp(
  String.raw`(?:[${UNSPACED}]\p{M}*)+|(?:(?![${UNSPACED}])[\p{L}\p{N}\p{M}\p{S}_](?<![\p{Sm}\p{Sc}\p{Sk}]))+(?:['._\-/:#+](?:(?![${UNSPACED}])[\p{L}\p{N}\p{M}_])+)*(?:\+\+|#(?![\p{L}\p{N}]))?`,
  'gu',
)
const joint = /['._\-/:#+]+/u
const cluster = /\P{M}\p{M}*/gu

/** A word of a text, and how a search for it looks it up. */
export type Word = {
  /** The word as it is written, folded. */
  text: string
  /** What is stored at consecutive positions. */
  parts: string[]
  /** What is stored at the position of the first part: code as a whole, `c++`. */
  whole?: string
  kind: 'word' | 'code' | 'unspaced' | 'hangul'
}

/** A longer run is split, so that its letters are counted in turns. */
const RUN_MAX = 2_000

const pieces = (long: string): string[] => long.match(/[^]{1,2000}/gu) ?? []

/** Splits a folded text into words, by the same rules for what is stored and what is asked. */
export function* splitWords(folded: string): Generator<Word> {
  for (const [long] of folded.matchAll(run))
    for (const text of long.length > RUN_MAX ? pieces(long) : [long]) {
      if (unspaced.test(text)) yield { text, parts: pairsOf(text), kind: 'unspaced' }
      else if (hangul.test(text)) yield { text, parts: [text], kind: 'hangul' }
      else if (joint.test(text)) {
        const parts = text.split(joint).filter((part) => part !== '')
        if (parts.length > 0) yield { text, parts, whole: text, kind: 'code' }
      } else yield { text, parts: [text], kind: 'word' }
    }
}

/** Each letter with the next one; the last stands alone. */
function pairsOf(text: string): string[] {
  const letters = text.match(cluster) ?? []
  return letters.map((letter, index) => letter + (letters[index + 1] ?? ''))
}

/** The pairs within a word, which find it by its middle. */
export const innerPairs = (text: string): string[] => pairsOf(text).slice(0, -1)
