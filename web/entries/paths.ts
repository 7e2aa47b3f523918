import type { Entry } from '#contract/entries.ts'

type Place = Pick<Entry, '_id' | 'milestone'>

/** The page that one entry is read on. */
export const entryPath = (projectId: string, { _id, milestone }: Place) =>
  `/projects/${projectId}/milestones/${milestone}/entries/${_id}`

/** The page of a project with the entries of one milestone. */
export const milestonePath = (projectId: string, milestoneId: string) =>
  `/projects/${projectId}?selected=${milestoneId}`

/** What the history says of an editor that the page of its entry has opened: leaving it leads back there. */
export const fromEntryPage = { fromEntryPage: true }

export const isFromEntryPage = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'fromEntryPage' in state

/** The query with which a project's page opens the editor on an entry, beside what it says already. */
export function editingQuery({ _id, milestone }: Place, params = new URLSearchParams()): string {
  const next = new URLSearchParams(params)
  next.set('edit', _id)
  next.set('milestone', milestone)
  return `?${next}`
}
