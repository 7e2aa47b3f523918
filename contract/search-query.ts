// Separate from the schemas, so that screens need no zod for it.

/** The filters of a search, each as the help writes it. */
export const FILTERS = {
  in: 'in:PROJECT',
  tag: 'tag:NAME',
  by: 'by:NAME or by:me',
  before: 'before:YYYY-MM-DD',
  after: 'after:YYYY-MM-DD',
  has: 'has:picture, has:file',
  is: 'is:draft',
} as const
export type FilterName = keyof typeof FILTERS
export const FILTERS_HELP = Object.values(FILTERS).join(', ')

export type Filter = {
  name: FilterName
  value: string
  /** As it was typed, and where in the search. */
  written: string
  start: number
  /** Whether it was typed with a minus sign, and keeps out what it names. */
  isExcluding: boolean
}

type Terms = { words: string; phrases: string[] }

/** A search as it was typed: words, exact phrases and filters; `without`: words and phrases after a minus sign. */
export type ParsedSearch = Terms & {
  without: Terms
  filters: Filter[]
  /** Whether the last phrase is still being typed: nothing closes it. */
  isOpen: boolean
}

/** Keyboards of phones, and some languages, write these marks instead of plain ones. */
const OPENING = '"＂“”„‟«»「『'
const CLOSING = '"＂“”„‟«»」』'
const quotation = `[${OPENING}]([^${CLOSING}]*)[${CLOSING}]?`
/** A minus sign before a word; two are an option of a program. */
const minus = String.raw`(?<=^|\s)([-−－](?=[^\s\-−－]))?`
const piece = new RegExp(
  String.raw`${minus}(?:\b(${Object.keys(FILTERS).join('|')})[:：](?:${quotation}|(\S*))|${quotation}|(\S+))`,
  'gi',
)

/** Splits a search into its words, phrases and filters. */
export function parseSearch(written: string): ParsedSearch {
  const parsed = { phrases: new Array<string>(), without: new Array<string>(), filters: new Array<Filter>() }
  let isOpen = false
  const words: string[] = []
  const withoutWords: string[] = []
  for (const match of written.matchAll(piece)) {
    const [whole, sign, name, quoted, plain, phrase, word] = match
    const isExcluding = sign !== undefined
    const value = (quoted ?? plain ?? '').trim()
    if (name !== undefined) {
      // One without a value is still being typed.
      if (value !== '')
        parsed.filters.push({
          name: name.toLowerCase() as FilterName,
          value,
          written: whole.trim(),
          start: match.index,
          isExcluding,
        })
    } else if (phrase !== undefined) {
      isOpen = !isExcluding && (whole.length === 1 || !CLOSING.includes(whole.slice(-1)))
      if (phrase.trim() !== '') (isExcluding ? parsed.without : parsed.phrases).push(phrase.trim())
    } else if (word !== undefined) (isExcluding ? withoutWords : words).push(word)
  }
  return {
    words: words.join(' '),
    phrases: parsed.phrases,
    without: { words: withoutWords.join(' '), phrases: parsed.without },
    filters: parsed.filters,
    isOpen,
  }
}

/** Returns a search without one of its filters. */
export const withoutFilter = (search: string, { start, written }: Filter): string =>
  `${search.slice(0, start).trimEnd()} ${search.slice(start + written.length).trimStart()}`.trim()

/** Returns how a tag may be written, given how it was searched for: other products put a `#` before it. */
export function spellingsOf(tag: string): string[] {
  const bare = tag.replace(/^#/, '')
  return [bare, `#${bare}`]
}
