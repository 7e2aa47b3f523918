const LONE_SURROGATE = /\p{Surrogate}/u

/** Whether PostgreSQL and JSON can store the text: it has no NUL and no lone surrogate. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && !LONE_SURROGATE.test(text)
}

/** Returns the text with LF as line ending, as it was typed: a browser's form sends each as CRLF. */
export function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text
}

/** Returns the text as one line: line breaks become spaces. */
export const withoutLineBreaks = (text: string): string => text.replaceAll(/[\n\u2028\u2029]+/g, ' ')

/** Returns the text without the mark of its encoding, which some programs write at the beginning of a file. */
export const withoutByteOrderMark = (text: string): string => text.replace(/^\uFEFF+/, '')

/** Returns the text with composed letters: é as one, however it was typed. */
export const composed = (text: string): string => text.normalize('NFC')

/** Returns the length in code points, as people and PostgreSQL's char_length count it, not in UTF-16 units. */
export function characters(text: string): number {
  return [...text].length
}

/** Bidirectional controls that stay in effect until closed: embeddings, overrides and isolates. */
const BIDI_CONTROLS = /[\u{202A}-\u{202E}\u{2066}-\u{2069}]/gu
/** Hebrew, Arabic and other right-to-left scripts. */
const RIGHT_TO_LEFT =
  /[\u{0590}-\u{08FF}\u{FB1D}-\u{FDFF}\u{FE70}-\u{FEFC}\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

/** Removes bidirectional controls from a user's text, which would change the direction of the plain text after it. */
export function withoutBidiControls(text: string): string {
  return text.replaceAll(BIDI_CONTROLS, '')
}

/** Returns a user's text for use inside a plain-text sentence: right-to-left text is isolated from the rest. */
export function isolateBidi(text: string): string {
  const written = withoutBidiControls(text)
  return RIGHT_TO_LEFT.test(written) ? `\u2068${written}\u2069` : written
}

/**
 * Characters without a shape of their own: spaces, controls, soft hyphens, marks of direction, variation selectors, tags, fillers
 * and the Braille blank.
 */
const INVISIBLE =
  /^[\s\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\u{2800}\u{FFF9}-\u{FFFB}\u{16FE4}\u{1D159}]*$/u

/** Whether nothing of the text can be seen. Such a text counts as missing. */
export function isBlank(text: string): boolean {
  return INVISIBLE.test(text)
}

// oxlint-disable-next-line no-restricted-properties -- its absence is handled; Firefox has had it since 125
const segmenter = 'Segmenter' in Intl ? new Intl.Segmenter('en', { granularity: 'grapheme' }) : undefined

/** The longest character as people see it, in code points; a longer sequence of marks is cut. Flags of regions have 14. */
const CHARACTER_MAX = 40

/**
 * Returns at most the first `max` code points of a text, cut between characters as people see them: no emoji, flag or accent
 * loses a part. It reads only as much as it returns.
 */
export function firstCharacters(text: string, max: number): string {
  // Within the character after the limit, the slice may end anywhere: that one is left out.
  const points = Array.from(text.slice(0, 2 * (max + CHARACTER_MAX)))
  if (points.length <= max) return text
  const start = points.join('')
  const limit = points.slice(0, max).join('').length
  if (!segmenter) return start.slice(0, limit)
  let end = 0
  for (const { index, segment } of segmenter.segment(start)) {
    if (index + segment.length > limit) break
    end = index + segment.length
  }
  return start.slice(0, end > 0 || max === 0 ? end : limit)
}

/** Returns where the character begins, as people see it, that a position in a text is in. */
export const startOfCharacter = (text: string, at: number): number =>
  segmenter?.segment(text).containing(at)?.index ?? at

/** Returns the first visible character as people see it, for the initial of a name; empty without one. */
export function firstVisible(text: string): string {
  const start = text.slice(0, 8 * CHARACTER_MAX)
  const all = segmenter ? segmenter.segment(start) : [...start].map((segment) => ({ segment }))
  for (const { segment } of all) if (!isBlank(segment)) return segment
  return ''
}

/** Returns a text of at most `max` code points, with an ellipsis in the place of what is cut. */
export const withEllipsis = (text: string, max: number): string =>
  text.length <= max || characters(text) <= max ? text : `${firstCharacters(text, max - 1).trimEnd()}…`

/** What is between tags that are typed or pasted as one text: a comma, as each script writes it, or the end of a line or cell. */
export const BETWEEN_TAGS = /[,，、،\n\t]/
