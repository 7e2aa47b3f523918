/** The anchor of the shown milestone on a public project's page. */
export const SHOWN_ANCHOR = 'milestone'

type Shown = { milestone?: string; tag?: string; order?: 'newest' | 'oldest'; page?: number }

/** Returns the path of a public project, which shows its first milestone, from its oldest entry on, unless something else is given. */
export function publicPath(projectId: string, { milestone, tag, order = 'oldest', page = 1 }: Shown = {}) {
  const query = new URLSearchParams()
  if (milestone) query.set('milestone', milestone)
  if (tag) query.set('tag', tag)
  if (order === 'newest') query.set('order', order)
  if (page > 1) query.set('page', String(page))
  const search = query.toString()
  return `/world/${projectId}${search && `?${search}`}`
}

/** Returns the path of the entries of a public project with a tag, at the start of their list. */
export const publicTagPath = (projectId: string, tag: string) =>
  `${publicPath(projectId, { tag })}#${SHOWN_ANCHOR}`

/** Returns the path of the search of a public project. */
export function publicSearchPath(
  projectId: string,
  { q = '', page = 1 }: { q?: string; page?: number } = {},
) {
  const query = new URLSearchParams()
  if (q !== '') query.set('q', q)
  if (page > 1) query.set('page', String(page))
  const search = query.toString()
  return `${publicPath(projectId)}/search${search && `?${search}`}`
}

/** Returns the path of a public project's download, if it offers that. */
export const publicDownloadPath = (projectId: string, format: 'epub' | 'site') =>
  `/api/world/${projectId}/downloads/${format}`

/** Returns the path of the page about a public project's feeds. */
export const publicFollowPath = (projectId: string) => `${publicPath(projectId)}/follow`

/** Returns the path of a part of a public project's story. */
export const publicStoryPath = (projectId: string, page = 1) => pageOf(`${publicPath(projectId)}/story`, page)

/** Returns the path of a document with a public project's story, or with a long part of it, for paper. */
export const publicStoryPrintPath = (projectId: string, page = 1) =>
  pageOf(`${publicPath(projectId)}/story/print`, page)

const pageOf = (path: string, page: number) => (page > 1 ? `${path}?page=${page}` : path)

/** Returns the path of a public entry. */
export const publicEntryPath = (projectId: string, entryId: string) =>
  `/world/${projectId}/entries/${entryId}`

/** Returns the path of the reactions to a public entry. */
export const publicReactionsPath = (projectId: string, entryId: string) =>
  `${publicEntryPath(projectId, entryId)}/reactions`

/** Returns the path of a page of a person's projects. */
export const profilePath = (name: string, page = 1) => pageOf(`/@${encodeURIComponent(name)}`, page)

export const FEED_FORMATS = ['atom', 'rss', 'json'] as const
export type FeedFormat = (typeof FEED_FORMATS)[number]

/** Returns the path of a public project's feed. */
export const publicFeedPath = (projectId: string, format: FeedFormat) => `/world/${projectId}/feed.${format}`

/** Returns the path of the feed of a person's projects. */
export const profileFeedPath = (name: string, format: FeedFormat) => `${profilePath(name)}/feed.${format}`
