import type { Entry } from '#contract/entries.ts'

type EntryRef = Pick<Entry, '_id' | 'milestone'>

/** The page of one entry. */
export const entryPath = (projectId: string, { _id, milestone }: EntryRef) =>
  `/projects/${projectId}/milestones/${milestone}/entries/${_id}`

/** The page of a project with the entries of one milestone. */
export const milestonePath = (projectId: string, milestoneId: string) =>
  `/projects/${projectId}?selected=${milestoneId}`

/** What a project's page selects in place of a milestone to show the entries of all of them, also on a phone. */
export const ALL_ENTRIES = 'all'

/** The page of a project with all its entries that carry a tag. */
export const taggedPath = (projectId: string, tag: string) =>
  `/projects/${projectId}?${new URLSearchParams({ selected: ALL_ENTRIES, tag })}`

type MovedTo = { projectId: string; milestoneId: string }

const moves = new Map<string, MovedTo>()

/** Remembers where an entry was moved to: its URLs in the history of this tab are those that it had before. */
export function rememberMove(entryId: string, to: MovedTo): void {
  moves.set(entryId, to)
}

/** Returns the page of an entry that was moved away from this milestone in this tab, or null. */
export function movedPath(_id: string, from: string): string | null {
  const to = moves.get(_id)
  return to && to.milestoneId !== from ? entryPath(to.projectId, { _id, milestone: to.milestoneId }) : null
}

/** The history state of an editor that was opened from its entry's page: closing it leads back there. */
export const fromEntryPage = { fromEntryPage: true }

export const isFromEntryPage = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'fromEntryPage' in state

let edited: string | null = null

/** Remembers that the editor of this entry was closed and leads back to the entry's page. */
export function rememberEdited(entryId: string): void {
  edited = entryId
}

/** Returns once whether the page of this entry is shown because its editor was closed. */
export function takeEdited(entryId: string): boolean {
  const isEdited = edited === entryId
  if (isEdited) edited = null
  return isEdited
}

/** Returns search params with which a project's page opens the editor on an entry. */
export function editingQuery({ _id, milestone }: EntryRef, params = new URLSearchParams()): string {
  const next = new URLSearchParams(params)
  next.set('edit', _id)
  next.set('milestone', milestone)
  return `?${next}`
}
