import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from 'kysely'
import type { EntryFields } from '#contract/entries.ts'
import { type EntryActivityValues, entryActivity, recordActivity } from '#server/activity/service.ts'
import type { Schema } from '#server/database/rows.ts'
import type { Cause } from '#server/history/record.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import type { EntryRecord } from './store.ts'

type Access = { projectId: string }

/** The columns of an entry that decide what a save records. */
type Row = Pick<
  EntryRecord,
  'title' | 'content' | 'tags' | 'happened_on' | 'cover_file_id' | 'no_cover' | 'state' | 'milestone_id'
>

/** Returns the activity of the creation of an entry: none of an unpublished one. */
export const activityOfWriting = (
  { userId: actorId }: Caller,
  { projectId }: Access,
  { state, now }: { state: EntryRecord['state']; now: Date },
): EntryActivityValues =>
  entryActivity(state === 'published' ? 'entry_written' : null, { projectId, actorId, now })

/**
 * Returns the activity of an update of an entry in the project where it is afterwards: none of unpublished ones, of entries that were
 * unpublished, and of updates that change nothing.
 */
export function activityOfChange(
  { userId: actorId }: Caller,
  { projectId }: Access,
  {
    before,
    after,
    cause,
    now,
  }: { before: Row & Pick<EntryRecord, 'published_at'>; after: Row; cause: Cause; now: Date },
): EntryActivityValues {
  const of = { projectId, actorId, now }
  if (after.state === 'draft') return entryActivity(null, of)
  if (before.published_at === null) return entryActivity('entry_written', of)
  if (hasMoved(before, after)) return entryActivity('entry_moved', of)
  const columns = [...Object.values(columnOf), 'no_cover' as const]
  const isSame = columns.every((column) => isDeepStrictEqual(after[column], before[column]))
  if (isSame) return entryActivity(null, of)
  return entryActivity('entry_edited', cause === 'restore' ? { ...of, details: { toRevision: true } } : of)
}

/** Records in the project that an entry has left that it did. */
export async function recordDeparture(
  trx: Transaction<Schema>,
  { userId: actorId }: Caller,
  { from, to }: { from: Access; to: Access },
  {
    before,
    after,
    now,
  }: { before: Row & Pick<EntryRecord, 'published_at'>; after: Row & { id: string }; now: Date },
): Promise<void> {
  if (to.projectId === from.projectId || after.state === 'draft' || !hasMoved(before, after)) return
  await recordActivity(trx, {
    kind: 'entry_moved',
    projectId: from.projectId,
    actorId,
    milestoneId: before.milestone_id,
    entryId: after.id,
    subject: after.title,
    details: { movedAway: true },
    now,
  })
}

const hasMoved = (before: Row & Pick<EntryRecord, 'published_at'>, after: Row) =>
  before.published_at !== null && after.milestone_id !== before.milestone_id && before.state === 'published'

/** The column of each field of an update, so that the change of a new field is recorded as an edit too. */
const columnOf = {
  title: 'title',
  content: 'content',
  tags: 'tags',
  happenedAt: 'happened_on',
  happenedOn: 'happened_on',
  happenedZone: 'happened_on',
  coverFile: 'cover_file_id',
  state: 'state',
  publishAt: 'state',
  publishZone: 'state',
} as const satisfies Record<keyof EntryFields, keyof Row>
