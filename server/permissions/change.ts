import type { Transaction } from 'kysely'
import type { Action } from '#contract/actions.ts'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import type { Caller } from '#server/platform/calls.ts'
import { type Events, transact } from '#server/platform/events/events.ts'
import { requireAccessForChange } from './access.ts'
import type { Place, ProjectAccess } from './store.ts'

type Deps = Pick<AppDeps, 'db' | 'events' | 'quotas'>
type Change<T> = (trx: Transaction<Schema>, access: ProjectAccess, publish: Events['publish']) => Promise<T>

/**
 * The way in which everything under a project is changed: one transaction that first demands the right and keeps the
 * project locked, and publishes the change to the project's members when it commits. `publish` adds events of the same
 * transaction. Throws as `requireAccess` does, and `quota_exceeded` where too much was added.
 */
export function changeProject<T>(
  deps: Deps,
  caller: Caller,
  action: Action,
  place: Place,
  change: Change<T>,
): Promise<T> {
  return transact(deps, async (trx, publish) => {
    const access = await requireAccessForChange(trx, caller, action, place)
    publish({ project: access.projectId })
    const result = await change(trx, access, publish)
    await deps.quotas.requireWithin(trx, caller, access.projectId, access.bytes)
    return result
  })
}
