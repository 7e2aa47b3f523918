import type { Transaction } from 'kysely'
import type { Action } from '#contract/actions.ts'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import type { Caller } from '#server/platform/calls.ts'
import { type Events, transact } from '#server/platform/events/events.ts'
import { requireAccess, requireAccessForChange } from './access.ts'
import type { ProjectAccess, ProjectRef } from './store.ts'

type Deps = Pick<AppDeps, 'db' | 'events' | 'quotas'>
type Publish = Events['publish']
type Change<T> = (trx: Transaction<Schema>, access: ProjectAccess, publish: Publish) => Promise<T>

/**
 * Runs a change of anything under a project: one transaction that first requires access, keeps the project locked, and
 * publishes the change to the project's members when it commits. `publish` adds events of the same transaction. Throws
 * as `requireAccess` does, and `quota_exceeded` if too much was added.
 */
export function changeProject<T>(
  deps: Deps,
  caller: Caller,
  action: Action,
  ref: ProjectRef,
  change: Change<T>,
): Promise<T> {
  return changeProjects(deps, caller, action, [ref], (trx, [access], publish) => {
    publish({ project: access.projectId })
    return change(trx, access, publish)
  })
}

type Of<Refs, Item> = { [Index in keyof Refs]: Item }

/**
 * As `changeProject`, of several projects at once, with the access in each, in the order of `refs`. It publishes only what
 * `change` does, which not all members may see.
 */
export function changeProjects<T, const Refs extends readonly ProjectRef[]>(
  deps: Deps,
  caller: Caller,
  action: Action,
  refs: Refs,
  change: (trx: Transaction<Schema>, accesses: Of<Refs, ProjectAccess>, publish: Publish) => Promise<T>,
): Promise<T> {
  return transact(deps, async (trx, publish) => {
    const accesses = await lockInOrder(trx, caller, action, refs)
    const result = await change(trx, accesses as Of<Refs, ProjectAccess>, publish)
    for (const { projectId, bytes } of accesses)
      await deps.quotas.requireWithin(trx, caller, projectId, bytes)
    return result
  })
}

/** Locks projects in the order of their ids, so that no two writers wait for each other. */
async function lockInOrder(
  trx: Transaction<Schema>,
  caller: Caller,
  action: Action,
  refs: readonly ProjectRef[],
): Promise<ProjectAccess[]> {
  const [only, ...others] = refs
  if (only && others.length === 0) return [await requireAccessForChange(trx, caller, action, only)]
  const found = []
  for (const ref of refs)
    found.push({ ref, projectId: (await requireAccess(trx, caller, action, ref)).projectId })
  const locked = new Map<ProjectRef, ProjectAccess>()
  for (const { ref } of found.toSorted((a, b) => (a.projectId < b.projectId ? -1 : 1)))
    locked.set(ref, await requireAccessForChange(trx, caller, action, ref))
  return refs.flatMap((ref) => locked.get(ref) ?? [])
}
