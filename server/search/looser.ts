import type { Word } from './split.ts'

/** Particles of one syllable. Longer words lose up to two, which may also be an ending. */
const ENDING = /(?<=..)..?$|(?<=.)[은는이가을를에의도와과로만]$/u

/** Returns what is left of a Korean word without its particle or ending: 학교에서, 학교. */
export const stemOf = (text: string): string => text.replace(ENDING, '')

const words = new Intl.Segmenter('ja', { granularity: 'word' })
const isHiragana = /^[\p{Script=Hiragana}ー]+$/u
/** What changes at the end of a word: 高い and 高かった, プリンター and プリンタ. */
const inflected = /(?<=\p{Script=Han})\p{Script=Hiragana}+$|(?<=..)ー$/u

/** Splits a run of a script without spaces into its words, by a dictionary and without their endings: 京都の椅子, 京都 and 椅子. */
export function wordsOf(run: string): string[] {
  const found = Array.from(words.segment(run), ({ segment }) => segment.replace(inflected, ''))
  const telling = found.filter((word) => !isHiragana.test(word))
  return telling.length > 0 ? telling : [run]
}

/** How long the beginning is that two forms of a word share. */
const STEM_MIN = 4
export const ENDING_MAX = 3

/** Returns what the other forms of a word begin with: мастерская, мастерской. */
export const beginningOf = (word: string): string =>
  Array.from(word)
    .slice(0, Math.max(STEM_MIN, Array.from(word).length - ENDING_MAX))
    .join('')

/** Returns what to mark of a text that another form of a word may have found. */
export function marksOf({ text, parts, kind }: Word): string[] {
  if (kind === 'unspaced') return [...wordsOf(text), katakanaOf(text)]
  if (kind === 'hangul') return [stemOf(text)]
  return kind === 'code' ? parts.filter((part) => part.length > 1) : []
}

/** Returns a run as it is written with the other letters of the same sounds: こーひー, コーヒー. */
export const katakanaOf = (run: string): string =>
  run.replaceAll(/[ぁ-ゖ]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0x60))
