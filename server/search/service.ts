import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import { HIT_PAGES_MAX, HITS_PER_PAGE } from '#contract/parts/list-options.ts'
import type { SearchHit, SearchResult, searchCalls } from '#contract/search.ts'
import type { Filter } from '#contract/search-query.ts'
import type { Db } from '#server/database/rows.ts'
import { type OwnProject, projectsOf } from '#server/permissions/access.ts'
import { type Caller, clientOf } from '#server/platform/api/calls.ts'
import type { RunSearch } from '#server/platform/limits/search.ts'
import { compileSearch, type Query, widened } from './query.ts'
import { markTitle, snippetOf } from './snippet.ts'
import {
  type Candidate,
  type Candidates,
  findCandidates,
  findOtherWords,
  type HitRow,
  isWaiting,
  listWriters,
  readHits,
} from './store.ts'
import { textOfHtml } from './text.ts'
import { folded } from './words.ts'

/** With fewer matches, parts of words and misspelled words are looked for too. */
const FEW = 5
const PART_MIN = 2
const WIDENED_MIN = 4
/** Words that are looked up beside the typed ones, each. */
const OTHERS_MAX = 60

/** A project in which somebody searches. */
type SearchedProject = Pick<OwnProject, 'id' | 'title'>

/** Who searches; null for a visitor. */
type Reader = { userId: string | null }

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
  const query = compileSearch(q)
  return run(clientOf(caller), async (snapshot) => {
    const projects = await projectsOf(snapshot, caller)
    const { values, unknown } = await resolveFilters(snapshot, caller, { filters: query.filters, projects })
    const wanted: Candidates = {
      reader: caller.userId,
      tsquery: query.tsquery,
      phrases: query.phrases,
      parts: [],
      kinds: kind === undefined ? null : [kind],
      ...values,
      without: { ...query.without, ...values.without },
      offset: (page - 1) * HITS_PER_PAGE,
      limit: HITS_PER_PAGE + 1,
    }
    const isEmpty = unknown.length > 0 || (q !== '' && isWordless(query))
    const { found, words } = isEmpty ? { found: [], words: [] } : await find(snapshot, query, wanted)
    const shown = found.slice(0, HITS_PER_PAGE)
    return {
      hits: await present(snapshot, caller, { shown, words: [...words, ...query.phrases], projects }),
      page,
      hasNext: found.length > HITS_PER_PAGE && page < HIT_PAGES_MAX,
      unknown,
      isIndexing: await isWaiting(snapshot),
    }
  })
}

/** The filters that visitors have: others would tell who the members are, or name what is not public. */
const VISITORS_FILTERS: ReadonlySet<Filter['name']> = new Set(['tag', 'before', 'after', 'has'])

/**
 * Searches the milestones and published entries of a project as a visitor. Whoever calls this has found that the project is
 * public, in the same snapshot.
 */
