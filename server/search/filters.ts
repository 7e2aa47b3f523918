import { day as calendarDay } from '#contract/parts/dates.ts'
import type { Filter } from '#contract/search-query.ts'
import type { Db } from '#server/database/rows.ts'
import type { OwnProject } from '#server/permissions/access.ts'
import type { Candidates } from './candidates-store.ts'
import { listWriters } from './store.ts'
import { folded } from './words.ts'

/** A project in which somebody searches. */
export type SearchedProject = Pick<OwnProject, 'id' | 'title'>

/** Who searches; null for a visitor. */
export type Reader = { userId: string | null }

type Resolved = Pick<
  Candidates,
  'projectIds' | 'tags' | 'writers' | 'before' | 'after' | 'has' | 'isDraft'
> & {
  without: Pick<Candidates['without'], 'tags' | 'writers' | 'has'>
}

/** Resolves the filters of a search. `unknown` are those that name nothing. */
export async function resolveFilters(
  db: Db,
  { userId }: Reader,
  { filters, projects }: { filters: Filter[]; projects: SearchedProject[] },
): Promise<{ values: Resolved; unknown: string[] }> {
  const unknown: string[] = []
  const of = (name: Filter['name'], isExcluding = false) =>
    filters.filter((filter) => filter.name === name && filter.isExcluding === isExcluding)
  const both = (name: Filter['name']) => filters.filter((filter) => filter.name === name)
  // A thing has one project and one author: several wanted ones are alternatives.
  const wantedProjects = new Set<string>()
  const excludedProjects = new Set<string>()
  for (const { value, written, isExcluding } of both('in')) {
    const named = projectsNamed(projects, value)
    if (named.length === 0 && !isExcluding) unknown.push(written)
    for (const id of named) (isExcluding ? excludedProjects : wantedProjects).add(id)
  }
  const projectIds = projects
    .map(({ id }) => id)
    .filter((id) => (wantedProjects.size === 0 || wantedProjects.has(id)) && !excludedProjects.has(id))
  const wantedWriters = new Set<string>()
  const excludedWriters = new Set<string>()
  const writers = both('by').some(({ value }) => !isMe(value)) ? await listWriters(db, projectIds) : []
  for (const { value, written, isExcluding } of both('by')) {
    const named = writersNamed(writers, userId, value)
    if (named.length === 0 && !isExcluding) unknown.push(written)
    for (const id of named) (isExcluding ? excludedWriters : wantedWriters).add(id)
  }
  const daysOf = (name: 'before' | 'after', opposite: 'before' | 'after') =>
    [...of(name), ...of(opposite, true)]
      .flatMap(({ value, written }) => {
        const day = dayOfText(value)
        if (day === undefined) unknown.push(written)
        return day ?? []
      })
      .toSorted()
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
      projectIds,
      tags: of('tag').map(({ value }) => folded(value)),
      writers: of('by').length > 0 ? [...wantedWriters] : null,
      before: daysOf('before', 'after')[0] ?? null,
      after: daysOf('after', 'before').at(-1) ?? null,
      has: has(false),
      isDraft: drafts[0] ?? null,
      without: {
        tags: of('tag', true).map(({ value }) => folded(value)),
        writers: [...excludedWriters],
        has: has(true),
      },
    },
    unknown: filters.flatMap(({ written }) => (unknown.includes(written) ? written : [])),
  }
}

/** Returns the projects with this title or id, or else those whose title contains the text. */
function projectsNamed(projects: SearchedProject[], value: string): string[] {
  const wanted = asNamed(value)
  const exact = projects.filter(({ id, title }) => id === wanted || asNamed(title) === wanted)
  const named = exact.length > 0 ? exact : projects.filter(({ title }) => asNamed(title).includes(wanted))
  return named.map(({ id }) => id)
}

/** Returns the people whose name contains the text; `me` is the reader. */
function writersNamed(
  writers: { id: string; name: string }[],
  reader: string | null,
  value: string,
): string[] {
  if (isMe(value)) return reader === null ? [] : [reader]
  const wanted = asNamed(value).replace(/^@/, '')
  return writers.flatMap(({ id, name }) => (asNamed(name).includes(wanted) ? id : []))
}

const isMe = (value: string) => /^@?me$/.test(folded(value))

/** Screens show several spaces as one. */
const asNamed = (text: string) => folded(text).replace(/\s+/g, ' ')

const yearFirst = /^(?<year>\d{4})(?:[-/.](?<month>\d\d?))?(?:[-/.](?<day>\d\d?))?$/
const dayFirst = /^(?<day>\d\d?)\.(?<month>\d\d?)\.(?<year>\d{4})$/

/**
 * Returns the first day of a year, a month or a day as people write them; undefined if it is none. Of a date with slashes nobody knows
 * whether the month is first.
 */
function dayOfText(value: string): string | undefined {
  const written = folded(value)
  const {
    year = '',
    month = '01',
    day = '01',
  } = (yearFirst.exec(written) ?? dayFirst.exec(written))?.groups ?? {}
  return calendarDay.safeParse(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`).data
}
