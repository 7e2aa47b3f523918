import type { Kysely, Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { HOUR_MS } from '#contract/parts/durations.ts'
import type { Schema } from '#server/database/rows.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { type Change, idTaken } from '#server/platform/changes/changes.ts'
import type { ScheduledTask } from '#server/platform/schedule.ts'
import {
  type BulkChange,
  deleteBulkChanges,
  findBulkChange,
  insertBulkChange,
  type NewBulkChange,
} from './store.ts'

/** For how long a bulk change can be undone. */
export const UNDO_MS = 24 * HOUR_MS
const BATCH = 20

/** Returns the bulk change that the caller has made in the project with this change id before. */
export async function findMade(
  trx: Transaction<Schema>,
  caller: Caller,
  projectId: string,
  { change }: Change,
): Promise<BulkChange | undefined> {
  if (change === null) return undefined
  return findBulkChange(trx, { id: change, projectId, madeBy: caller.userId })
}

/** Stores what entries had before a bulk change, and returns the id with which it can be undone. Throws `id_taken`. */
export async function recordBulkChange(
  trx: Transaction<Schema>,
  { change }: Change,
  made: Omit<NewBulkChange, 'id'>,
): Promise<string> {
  const id = change ?? uuidv7()
  if (!(await insertBulkChange(trx, { ...made, id }))) throw idTaken()
  return id
}

type Deps = { db: Kysely<Schema>; clock: () => Date }

/** Deletes the bulk changes that can no longer be undone, until `stop` is aborted. */
export async function expireBulkChanges({ db, clock }: Deps, stop?: AbortSignal): Promise<void> {
  const before = new Date(clock().getTime() - UNDO_MS)
  while ((await deleteBulkChanges(db, before, BATCH)) === BATCH) if (stop?.aborted) return
}

/** Schedules the expiry of bulk changes. */
export const expiryOfBulkChanges = (deps: Deps): ScheduledTask => ({
  name: 'expiry of bulk changes',
  everyMs: HOUR_MS,
  run: (stop) => expireBulkChanges(deps, stop),
})
