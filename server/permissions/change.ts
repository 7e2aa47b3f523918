import type { Transaction } from 'kysely'
import type { Action } from '#contract/actions.ts'
import type { Schema } from '#server/database/rows.ts'
import type { Parts } from '#server/parts.ts'
import type { Caller } from '#server/platform/calls.ts'
import type { Events } from '#server/platform/events/events.ts'
import { transact } from '#server/platform/events/transact.ts'
import { demandForChange } from './demand.ts'
import type { Place, StandingRow } from './store.ts'

type Means = Pick<Parts, 'db' | 'events' | 'quotas'>
type Change<T> = (trx: Transaction<Schema>, standing: StandingRow, tell: Events['tell']) => Promise<T>

/**
 * The way in which everything under a project is changed: one transaction that first demands the right and keeps the
 * project locked, and publishes the change to the project's members when it commits. `tell` adds events of the same
 * transaction. Throws as `demand` does, and `quota_exceeded` where too much was added.
 */
export function changeProject<T>(
  parts: Means,
  caller: Caller,
  action: Action,
  place: Place,
  change: Change<T>,
): Promise<T> {
  return transact(parts, async (trx, tell) => {
    const standing = await demandForChange(trx, caller, action, place)
    tell({ project: standing.projectId })
    const result = await change(trx, standing, tell)
    await parts.quotas.requireWithin(trx, caller, standing.projectId, standing.bytes)
    return result
  })
}
