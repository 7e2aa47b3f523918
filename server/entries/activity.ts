import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from 'kysely'
import type { ActivityDetails, ActivityKind } from '#contract/activity.ts'
import type { EntryFields } from '#contract/entries.ts'
import { recordActivity } from '#server/activity/service.ts'
import type { Schema } from '#server/database/rows.ts'
import type { Cause } from '#server/history/record.ts'
import type { Caller } from '#server/platform/calls.ts'
import type { EntryRecord } from './store.ts'

type Row = Omit<EntryRecord, 'rendering' | 'cover' | 'author_picture'>
type Access = { projectId: string }

/** Records the creation of an entry, unless it is a draft. */
export async function recordWriting(
  trx: Transaction<Schema>,
  caller: Caller,
  access: Access,
  row: Row,
): Promise<void> {
  if (row.state === 'published') await record(trx, caller, 'entry_written', access, row)
}

/**
 * Records the update of an entry, with one statement, or two if the entry left the project. Records nothing for drafts,
 * entries that became drafts, and updates that change nothing.
 */
export async function recordChange(
  trx: Transaction<Schema>,
  caller: Caller,
  { from, to }: { from: Access; to: Access },
  { before, after, cause }: { before: Row; after: Row; cause: Cause },
): Promise<void> {
  if (after.state === 'draft') return
  if (before.published_at === null) return record(trx, caller, 'entry_written', to, after)
  if (after.milestone_id !== before.milestone_id && before.state === 'published') {
    await record(trx, caller, 'entry_moved', to, after)
    if (to.projectId === from.projectId) return
    const left = { ...after, milestone_id: before.milestone_id }
    await record(trx, caller, 'entry_moved', from, left, { movedAway: true })
  } else if (Object.values(columnOf).some((column) => !isDeepStrictEqual(after[column], before[column]))) {
    await record(trx, caller, 'entry_edited', to, after, cause === 'restore' ? { toRevision: true } : {})
  }
}

/** The column of each field of an update, so that the change of a new field is recorded as an edit too. */
const columnOf = {
  title: 'title',
  content: 'content',
  tags: 'tags',
  happenedAt: 'happened_on',
  happenedZone: 'happened_on',
  coverFile: 'cover_file_id',
  image: 'image_id',
  state: 'state',
} as const satisfies Record<keyof EntryFields | 'image', keyof Row>

function record(
  trx: Transaction<Schema>,
  { userId: actorId }: Caller,
  kind: ActivityKind,
  { projectId }: Access,
  { id: entryId, milestone_id: milestoneId, title: subject, updated_at: now }: Row,
  details: ActivityDetails = {},
): Promise<void> {
  return recordActivity(trx, { kind, projectId, actorId, milestoneId, entryId, subject, details, now })
}
