const WORDS_A_MINUTE = 220

/** Returns how many minutes a text of this many words takes to read. */
export const minutesToRead = (words: number) => Math.max(1, Math.round(words / WORDS_A_MINUTE))
