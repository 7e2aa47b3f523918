import type { QueryKey } from '@tanstack/react-query'

/** The key of all cached data about entries. */
export const allEntriesKey: QueryKey = ['entries']

/** The key of all cached data about the entries of a milestone or project. */
export const entriesKey = (containerId: string): QueryKey => [...allEntriesKey, containerId]

/** The key of all cached pages of the entries of a milestone or project. */
export const entryPagesKey = (containerId: string): QueryKey => [...entriesKey(containerId), 'pages']

/** The key of the presence of an entry. */
export const editorsKey = (entryId: string): QueryKey => ['editors', entryId]
