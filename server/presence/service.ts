import type { Kysely } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { pictureField } from '#server/files/links.ts'
import { shownName } from '#server/files/people.ts'
import { requireAccess } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { notFound } from '#server/platform/api/errors.ts'
import { deleteInBatches, type ScheduledTask } from '#server/platform/schedule.ts'
import { deleteExpired, dropEditor, keepEditor, listOtherEditors } from './store.ts'

type EntryRef = { milestoneId: string; entryId: string }
type Others = { editors: { name: string; pictureURL?: string }[] }

/**
 * Records that the caller has an entry open in the editor, and returns who else has. The others receive an event if the caller
 * was not among them before. Drafts publish no event, because only their author sees them. Throws `not_found` or `forbidden`.
 */
export async function keepEditing(deps: AppDeps, caller: Caller, ref: EntryRef): Promise<Others> {
  const { db } = deps
  const { userId } = caller
  await requireAccess(db, caller, 'content:edit', { milestoneId: ref.milestoneId })
  const kept = await keepEditor(db, { ...ref, userId })
  if (!kept) throw notFound('Entry')
  const others = await listOtherEditors(db, { ...ref, userId })
  if (!kept.wasHere) publishTo(deps, others, ref)
  return {
    editors: others.map(({ name, picture }) => ({ name: shownName(name), ...pictureField(picture) })),
  }
}

/** Ends the presence that `keepEditing` recorded. Throws `not_found` or `forbidden`. */
export async function endEditing(deps: AppDeps, caller: Caller, ref: EntryRef): Promise<void> {
  const { db } = deps
  await requireAccess(db, caller, 'content:edit', { milestoneId: ref.milestoneId })
  const editor = { ...ref, userId: caller.userId }
  const dropped = await dropEditor(db, editor)
  if (!dropped) throw notFound('Entry')
  if (dropped.wasHere) publishTo(deps, await listOtherEditors(db, editor), ref)
}

function publishTo({ events }: AppDeps, people: { id: string }[], { entryId }: EntryRef): void {
  events.publish(...people.map(({ id }) => ({ person: id, entry: entryId })))
}

const BATCH = 1_000
const PAUSE_MS = 10 * 60_000

/** Schedules the deletion of expired editors. They no longer count once they have expired. */
export const presenceSweep = ({ db }: { db: Kysely<Schema> }): ScheduledTask => ({
  name: 'removal of editors who have left',
  everyMs: PAUSE_MS,
  run: () =>
    deleteInBatches(db, { name: 'presence sweep', batchSize: BATCH }, (trx) => deleteExpired(trx, BATCH)),
})
