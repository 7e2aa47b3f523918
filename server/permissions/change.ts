import type { Transaction } from 'kysely'
import type { Action } from '#contract/actions.ts'
import type { Schema } from '#server/database/rows.ts'
import type { Parts } from '#server/parts.ts'
import type { Caller } from '#server/platform/calls.ts'
import type { Events } from '#server/platform/events/events.ts'
import { transact } from '#server/platform/events/transact.ts'
import { demandForChange } from './demand.ts'
import type { Place, StandingRow } from './store.ts'

type Means = Pick<Parts, 'db' | 'events' | 'leases' | 'quotas'>
type Change<T> = (trx: Transaction<Schema>, standing: StandingRow, tell: Events['tell']) => Promise<T>

/** What no public page shows. */
const UNSEEN: readonly Action[] = ['collaborators:manage', 'collaborators:leave']

/**
 * The way in which everything under a project is changed: one transaction that first demands the right and keeps the
 * project locked, and once it stands tells the project's members. `tell` adds news of the same transaction.
 * What the world could see is gone everywhere by the time that this is done: servers take a public page for granted for
 * a moment (`leases`), and this outlasts it. Throws as `demand` does, and `quota_exceeded` where too much was added.
 */
export async function changeProject<T>(
  parts: Means,
  caller: Caller,
  action: Action,
  place: Place,
  change: Change<T>,
): Promise<T> {
  const { standing, result } = await carryOut(parts, caller, action, place, change)
  if (standing.isPublic && !UNSEEN.includes(action)) await parts.leases.outlast()
  return result
}

/** As `changeProject`, for what takes nothing from anybody: other servers may show what was added a moment later. */
export async function addToProject<T>(
  parts: Means,
  caller: Caller,
  action: Action,
  place: Place,
  change: Change<T>,
): Promise<T> {
  const { result } = await carryOut(parts, caller, action, place, change)
  return result
}

async function carryOut<T>(
  parts: Means,
  caller: Caller,
  action: Action,
  place: Place,
  change: Change<T>,
): Promise<{ standing: StandingRow; result: T }> {
  const done = await transact(parts, async (trx, tell) => {
    const standing = await demandForChange(trx, caller, action, place)
    tell({ project: standing.projectId })
    const result = await change(trx, standing, tell)
    await parts.quotas.requireWithin(trx, caller, standing.projectId, standing.bytes)
    return { standing, result }
  })
  parts.leases.end(done.standing.projectId)
  return done
}
