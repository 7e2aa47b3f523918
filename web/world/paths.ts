/** The anchor of the shown milestone on a public project's page. */
export const SHOWN_ANCHOR = 'milestone'

/** Returns the path of a public project, on its first milestone unless another is given. */
export function worldPath(
  projectId: string,
  { milestone, page = 1 }: { milestone?: string; page?: number } = {},
) {
  const query = new URLSearchParams()
  if (milestone) query.set('milestone', milestone)
  if (page > 1) query.set('page', String(page))
  return `/world/${projectId}${query.size > 0 ? `?${query}` : ''}`
}

/** Returns the path of a public entry. */
export const worldEntryPath = (projectId: string, entryId: string) => `/world/${projectId}/entries/${entryId}`

export const FEED_FORMATS = ['atom', 'rss', 'json'] as const
export type FeedFormat = (typeof FEED_FORMATS)[number]

/** Returns the path of a public project's feed. */
export const worldFeedPath = (projectId: string, format: FeedFormat) => `/world/${projectId}/feed.${format}`
