import type { Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import type { Parts } from '#server/parts.ts'
import type { Caller } from '#server/platform/calls.ts'
import type { Events } from '#server/platform/events/events.ts'
import { transact } from '#server/platform/events/transact.ts'
import { demandForChange, type Place } from './demand.ts'
import type { StandingRow } from './store.ts'
import type { Action } from './table.ts'

/**
 * The way in which everything under a project is changed: one transaction that first demands the right and keeps the
 * project locked, and once it stands tells the project's members. `tell` adds news of the same transaction.
 * Throws as `demand` does.
 */
export function changeProject<T>(
  parts: Pick<Parts, 'db' | 'events'>,
  caller: Caller,
  action: Action,
  place: Place,
  change: (trx: Transaction<Schema>, standing: StandingRow, tell: Events['tell']) => Promise<T>,
): Promise<T> {
  return transact(parts, async (trx, tell) => {
    const standing = await demandForChange(trx, caller, action, place)
    tell({ project: standing.projectId })
    return change(trx, standing, tell)
  })
}
