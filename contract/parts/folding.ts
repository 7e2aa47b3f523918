/** Letters without a decomposition, each as the letters by which people look for it. */
const REPLACED: { [letter: string]: string } = {
  ß: 'ss',
  ı: 'i',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ħ: 'h',
  ŧ: 't',
  ς: 'σ',
  ё: 'е',
  '’': "'",
  '‘': "'",
  ʼ: "'",
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
}
const replaceable = /[ßıłøđðþæœħŧςё’‘ʼأإآٱىیکة]/g

/** Soft hyphens, marks of width and direction, variation selectors, tatweel, and the marks and points of Arabic and Hebrew. */
const IGNORED =
  // oxlint-disable-next-line no-misleading-character-class -- each is removed by itself
  /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF\uFE00-\uFE0F\u{E0100}-\u{E01EF}\u0640\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E8\u06EA-\u06ED\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7]/gu
const ACCENTED = /([\p{Script=Latin}\p{Script=Greek}])\p{Mn}+/gu

const replaced = (text: string) => text.replace(replaceable, (letter) => REPLACED[letter] ?? letter)

/**
 * Returns a text in the form in which searches compare: without case, accents of Latin and Greek letters and invisible marks, and
 * the same for composed and decomposed letters. Folding twice changes nothing more. Marks of other scripts stay, as in й and が.
 */
export function fold(text: string): string {
  // oxlint-disable-next-line no-control-regex -- all of ASCII
  if (/^[\0-\x7F]*$/.test(text)) return text.toLowerCase()
  const lower = text.normalize('NFKC').toLowerCase()
  const plain = replaced(lower).replace(IGNORED, '')
  return replaced(plain.normalize('NFD').replace(ACCENTED, '$1').normalize('NFC'))
}

/** The same sign under other names, digits of other scripts, and what Hindi writes in two ways: हिन्दी, हिंदी. */
const VARIANTS = /[‐-–−⁄×]|(?=[\u0660-\uABF9])\p{Nd}|[ङञणनम]\u094D|[\u0901\u093C]/gu
const PLAIN: { [letter: string]: string } = { '⁄': '/', '×': 'x', '\u093C': '', '\u0901': '\u0902' }

const plainOf = (letters: string): string => {
  if (/\p{Nd}/u.test(letters)) return digitOf(letters.codePointAt(0) ?? 0)
  if (letters.length === 2) return '\u0902'
  return PLAIN[letters] ?? '-'
}

/** The digits of a script are consecutive, from a code point that ends with 0 or 6; two old scripts beyond these differ. */
const digitOf = (code: number): string =>
  String((code & 15) - (/\p{Nd}/u.test(String.fromCodePoint(code & ~15)) ? 0 : 6))

/** Like `fold`, for the search over everything, which also ignores how signs, digits and sounds are written. */
export function foldToFind(text: string): string {
  const folded = fold(text)
  // oxlint-disable-next-line no-control-regex -- all of ASCII
  return /^[\0-\x7F]*$/.test(folded) ? folded : folded.replace(VARIANTS, plainOf)
}
