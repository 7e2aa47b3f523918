import type { Entry } from '#contract/entries.ts'

type EntryRef = Pick<Entry, '_id' | 'milestone'>

/** The page of one entry. */
export const entryPath = (projectId: string, { _id, milestone }: EntryRef) =>
  `/projects/${projectId}/milestones/${milestone}/entries/${_id}`

/** The page of a project with the entries of one milestone. */
export const milestonePath = (projectId: string, milestoneId: string) =>
  `/projects/${projectId}?selected=${milestoneId}`

/** The value that selects all milestones on a project's page, also on phones. */
export const ALL_ENTRIES = 'all'

/** The value that shows the timeline with its actions on phones, where a trail stands for it. */
export const TIMELINE = 'timeline'

/** The page with all tags of a project. */
export const tagsPath = (projectId: string) => `/projects/${projectId}/tags`

/** Whether a tag can be part of a path: browsers resolve these, however they are encoded. */
export const isTagInPath = (tag: string) => tag !== '.' && tag !== '..'

/** The page with all entries of a project that have a tag. */
export const tagPath = (projectId: string, tag: string) =>
  isTagInPath(tag)
    ? `${tagsPath(projectId)}/${encodeURIComponent(tag)}`
    : `/projects/${projectId}?${new URLSearchParams({ selected: ALL_ENTRIES, tag })}`

type MovedTo = { projectId: string; milestoneId: string }

const moves = new Map<string, MovedTo>()

/** Stores the new milestone of a moved entry, because the history of this tab has its previous URLs. */
export function rememberMove(entryId: string, to: MovedTo): void {
  moves.set(entryId, to)
}

/** Returns the page of an entry that was moved out of this milestone in this tab, or null. */
export function movedPath(_id: string, from: string): string | null {
  const to = moves.get(_id)
  return to && to.milestoneId !== from ? entryPath(to.projectId, { _id, milestone: to.milestoneId }) : null
}

/** The history state of a composer that was opened from its entry's page, to which closing it returns. */
export const fromEntryPage = { fromEntryPage: true }

export const isFromEntryPage = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'fromEntryPage' in state

let edited: string | null = null

/** Stores that the composer of this entry was closed and returns to the entry's page. */
export function rememberEdited(entryId: string): void {
  edited = entryId
}

/** Returns, once, whether the page of this entry is shown because its composer was closed. */
export function takeEdited(entryId: string): boolean {
  const isEdited = edited === entryId
  if (isEdited) edited = null
  return isEdited
}

/** Returns the search params with which a project's page opens the composer of an entry. */
export function editingQuery({ _id, milestone }: EntryRef, params = new URLSearchParams()): string {
  const next = new URLSearchParams(params)
  next.set('edit', _id)
  next.set('milestone', milestone)
  return `?${next}`
}
