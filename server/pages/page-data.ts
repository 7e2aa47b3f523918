import type { ProfileEntries, ProfilePage } from '#contract/profiles.ts'
import type { MissingPage, Page, PageKind } from '#contract/rendering.ts'
import { STORY_ENTRIES_MAX, STORY_ENTRIES_PER_PAGE, type Story, type StoryQuery } from '#contract/story.ts'
import type { WorldEntries, WorldEntry, WorldPage, WorldQuery } from '#contract/world.ts'
import { AppError } from '#server/platform/api/errors.ts'
import type { CanonicalPage } from './canonical.ts'

/** Reads public projects as visitors see them. Each throws `not_found` unless the project is public. */
export type PublicReader = {
  /** Also throws `page_not_found`. */
  page: (projectId: string, query: WorldQuery) => Promise<WorldPage>
  entry: (ids: { projectId: string; entryId: string }) => Promise<WorldEntry>
  entries: (projectId: string) => Promise<WorldEntries>
  /** Returns the id of the public project with a readable address; null if there is none. */
  projectAt: (slug: string) => Promise<string | null>
  /** Also throws `page_not_found`. */
  story: (projectId: string, query: StoryQuery) => Promise<Story>
  /** Returns a person's page. Throws `not_found` unless it is on, and `page_not_found`. */
  profile: (name: string, page: number) => Promise<ProfilePage>
  profileEntries: (name: string) => Promise<ProfileEntries>
}

/**
 * Searches a public project as a visitor. Throws `not_found` unless the project is public, and `unavailable` and `too_many_requests`,
 * because all searches wait in one queue.
 */
export type SearchPublic = (
  projectId: string,
  search: { q: string; page: number; network: string },
) => Promise<Omit<Extract<Page, { kind: 'search' }>, 'kind' | 'q'>>

/** Thrown for a page that does not exist. */
export class NoSuchPage extends Error {
  readonly page: MissingPage

  constructor(page: MissingPage) {
    super('There is no such page')
    this.page = page
  }
}

/**
 * Thrown if what is asked for has another URL for now, with this query: a milestone or a tag that a project does not have, but may have
 * again, or an entry of a story, whose part changes with the entries before it.
 */
export class ShownElsewhere extends Error {
  readonly query: string

  constructor(query = '') {
    super('It is shown at another URL')
    this.query = query
  }
}

type Sources = { reader: PublicReader; clock: () => Date }
type Values = CanonicalPage['values']
/** A search is read by `SearchPublic`. */
export type ReadKind = Exclude<PageKind, 'search'>

/** Reads what a page shows. Throws `NoSuchPage` and `ShownElsewhere`. */
export async function readPage(
  kind: ReadKind,
  { url, values }: Pick<CanonicalPage, 'url' | 'values'>,
  { reader, clock }: Sources,
): Promise<Page> {
  if (kind === 'screen') return { kind, path: url }
  if (kind === 'landing') return { kind, year: clock().getUTCFullYear() }
  if (kind === 'about' || kind === 'guide') return { kind }
  try {
    return await readPublic(kind, values, reader)
  } catch (error) {
    throw (await missingPage(kind, values, { error, reader })) ?? error
  }
}

type PublicKind = Exclude<ReadKind, 'landing' | 'about' | 'guide' | 'screen'>

async function readPublic(kind: PublicKind, values: Values, reader: PublicReader): Promise<Page> {
  const { projectId = '', entryId = '', profile = '', milestone, tag, page } = values
  if (kind === 'profile') return { kind, found: await reader.profile(profile, Number(page ?? 1)) }
  if (kind === 'profile.feed.atom' || kind === 'profile.feed.rss' || kind === 'profile.feed.json')
    return { kind, found: await reader.profileEntries(profile) }
  if (kind === 'entry') return { kind, found: await reader.entry({ projectId, entryId }) }
  if (kind === 'follow') return { kind, project: (await reader.page(projectId, FIRST)).project }
  if (kind === 'story' || kind === 'story.print')
    return { kind, found: await readStory(kind, values, reader) }
  if (kind !== 'project') return { kind, found: await reader.entries(projectId) }
  const order = values.order === 'newest' ? 'newest' : 'oldest'
  const found = await reader.page(projectId, { milestone, tag, order, page: Number(page ?? 1) })
  const isOther = milestone !== undefined && found.shown !== null && found.shown._id !== milestone
  if (isOther || (tag !== undefined && found.tagged === null)) throw new ShownElsewhere()
  return { kind, found, order }
}

async function readStory(
  kind: 'story' | 'story.print',
  { projectId = '', page, entry }: Values,
  reader: PublicReader,
): Promise<Story> {
  const limit = kind === 'story' ? STORY_ENTRIES_PER_PAGE : STORY_ENTRIES_MAX
  const found = await reader.story(projectId, { page: Number(page ?? 1), entry, limit })
  if (entry === undefined) return found
  const { currentPage } = found.pagination
  throw new ShownElsewhere(`${currentPage > 1 ? `?page=${currentPage}` : ''}#entry-${entry}`)
}

const FIRST: WorldQuery = { milestone: undefined, tag: undefined, order: 'oldest', page: 1 }

type Failure = { error: unknown; reader: PublicReader }

/** Returns the error about a page that does not exist, with its project if that is public; undefined for another error. */
async function missingPage(kind: PublicKind, values: Values, { error, reader }: Failure) {
  if (!(error instanceof AppError)) return undefined
  const { projectId = '', page: _page, ...rest } = values
  if (error.code === 'page_not_found' && kind !== 'profile') {
    // Of a milestone or tag that does not exist, no page is missing.
    await readPublic(kind, { projectId, ...rest }, reader)
    return new NoSuchPage({ kind: 'missing', what: 'page of project', projectId })
  }
  if (error.code !== 'not_found' && error.code !== 'page_not_found') return undefined
  if (kind !== 'entry') return new NoSuchPage(missingOf(kind))
  try {
    const { _id, title } = (await reader.page(projectId, FIRST)).project
    return new NoSuchPage({ kind: 'missing', what: 'entry', project: { _id, title } })
  } catch (other) {
    if (other instanceof AppError && other.code === 'not_found') return new NoSuchPage(missingOf(kind))
    return other
  }
}

/** The page of a kind that does not exist, nor its project. */
export function missingOf(kind: PageKind): MissingPage {
  if (kind === 'entry') return { kind: 'missing', what: 'entry' }
  return { kind: 'missing', what: kind.startsWith('profile') ? 'page' : 'project' }
}
