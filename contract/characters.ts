/** Whether PostgreSQL and JSON can both carry the text: no NUL, no lone surrogate. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** Length as people and PostgreSQL's char_length count it: in code points, not UTF-16 units. */
export function characters(text: string): number {
  return [...text].length
}
