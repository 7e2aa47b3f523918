/** A text and its selection. */
export type Selected = { text: string; start: number; end: number }

/** Replaces `from`–`to` by `insert`, then selects `start`–`end`. */
export type Edit = { from: number; to: number; insert: string; start: number; end: number }

/** Returns the text after an edit. */
export function edited(text: string, { from, to, insert }: Edit): string {
  return text.slice(0, from) + insert + text.slice(to)
}
