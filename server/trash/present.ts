import type { Deletion, Restored } from '#contract/trash.ts'
import type { DeletionRecord } from './store.ts'

const DAY_MS = 24 * 60 * 60_000

/** What somebody may restore, which stays in the trash for so many days. */
export const deletionPresenter =
  (days: number) =>
  (row: DeletionRecord): Deletion => ({
    _id: row.id,
    kind: kindOf(row),
    title: row.entry_title ?? row.milestone_title ?? row.project_title,
    project: kindOf(row) === 'project' ? null : { _id: row.project_id, title: row.project_title },
    ...(row.entry_title !== null && row.milestone_title !== null && { milestoneTitle: row.milestone_title }),
    deletedAt: row.deleted_at.toISOString(),
    deletedBy: row.deleted_by_name === null ? null : { name: row.deleted_by_name },
    milestones: row.milestones,
    entries: row.entries + row.own_drafts,
    endsAt: new Date(row.deleted_at.getTime() + days * DAY_MS).toISOString(),
    canDelete: mayPurge(row),
  })

export function kindOf({ milestone_id, entry_id }: Pick<DeletionRecord, 'milestone_id' | 'entry_id'>) {
  if (entry_id !== null) return 'entry'
  return milestone_id === null ? 'project' : 'milestone'
}

/** The owner of the project makes a deletion final, and the author that of a draft, which nobody else is shown. */
export const mayPurge = ({ role, entry_state }: Pick<DeletionRecord, 'role' | 'entry_state'>) =>
  role === 'owner' || entry_state === 'draft'

export const presentRestored = ({ project_id, milestone_id, entry_id }: DeletionRecord): Restored => ({
  project: project_id,
  ...(milestone_id !== null && { milestone: milestone_id }),
  ...(entry_id !== null && { entry: entry_id }),
})
