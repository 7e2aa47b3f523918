// Without modules of Node, because the search of an exported site splits by the same rules in a browser.

import { UNSPACED } from '#contract/parts/unspaced.ts'

/** Scripts that are written without spaces: two neighboring letters are a word. */
const unspaced = new RegExp(`^[${UNSPACED}]`, 'u')
const hangul = /^\p{Script=Hangul}+$/u
/** Runs without spaces, or words, which may be joined by signs as in code: `server.config.ts`, `C++`, `it's`, `2,5`. */
const run = new RegExp(
  String.raw`(?:[${UNSPACED}]\p{M}*)+|(?:(?![${UNSPACED}])[\p{L}\p{N}\p{M}\p{S}_](?<![\p{Sm}\p{Sc}\p{Sk}]))+(?:(?:['._\-/:#+]|(?<=\d),(?=\d))(?:(?![${UNSPACED}])[\p{L}\p{N}\p{M}_])+)*(?:\+\+|#(?![\p{L}\p{N}]))?`,
  'gu',
)
const joint = /['._\-/:#+,]+/u
const cluster = /\P{M}\p{M}*/gu

/** A word of a text, and how a search for it looks it up. */
export type Word = {
  /** The word as it is written, folded. */
  text: string
  /** What is stored at consecutive positions. */
  parts: string[]
  /** What is stored at the position of the first part: `c++` as a whole, and how else it is written: `e-mail`, `email`. */
  wholes: string[]
  kind: 'word' | 'code' | 'unspaced' | 'hangul'
}

/** A longer run is split, so that its letters are counted in turns. */
const RUN_MAX = 2_000

const pieces = (long: string): string[] => long.match(/[^]{1,2000}/gu) ?? []

/** Splits a folded text into words, by the same rules for what is stored and what is asked. */
export function* splitWords(folded: string): Generator<Word> {
  for (const [long] of folded.matchAll(run))
    for (const text of long.length > RUN_MAX ? pieces(long) : [long]) {
      if (unspaced.test(text)) yield { text, parts: pairsOf(text), wholes: [], kind: 'unspaced' }
      else if (hangul.test(text)) yield { text, parts: [text], wholes: [], kind: 'hangul' }
      else {
        const written = joinedOrMeasured(text)
        if (written === undefined) yield { text, parts: [text], wholes: [], kind: 'word' }
        else if (written.parts.length > 0) yield { text, ...written, kind: 'code' }
      }
    }
}

/** A number and its unit without a space: `25kg`, `3.5mm`. */
const measure = /^(\d[\d.,]*)(\p{L}+)$/u
const grouped = /^\d{1,3}(?:[.,']\d{3})+$/
/** Without the apostrophe, English short forms would be other words: `she'll`. */
const shortForm = /'(?:ll|re|ve|[a-z])$/

/** Returns the parts of a word that signs join, or of a number with a unit; undefined for any other. */
function joinedOrMeasured(text: string): Pick<Word, 'parts' | 'wholes'> | undefined {
  const [, number, unit = ''] = measure.exec(text) ?? []
  if (number === undefined && !joint.test(text)) return undefined
  const parts = (number ?? text).split(joint).filter((part) => part !== '')
  if (number === undefined) return { parts, wholes: spellingsOf(text) }
  const wholes = [...spellingsOf(text), ...(parts.length > 1 ? spellingsOf(number) : [])]
  return { parts: [...parts, unit], wholes }
}

/** Returns how a joined word is written: as it is, with a decimal point, and in one. */
function spellingsOf(text: string): string[] {
  const isInOne = grouped.test(text) || (/^[^._/:#+,]*$/.test(text) && !shortForm.test(text))
  return [
    ...new Set([text, text.replaceAll(',', '.'), ...(isInOne ? [text.replaceAll(/['\-.,]+/g, '')] : [])]),
  ]
}

/** Each letter with the next one; the last stands alone. */
function pairsOf(text: string): string[] {
  const letters = text.match(cluster) ?? []
  return letters.map((letter, index) => letter + (letters[index + 1] ?? ''))
}

/** The pairs within a word, which find it by its middle. */
export const innerPairs = (text: string): string[] => pairsOf(text).slice(0, -1)
