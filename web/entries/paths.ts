import type { Entry } from '#contract/entries.ts'

type EntryRef = Pick<Entry, '_id' | 'milestone'>

/** The page of one entry. */
export const entryPath = (projectId: string, { _id, milestone }: EntryRef) =>
  `/projects/${projectId}/milestones/${milestone}/entries/${_id}`

/** The page of a project with the entries of one milestone. */
export const milestonePath = (projectId: string, milestoneId: string) =>
  `/projects/${projectId}?selected=${milestoneId}`

/** The history state of an editor that was opened from its entry's page: closing it leads back there. */
export const fromEntryPage = { fromEntryPage: true }

export const isFromEntryPage = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'fromEntryPage' in state

/** Returns search params with which a project's page opens the editor on an entry. */
export function editingQuery({ _id, milestone }: EntryRef, params = new URLSearchParams()): string {
  const next = new URLSearchParams(params)
  next.set('edit', _id)
  next.set('milestone', milestone)
  return `?${next}`
}
