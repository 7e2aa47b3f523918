const LONE_SURROGATE = /\p{Surrogate}/u

/** Whether PostgreSQL and JSON can store the text: it has no NUL and no lone surrogate. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && !LONE_SURROGATE.test(text)
}

/** Returns the text with LF as line ending, as it was typed: a browser's form sends each as CRLF. */
export function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text
}

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
