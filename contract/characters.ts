/** Whether PostgreSQL and JSON can both carry the text: no NUL, no lone surrogate. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** The text with every line end as LF, as it was typed: a browser's form turns each into CRLF on its way. */
export function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text
}

/** Length as people and PostgreSQL's char_length count it: in code points, not UTF-16 units. */
export function characters(text: string): number {
  return [...text].length
}

/** Bidirectional controls that stay in effect until closed: embeddings, overrides and isolates. */
const TURNS = /[\u{202A}-\u{202E}\u{2066}-\u{2069}]/gu
/** Hebrew, Arabic and their neighbours. */
const RIGHT_TO_LEFT =
  /[\u{0590}-\u{08FF}\u{FB1D}-\u{FDFF}\u{FE70}-\u{FEFC}\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

/** What somebody wrote, so that it turns nothing around that follows it in plain text. */
export function straight(text: string): string {
  return text.replaceAll(TURNS, '')
}

/** What somebody wrote as a part of a sentence of plain text: what runs from right to left ends with itself. */
export function isolated(text: string): string {
  const written = straight(text)
  return RIGHT_TO_LEFT.test(written) ? `\u2068${written}\u2069` : written
}
