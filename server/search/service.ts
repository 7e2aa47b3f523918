import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import { HIT_PAGES_MAX, HITS_PER_PAGE } from '#contract/parts/list-options.ts'
import type { SearchHit, SearchResult, searchCalls } from '#contract/search.ts'
import type { FilterName } from '#contract/search-query.ts'
import type { Db } from '#server/database/rows.ts'
import { textOfHtml } from '#server/markdown/html-text.ts'
import { projectsOf } from '#server/permissions/access.ts'
import { type Caller, clientOf } from '#server/platform/api/calls.ts'
import type { RunSearch } from '#server/platform/limits/search.ts'
import { type Candidate, type Candidates, findCandidates } from './candidates-store.ts'
import { type Reader, resolveFilters, type SearchedProject } from './filters.ts'
import { marksOf } from './looser.ts'
import { compileSearch, type Query, widened } from './query.ts'
import { markTitle, snippetOf } from './snippet.ts'
import type { Word } from './split.ts'
import { findOtherWords, type HitRow, readHits, readIndexState } from './store.ts'

/** With fewer matches, parts of words and misspelled words are looked for too. */
const FEW = 5
const PART_MIN = 2
const WIDENED_MIN = 4
/** Words that are looked up beside the typed ones, each. */
const OTHERS_MAX = 60

type SearchQuery = z.output<(typeof searchCalls.search)['query']>

/**
 * Searches everything that the caller may see: the projects of which they are a member, without what is in the trash and drafts
 * of others. Throws `unavailable`, or `too_many_requests`.
 */
export function search(
  caller: Caller,
  { q = '', kind, page }: SearchQuery,
  run: RunSearch,
): Promise<SearchResult> {
  return run(clientOf(caller), async (snapshot) =>
    searchIn(snapshot, {
      reader: caller,
      projects: await projectsOf(snapshot, caller),
      kinds: kind === undefined ? null : [kind],
      q,
      page,
    }),
  )
}

/** The filters that visitors have: others would tell who the members are, or name what is not public. */
const VISITORS_FILTERS: ReadonlySet<FilterName> = new Set(['tag', 'before', 'after', 'has'])

/**
 * Searches the milestones and published entries of a project as a visitor. Whoever calls this has found that the project is
 * public, in the same snapshot.
 */
export function searchAsVisitor(
  snapshot: Db,
  project: SearchedProject,
  { q, page }: { q: string; page: number },
): Promise<SearchResult> {
  return searchIn(snapshot, {
    reader: { userId: null },
    projects: [project],
    kinds: ['milestone', 'entry'],
    allowed: VISITORS_FILTERS,
    q,
    page,
  })
}

type Search = {
  reader: Reader
  projects: SearchedProject[]
  /** Null: all. */
  kinds: SearchHit['kind'][] | null
  /** By default all filters. */
  allowed?: ReadonlySet<FilterName>
  q: string
  page: number
}

async function searchIn(
  db: Db,
  { reader, projects, kinds, allowed, q, page }: Search,
): Promise<SearchResult> {
  const query = compileSearch(q)
  const refused = query.filters.filter(({ name }) => allowed?.has(name) === false)
  const filters = query.filters.filter((filter) => !refused.includes(filter))
  const { values, unknown } = await resolveFilters(db, reader, { filters, projects })
  const { documents, projects: known, isWaiting } = await readIndexState(db)
  const seesMost = filters.length === 0 && kinds === null && known > 0 && projects.length > known / 2
  const wanted: Candidates = {
    reader: reader.userId,
    tsquery: query.tsquery,
    close: null,
    phrases: query.phrases,
    parts: [],
    kinds,
    ...values,
    ofMost: seesMost && documents > 0 ? documents : null,
    without: { ...query.without, ...values.without },
    offset: (page - 1) * HITS_PER_PAGE,
    limit: HITS_PER_PAGE + 1,
  }
  const isEmpty = unknown.length > 0 || refused.length > 0 || (q !== '' && isWordless(query))
  const { found, words } = isEmpty ? { found: [], words: [] } : await find(db, query, wanted)
  return {
    hits: await present(db, reader, {
      shown: found.slice(0, HITS_PER_PAGE),
      words: [...words, ...query.phrases],
      projects,
    }),
    page,
    hasNext: found.length > HITS_PER_PAGE && page < HIT_PAGES_MAX,
    unknown: [...refused.map(({ written }) => written), ...unknown],
    isIndexing: isWaiting,
  }
}

