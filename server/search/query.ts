import { type Filter, type ParsedSearch, parseSearch } from '#contract/search-query.ts'
import { katakanaOf, stemOf, wordsOf } from './looser.ts'
import { innerPairs, splitWords, type Word } from './split.ts'
import { folded, quoted } from './words.ts'

const WORDS_MAX = 8

/** A search, ready for the database. */
export type Query = {
  words: Word[]
  /** The folded texts of exact phrases. */
  phrases: string[]
  /** The terms of a tsquery that find the phrases. */
  ofPhrases: string[]
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
  const ofPhrases = phrases.flatMap(
    (phrase, index) => phraseOf([...splitWords(phrase)], parsed.isOpen && index === phrases.length - 1) ?? [],
  )
  return {
    words,
    phrases,
    ofPhrases,
    filters: parsed.filters,
    tsquery: joined([...words.map((word, index) => termOf(word, index === words.length - 1)), ...ofPhrases]),
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

/** Returns a tsquery that also finds other words for each word, and the word in another form. */
export function widened({ words, ofPhrases }: Query, others: (word: Word) => string[]): string | null {
  const othersOf = (word: Word, isLast: boolean) =>
    others(word).filter((other) => other !== word.text && !(isLast && other.startsWith(word.text)))
  const wider = words.map((word, index) => {
    const isLast = index === words.length - 1
    return `(${[termOf(word, isLast), ...formsOf(word, isLast), ...othersOf(word, isLast).map(quoted)].join(' | ')})`
  })
  return joined([...wider, ...ofPhrases])
}

const joined = (terms: string[]) => (terms.length === 0 ? null : terms.join(' & '))

function termOf(word: Word, isLast: boolean): string {
  const { text, parts, wholes, kind } = word
  if (kind === 'unspaced') return phraseOf([word]) ?? quoted(text)
  if (kind === 'code') {
    const isSign = parts.length === 1
    return anyOf(wholes.map((whole) => (isSign || !isLast ? quoted(whole) : `${quoted(whole)}:*`)))
  }
  if (kind === 'hangul') {
    const pairs = innerPairs(text)
    return anyOf([`${quoted(text)}:*`, ...(pairs.length > 0 ? [`(${pairs.map(quoted).join(' & ')})`] : [])])
  }
  // One letter is a name of its own: C, R.
  return isLast && text.length > 1 ? `${quoted(text)}:*` : quoted(text)
}

/** Returns terms for the other forms of a word: its parts apart, its stem, or the words of which a run without spaces consists. */
function formsOf(word: Word, isLast: boolean): string[] {
  const { text, parts, kind } = word
  const termsOf = (run: string) => phraseOf([...splitWords(run)]) ?? []
  const allOf = (terms: string[]) => (terms.length === 0 ? [] : [`(${terms.join(' & ')})`])
  if (kind === 'hangul') return [`${quoted(stemOf(text))}:*`]
  if (kind === 'code') return parts.length === 1 ? [] : [phraseOf([word], isLast) ?? []].flat()
  if (kind !== 'unspaced') return []
  return [allOf(wordsOf(text).flatMap(termsOf)), termsOf(katakanaOf(text))].flat()
}

const anyOf = (terms: string[]) => (terms.length === 1 ? terms.join('') : `(${terms.join(' | ')})`)

/**
 * Returns the term of words that follow each other; the last may be incomplete. The last letter of a run is in its last pair; in a text,
 * another may follow it.
 */
function phraseOf(words: Word[], isOpen = false): string | undefined {
  const terms = words.flatMap(({ parts, kind }) => {
    if (kind !== 'unspaced') return parts.map(quoted)
    const pairs = parts.slice(0, -1)
    return pairs.length > 0 ? pairs.map(quoted) : parts.map((part) => `${quoted(part)}:*`)
  })
  if (terms.length === 0) return undefined
  const isPrefix = isOpen && words.at(-1)?.kind !== 'unspaced'
  return `(${terms.join(' <-> ')}${isPrefix ? ':*' : ''})`
}
