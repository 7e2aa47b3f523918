import type { QueryKey } from '@tanstack/react-query'

/** The key of everything cached about entries. */
export const allEntriesKey: QueryKey = ['entries']

/** The key of everything cached about the entries of a milestone, or of a project as a whole. */
export const entriesKey = (containerId: string): QueryKey => [...allEntriesKey, containerId]

/** The key of all cached pages of the entries of a milestone or project. */
export const entryPagesKey = (containerId: string): QueryKey => [...entriesKey(containerId), 'pages']

/** The key of who else has an entry open in the editor. */
export const editorsKey = (entryId: string): QueryKey => ['editors', entryId]