/** Whether only signs were typed. */
const isWordless = ({ words, phrases, filters, without }: Query) =>
  words.length === 0 &&
  phrases.length === 0 &&
  filters.length === 0 &&
  without.tsquery === null &&
  without.phrases.length === 0

/** Returns candidates, and the words to mark in them. */
async function find(
  db: Db,
  query: Query,
  wanted: Candidates,
): Promise<{ found: Candidate[]; words: string[] }> {
  const words = query.words.map(({ text }) => text)
  const found = await findCandidates(db, wanted)
  if (query.words.length === 0 || found.length >= FEW || wanted.offset > 0) return { found, words }
  const others = await findOthers(db, query.words)
  const more = await findCandidates(db, {
    ...wanted,
    tsquery: widened(query, ({ text }) => others.get(text)?.all ?? []),
    close: widened(query, ({ text }) => others.get(text)?.close ?? []),
    parts: words.every((word) => word.length >= PART_MIN) ? words : [],
  })
  // What was found by the words as they are typed stays first.
  const known = new Set(found.map(({ id }) => id))
  const all = [...found, ...more.filter(({ id }) => !known.has(id))].slice(0, wanted.limit)
  // Of a word that contains a typed one, the typed letters are marked.
  const slips = [...others].flatMap(([typed, { all }]) => all.filter((word) => !word.includes(typed)))
  return { found: all, words: [...words, ...query.words.flatMap(marksOf), ...slips] }
}

/** Returns the words to look for beside each word, and those among them that differ from it least. */
async function findOthers(db: Db, words: Word[]): Promise<Map<string, { close: string[]; all: string[] }>> {
  const others = new Map<string, { close: string[]; all: string[] }>()
  for (const { text, kind } of words) {
    if (kind === 'unspaced' || text.length < WIDENED_MIN || others.has(text)) continue
    const { close, similar } = await findOtherWords(db, text)
    others.set(text, { close, all: [...close, ...similar].slice(0, OTHERS_MAX) })
  }
  return others
}

type Shown = { shown: Candidate[]; words: string[]; projects: SearchedProject[] }

async function present(db: Db, { userId }: Reader, { shown, words, projects }: Shown): Promise<SearchHit[]> {
  if (shown.length === 0) return []
  const rows = await readHits(db, {
    ids: shown.map(({ id }) => id),
    reader: userId,
    around: words[0] ?? '',
  })
  const titles = new Map(projects.map(({ id, title }) => [id, title]))
  const hits: SearchHit[] = []
  for (const { id } of shown) {
    const row = rows.get(id)
    const project = row && titles.get(row.project_id)
    if (row && project !== undefined) hits.push(presentHit(row, project, words))
    // A snippet is folded letter by letter.
    await setImmediate()
  }
  return hits
}

function presentHit(row: HitRow, projectTitle: string, words: string[]): SearchHit {
  return {
    kind: row.kind,
    _id: row.id,
    title: markTitle(row.title, words),
    snippet: snippetOf(textOf(row), words),
    project: { _id: row.project_id, title: projectTitle },
    milestone: row.milestone_id === null ? null : { _id: row.milestone_id, title: row.milestone_title ?? '' },
    tags: row.tags,
    author: row.author_name === null ? null : { name: row.author_name },
    happenedAt: row.happened_at.toISOString(),
    happenedOn: row.happened_on,
    isDraft: row.is_draft,
  }
}

/** The part of the HTML that was read may begin and end within a tag. */
function textOf({ text, html, html_from }: HitRow): string {
  if (html === null) return text.replace(/\s+/g, ' ').trim()
  const whole = html_from > 1 ? html.replace(/^[^<]*?>/, '') : html
  return textOfHtml(whole.replace(/<[^>]*$/, ''))
}
