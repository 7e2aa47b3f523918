// Separate from the schemas, so that screens need no zod for it.

/** The filters of a search, as they are typed. */
export const FILTERS = ['in', 'tag', 'by', 'before', 'after', 'has', 'is'] as const
export type FilterName = (typeof FILTERS)[number]
export type Filter = { name: FilterName; value: string /** As it was typed. */; written: string }

/** A search as it was typed: words, exact phrases and filters. */
export type ParsedSearch = { words: string; phrases: string[]; filters: Filter[] }

const piece = /(?:\b(in|tag|by|before|after|has|is):(?:"([^"]*)"?|(\S+)))|"([^"]*)"?|(\S+)/gi

/** Splits a search into its words, phrases and filters. */
export function parseSearch(written: string): ParsedSearch {
  const parsed: ParsedSearch = { words: '', phrases: [], filters: [] }
  const words: string[] = []
  for (const [whole, name, quoted, plain, phrase, word] of written.matchAll(piece)) {
    const value = (quoted ?? plain ?? '').trim()
    if (name !== undefined) {
      if (value !== '')
        parsed.filters.push({ name: name.toLowerCase() as FilterName, value, written: whole.trim() })
    } else if (phrase !== undefined) {
      if (phrase.trim() !== '') parsed.phrases.push(phrase.trim())
    } else if (word !== undefined) words.push(word)
  }
  return { ...parsed, words: words.join(' ') }
}
