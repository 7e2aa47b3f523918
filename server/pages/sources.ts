import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { MissingPage, Page, PageKind, PageSettings, RunCall } from '#contract/rendering.ts'
import type { Story, StoryQuery } from '#contract/story.ts'
import type { WorldEntries, WorldEntry, WorldPage, WorldQuery } from '#contract/world.ts'
import type { AppDeps } from '#server/deps.ts'
import { AppError } from '#server/platform/api/errors.ts'
import type { RunSearch } from '#server/platform/limits/search.ts'
import type { CanonicalPage } from './canonical.ts'

/** What a feature mounts its pages with. */
export type PageMounting = {
  scope: FastifyInstance
  deps: AppDeps
  publicUrl: string
  rateLimit: boolean
  search: RunSearch
  runCall: RunCall
  /** Returns the settings that pages show. */
  settings: () => Promise<PageSettings>
  /** Sends a page that is the same for everybody. */
  sendPage: SendPage<Page>
  /** Sends a page that only its reader may keep. */
  sendPrivate: SendPage<Page>
  sendMissing: SendPage<MissingPage>
}

type SendPage<Sent> = (request: FastifyRequest, reply: FastifyReply, page: Sent) => Promise<FastifyReply>

/** The pages of a feature that are cached, besides those that it mounts with routes of their own. */
export type FeaturePages = {
  /** By their kind in `web/pages/routes.ts`. */
  sources?: { [Kind in PageKind]?: PageSource }
  /** What pages are about, by the parameter of their paths. */
  subjects?: { [param: string]: PageSubject }
  /** Answers a request whose browser sees something else under the URL of a cached page; otherwise returns undefined. */
  instead?: (asked: Asked) => Promise<FastifyReply> | undefined
}

export type Asked = {
  kind: PageKind
  page: CanonicalPage
  request: FastifyRequest
  reply: FastifyReply
  /** Reads the page through another reader. Throws `NoSuchPage` and `ShownElsewhere`. */
  read: (reader: PublicReader) => Promise<Page>
}

export type PageSource = {
  /** Reads what the page shows. May throw `not_found`, `NoSuchPage` and `ShownElsewhere`. */
  read: (
    page: Pick<CanonicalPage, 'url' | 'values'>,
    by: { network: string; reader?: PublicReader },
  ) => Promise<Page>
  /** What there is instead of a page that does not exist. */
  missing: MissingPage
  /** Whether the page is read for each request. */
  isUncached?: true
}

export type PageSubject = {
  /**
   * Returns a text that changes with anything that its pages show; null if they are not public, and another path if they are found there.
   */
  version: (id: string) => Promise<string | { path: string } | null>
  /** Returns the path to which a text that is no id leads; null if there is none. */
  pathOf?: (text: string) => Promise<string | null>
}

/** Reads public projects as visitors see them. Each throws `not_found` unless the project is public. */
export type PublicReader = {
  /** Also throws `page_not_found`. */
  page: (projectId: string, query: WorldQuery) => Promise<WorldPage>
  entry: (ids: { projectId: string; entryId: string }) => Promise<WorldEntry>
  entries: (projectId: string) => Promise<WorldEntries>
  /** Also throws `page_not_found`. */
  story: (projectId: string, query: StoryQuery) => Promise<Story>
}

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

/** Reads what a page shows. Throws `NoSuchPage` and `ShownElsewhere`. */
export async function readPage(
  source: PageSource,
  ...[page, by]: Parameters<PageSource['read']>
): Promise<Page> {
  try {
    return await source.read(page, by)
  } catch (error) {
    if (error instanceof AppError && (error.code === 'not_found' || error.code === 'page_not_found'))
      throw new NoSuchPage(source.missing)
    throw error
  }
}

const missing: MissingPage = { kind: 'missing', what: 'page' }

/** The pages of no feature. They change only with the year. */
export const siteSources = (clock: () => Date): NonNullable<FeaturePages['sources']> => ({
  landing: { missing, read: async () => ({ kind: 'landing', year: clock().getUTCFullYear() }) },
  about: { missing, read: async () => ({ kind: 'about' }) },
  guide: { missing, read: async () => ({ kind: 'guide' }) },
  screen: { missing, read: async ({ url }) => ({ kind: 'screen', path: url }) },
})
