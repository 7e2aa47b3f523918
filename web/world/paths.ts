/** Where on a public project's page the milestone that is shown begins. */
export const SHOWN_ANCHOR = 'milestone'

/** The public page of a project, on its first milestone unless another is chosen. */
export function worldPath(
  projectId: string,
  { milestone, page = 1 }: { milestone?: string; page?: number } = {},
) {
  const query = new URLSearchParams()
  if (milestone) query.set('milestone', milestone)
  if (page > 1) query.set('page', String(page))
  return `/world/${projectId}${query.size > 0 ? `?${query}` : ''}`
}

/** The public page of an entry. */
export const worldEntryPath = (projectId: string, entryId: string) => `/world/${projectId}/entries/${entryId}`

export const FEED_FORMATS = ['atom', 'rss', 'json'] as const
export type FeedFormat = (typeof FEED_FORMATS)[number]

/** Where a feed reader follows a public project. */
export const worldFeedPath = (projectId: string, format: FeedFormat) => `/world/${projectId}/feed.${format}`
