import { foldToFind } from '#contract/parts/folding.ts'
import { parseSearch, spellingsOf } from '#contract/search-query.ts'
import { splitWords, type Word } from '#server/search/split.ts'

/** A page of a site that its search finds. */
export type SiteDocument = {
  kind: 'entry' | 'milestone'
  title: string
  path: string
  /** The day of an entry. */
  on: string | null
  /** The milestone of an entry. */
  milestone: string | null
  tags: string[]
  text: string
}

/** A document, and its texts as searches compare them. */
type FoldedDocument = { shown: SiteDocument; title: string; text: string; tags: string[] }

const foldDocument = (shown: SiteDocument): FoldedDocument => {
  const title = foldToFind(shown.title)
  const tags = shown.tags.map(foldToFind)
  return { shown, title, tags, text: [title, ...tags, foldToFind(shown.text)].join('\n') }
}

/**
 * Finds the documents of a site that have all words and phrases of a search, and none after a minus sign, by the server's rules: case,
 * accents and the like make no difference, and scripts without spaces are found by their letters. What has the words in its title comes
 * first, then the newest. It looks at some documents after the others, and remembers the best `max`.
 */
export function searchSite(written: string, max: number) {
  const { words, phrases, without, filters } = parseSearch(written)
  const wanted = [...splitWords(foldToFind(words))]
  const exact = phrases.map(foldToFind)
  const unwanted = [...splitWords(foldToFind(without.words))]
  const unwantedPhrases = without.phrases.map(foldToFind)
  const tags = filters.filter(({ name }) => name === 'tag')
  const unknown = filters.filter(({ name }) => name !== 'tag').map(({ written }) => written)
  const isEmpty = wanted.length === 0 && exact.length === 0 && tags.length === 0
  const isFound = ({ text, tags: own }: FoldedDocument) =>
    wanted.every((word) => hasWord(text, word)) &&
    exact.every((phrase) => text.includes(phrase)) &&
    !unwanted.some((word) => hasWord(text, word)) &&
    !unwantedPhrases.some((phrase) => text.includes(phrase)) &&
    tags.every(
      ({ value, isExcluding }) =>
        spellingsOf(foldToFind(value)).some((tag) => own.includes(tag)) !== isExcluding,
    )
  const byRank = (a: Hit, b: Hit) =>
    Number(b.isNamed) - Number(a.isNamed) || (b.shown.on ?? '').localeCompare(a.shown.on ?? '')
  let best: Hit[] = []
  let count = 0
  return {
    look(documents: readonly SiteDocument[]): void {
      if (isEmpty || unknown.length > 0) return
      const found = documents.map(foldDocument).filter(isFound)
      count += found.length
      const hits = found.map(({ shown, title }) => ({
        shown,
        isNamed: wanted.every((word) => hasWord(title, word)),
      }))
      best = [...best, ...hits].sort(byRank).slice(0, max)
    },
    found: () => ({
      hits: best.map(({ shown }) => shown),
      count,
      words: [...wanted.map(({ text }) => text), ...exact],
      unknown,
    }),
  }
}

type Hit = { shown: SiteDocument; isNamed: boolean }

const letter = /[\p{L}\p{N}\p{M}]/u

/** Whether a word of the text begins with this one; in scripts without spaces, whether it is anywhere in the text. */
function hasWord(text: string, { text: word, kind }: Word): boolean {
  if (kind === 'unspaced' || kind === 'hangul') return text.includes(word)
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !letter.test(text.charAt(at - 1))) return true
  }
  return false
}