export async function searchAsVisitor(
  snapshot: Db,
  project: SearchedProject,
  { q, page }: { q: string; page: number },
): Promise<SearchResult> {
  const query = compileSearch(q)
  const allowed = query.filters.filter(({ name }) => VISITORS_FILTERS.has(name))
  const others = query.filters.filter(({ name }) => !VISITORS_FILTERS.has(name))
  const reader = { userId: null }
  const { values, unknown } = await resolveFilters(snapshot, reader, {
    filters: allowed,
    projects: [project],
  })
  const wanted: Candidates = {
    reader: null,
    tsquery: query.tsquery,
    phrases: query.phrases,
    parts: [],
    kinds: ['milestone', 'entry'],
    ...values,
    without: { ...query.without, ...values.without },
    offset: (page - 1) * HITS_PER_PAGE,
    limit: HITS_PER_PAGE + 1,
  }
  const hasUnknown = unknown.length > 0 || others.length > 0
  const { found, words } =
    hasUnknown || (q !== '' && isWordless(query))
      ? { found: [], words: [] }
      : await find(snapshot, query, wanted)
  return {
    hits: await present(snapshot, reader, {
      shown: found.slice(0, HITS_PER_PAGE),
      words: [...words, ...query.phrases],
      projects: [project],
    }),
    page,
    hasNext: found.length > HITS_PER_PAGE && page < HIT_PAGES_MAX,
    unknown: [...others.map(({ written }) => written), ...unknown],
    isIndexing: await isWaiting(snapshot),
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
  const others = new Map<string, string[]>()
  for (const { text, kind } of query.words)
    if (kind !== 'unspaced' && text.length >= WIDENED_MIN && !others.has(text))
      others.set(text, (await findOtherWords(db, text)).slice(0, OTHERS_MAX))
  const more = await findCandidates(db, {
    ...wanted,
    tsquery: widened(query, others),
    parts: words.every((word) => word.length >= PART_MIN) ? words : [],
  })
  // What was found by the words as they are typed stays first.
  const known = new Set(found.map(({ id }) => id))
  const all = [...found, ...more.filter(({ id }) => !known.has(id))].slice(0, wanted.limit)
  // Of a word that contains a typed one, the typed letters are marked.
  const slips = [...others].flatMap(([typed, found]) => found.filter((word) => !word.includes(typed)))
  return { found: all, words: [...words, ...slips] }
}

type Resolved = Pick<
  Candidates,
  'projectIds' | 'tags' | 'writers' | 'before' | 'after' | 'has' | 'isDraft'
> & {
  without: Pick<Candidates['without'], 'tags' | 'writers' | 'has'>
}

/** Resolves the filters of a search. `unknown` are those that name nothing. */
async function resolveFilters(
  db: Db,
  { userId }: Reader,
  { filters, projects }: { filters: Filter[]; projects: SearchedProject[] },
): Promise<{ values: Resolved; unknown: string[] }> {
  const unknown: string[] = []
  const of = (name: Filter['name'], isExcluding = false) =>
    filters.filter((filter) => filter.name === name && filter.isExcluding === isExcluding)
  const both = (name: Filter['name']) => filters.filter((filter) => filter.name === name)
  let ids = projects.map(({ id }) => id)
  for (const { value, written, isExcluding } of both('in')) {
    const named = new Set(projectsNamed(projects, value))
    if (named.size === 0 && !isExcluding) unknown.push(written)
    ids = ids.filter((id) => named.has(id) !== isExcluding)
  }
  let writers: string[] | null = null
  const excludedWriters: string[] = []
  for (const { value, written, isExcluding } of both('by')) {
    const wanted = folded(value).replace(/^@/, '')
    const named =
      wanted === 'me'
        ? userId === null
          ? []
          : [userId]
        : (await listWriters(db, ids)).flatMap(({ id, name }) => (folded(name).includes(wanted) ? id : []))
    if (named.length === 0 && !isExcluding) unknown.push(written)
    if (isExcluding) excludedWriters.push(...named)
    else writers = writers === null ? named : writers.filter((id) => named.includes(id))
  }
  const dayOf = (name: 'before' | 'after', opposite: 'before' | 'after') =>
    [...of(name), ...of(opposite, true)].map(({ value, written }) => {
      const day = dayOfText(value)
      if (day === undefined) unknown.push(written)
      return day
    })[0] ?? null
  const has = (isExcluding: boolean) =>
    of('has', isExcluding).map(({ value, written }) => {
      const wanted = folded(value).replace(/s$/, '')
      const known = wanted === 'image' || wanted === 'photo' ? 'picture' : wanted
      if (known !== 'picture' && known !== 'file') unknown.push(written)
      return known
    })
  for (const { value, written } of both('is')) if (folded(value) !== 'draft') unknown.push(written)
  const drafts = both('is').map(({ isExcluding }) => !isExcluding)
  return {
    values: {
      projectIds: ids,
      tags: of('tag').map(({ value }) => folded(value)),
      writers,
      before: dayOf('before', 'after'),
      after: dayOf('after', 'before'),
      has: has(false),
      isDraft: drafts[0] ?? null,
      without: {
        tags: of('tag', true).map(({ value }) => folded(value)),
        writers: excludedWriters,
        has: has(true),
      },
    },
    unknown: filters.flatMap(({ written }) => (unknown.includes(written) ? written : [])),
  }
}

/** Returns the projects with this title or id, or else those whose title contains the text. */
function projectsNamed(projects: SearchedProject[], value: string): string[] {
  const wanted = folded(value)
  const exact = projects.filter(({ id, title }) => id === wanted || folded(title) === wanted)
  const named = exact.length > 0 ? exact : projects.filter(({ title }) => folded(title).includes(wanted))
  return named.map(({ id }) => id)
}

const yearFirst = /^(?<year>\d{4})(?:[-/.](?<month>\d\d?))?(?:[-/.](?<day>\d\d?))?$/
const dayFirst = /^(?<day>\d\d?)\.(?<month>\d\d?)\.(?<year>\d{4})$/

/**
 * Returns the first day of a year, a month or a day as people write them; undefined if it is none. Of a date with slashes nobody knows
 * whether the month is first.
 */
function dayOfText(value: string): string | undefined {
  const {
    year = '',
    month = '01',
    day = '01',
  } = (yearFirst.exec(value) ?? dayFirst.exec(value))?.groups ?? {}
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${text}T00:00:00Z`)
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text ? undefined : text
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
