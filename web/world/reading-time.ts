const WORDS_A_MINUTE = 220
const SIGNS_A_MINUTE = 500

/** Chinese, Japanese and Korean are counted by the sign: their words are not set apart. */
const signs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu
const words = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu

/** How many minutes it takes to read a text, rounded, and never less than one. */
export function readingMinutes(text: string): number {
  const signCount = text.match(signs)?.length ?? 0
  const wordCount = text.replace(signs, ' ').match(words)?.length ?? 0
  return Math.max(1, Math.round(wordCount / WORDS_A_MINUTE + signCount / SIGNS_A_MINUTE))
}
