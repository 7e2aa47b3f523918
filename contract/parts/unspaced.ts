/** The letters of scripts that put no spaces between words, for the brackets of a regular expression. */
export const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々〆\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`
