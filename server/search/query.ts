import { type Filter, type ParsedSearch, parseSearch } from '#contract/search-query.ts'
import { innerPairs, splitWords, type Word } from './split.ts'
import { folded, quoted } from './words.ts'

const WORDS_MAX = 8

/** A search, ready for the database. */
export type Query = {
  words: Word[]
  /** The folded texts of exact phrases. */
  phrases: string[]
  filters: Filter[]
  /** The literal of a tsquery; null without words and phrases. */
  tsquery: string | null
  /** What keeps a thing out: words, as the literal of a tsquery, and folded phrases. */
  without: Excluded
}

export type Excluded = { tsquery: string | null; phrases: string[] }

/** Compiles a search as it was typed. The last word may be incomplete, unless a space or quotation mark follows it. */
export function compileSearch(written: string): Query {
  const parsed: ParsedSearch = parseSearch(written)
  const words = [...splitWords(folded(parsed.words))].slice(0, WORDS_MAX)
  const phrases = parsed.phrases.map(folded).slice(0, WORDS_MAX)
  const terms = [
    ...words.map((word, index) => termOf(word, index === words.length - 1)),
    ...phrases.flatMap((phrase) => phraseOf([...splitWords(phrase)]) ?? []),
  ]
  return {
    words,
    phrases,
    filters: parsed.filters,
    tsquery: joined(terms),
    without: excludedBy(parsed.without),
  }
}

/** A word that is excluded is complete: `-art` leaves `article`. */
function excludedBy({ words, phrases }: ParsedSearch['without']): Excluded {
  const terms = [...splitWords(folded(words))].slice(0, WORDS_MAX).map((word) => termOf(word, false))
  return {
    tsquery: terms.length === 0 ? null : terms.join(' | '),
    phrases: phrases.map(folded).slice(0, WORDS_MAX),
  }
}

/** Like `compileSearch`, but each word may also be one of other words, such as those that it is a part of or misspells. */
export function widened({ words, phrases }: Query, others: ReadonlyMap<string, string[]>): string | null {
  return joined([
    ...words.map((word, index) => {
      const more = (others.get(word.text) ?? []).map(quoted)
      return `(${[termOf(word, index === words.length - 1), ...more].join(' | ')})`
    }),
    ...phrases.flatMap((phrase) => phraseOf([...splitWords(phrase)]) ?? []),
  ])
}

const joined = (terms: string[]) => (terms.length === 0 ? null : terms.join(' & '))

function termOf(word: Word, isLast: boolean): string {
  const { text, parts, whole, kind } = word
  if (kind === 'unspaced') return phraseOf([word]) ?? quoted(text)
  if (kind === 'code' && whole !== undefined) {
    const isSign = parts.length === 1
    return isSign || !isLast ? quoted(whole) : `${quoted(whole)}:*`
  }
  // One letter is a name of its own: C, R.
  const exact = isLast && text.length > 1 ? `${quoted(text)}:*` : quoted(text)
  const pairs = kind === 'hangul' ? innerPairs(text) : []
  return pairs.length === 0 ? exact : `(${exact} | (${pairs.map(quoted).join(' & ')}))`
}

/** Returns the term of words that follow each other. The last letter of a run is in its last pair; in a text, another may follow it. */
function phraseOf(words: Word[]): string | undefined {
  const parts = words.flatMap(({ parts, kind }) => {
    if (kind !== 'unspaced') return parts.map(quoted)
    const pairs = parts.slice(0, -1)
    return pairs.length > 0 ? pairs.map(quoted) : parts.map((part) => `${quoted(part)}:*`)
  })
  return parts.length === 0 ? undefined : `(${parts.join(' <-> ')})`
}
