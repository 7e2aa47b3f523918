import type { Transaction } from 'kysely'
import type { Action } from '#contract/parts/call.ts'
import type { Schema } from './database/rows.ts'
import type { AppDeps } from './deps.ts'
import {
  type LockedAccess,
  type LockedRef,
  type ProjectAccess,
  requireAccess,
  requireAccessForChange,
} from './permissions/access.ts'
import type { Caller } from './platform/api/calls.ts'
import type { Events } from './platform/events/events.ts'
import { transact } from './platform/transact.ts'
import { type Usage, usagePart } from './quotas/quotas.ts'
import { type IndexSource, indexingWith } from './search/indexing.ts'

type Deps = Pick<AppDeps, 'db' | 'events' | 'quotas'>
type Publish = Events['publish']
/** The bytes that a change adds to a history, and the storage after that, if it is known. */
type History = { bytes: number; usage?: Usage | undefined }
/** Lets a project exceed its quota by what a change adds to a history. `settle` gets the storage after the change, if it was read. */
type Allow = (access: ProjectAccess, settle: (usage: Usage | undefined) => Promise<History>) => void
/** What a change arranges for its end. `index` saves reading the changed thing again for the index of the search. */
type Ending = { allow: Allow; index: (source: IndexSource) => void }
type Change<T> = (trx: Transaction<Schema>, access: LockedAccess, publish: Publish) => Promise<T>

/**
 * Runs a change in a project as one transaction that first requires access, keeps the project locked, and publishes the change
 * to the project's members after the commit. `publish` adds further events. Throws like `requireAccess`, and `quota_exceeded`
 * if too much was added.
 */
export const changeProject = changeOne((_caller, { projectId }) => ({ project: projectId }))

/** Like `changeProject`, for a change that nobody but its caller may learn of: it is published to them alone. */
export const changeUnseen = changeOne(({ userId }, { projectId }) => ({ person: userId, project: projectId }))

function changeOne(eventOf: (caller: Caller, access: LockedAccess) => Parameters<Publish>[0]) {
  return <T>(deps: Deps, caller: Caller, action: Action, ref: LockedRef, change: Change<T>): Promise<T> =>
    changeProjects(deps, caller, action, [ref], (trx, [access], publish) => {
      publish(eventOf(caller, access))
      return change(trx, access, publish)
    })
}

type Of<Refs, Item> = { [Index in keyof Refs]: Item }

/**
 * Like `changeProject` for several projects, with the access in each, in the order of `refs`. Publishes only the events of
 * `change`, because members of one project must not learn of the others.
 */
export function changeProjects<T, const Refs extends readonly LockedRef[]>(
  deps: Deps,
  caller: Caller,
  action: Action,
  refs: Refs,
  change: (
    trx: Transaction<Schema>,
    accesses: Of<Refs, LockedAccess>,
    publish: Publish,
    ending: Ending,
  ) => Promise<T>,
): Promise<T> {
  return transact(deps, async (trx, publish) => {
    const accesses = await lockInOrder(trx, caller, action, refs)
    const allowed = new Map<ProjectAccess, Parameters<Allow>[1]>()
    let known: IndexSource | undefined
    const ending: Ending = {
      allow: (access, history) => allowed.set(access, history),
      index: (source) => {
        known = source
      },
    }
    const result = await change(trx, accesses as Of<Refs, LockedAccess>, publish, ending)
    const [first] = accesses
    const usage =
      first && CHANGES_CONTENT.has(action)
        ? await indexWithUsage(trx, { projectId: first.projectId }, known)
        : undefined
    for (const access of accesses) {
      const known = access === first ? usage : undefined
      const settled = await allowed.get(access)?.(known)
      const { bytes, usage: after } = settled ?? { bytes: 0, usage: known }
      await deps.quotas.requireWithin(trx, caller, access.projectId, access.bytes + bytes, after)
    }
    return result
  })
}

const indexWithUsage = indexingWith(({ projectId }: { projectId: string }) => usagePart(projectId))

/** The actions that change what a search finds. */
const CHANGES_CONTENT: ReadonlySet<Action> = new Set(['project:edit', 'content:edit'])

/** Locks projects ordered by id, and a draft with the last of them, to avoid deadlocks. */
async function lockInOrder(
  trx: Transaction<Schema>,
  caller: Caller,
  action: Action,
  refs: readonly LockedRef[],
): Promise<LockedAccess[]> {
  const [only, ...others] = refs
  if (only && others.length === 0) return [await requireAccessForChange(trx, caller, action, only)]
  const found = []
  for (const ref of refs)
    found.push({ ref, projectId: (await requireAccess(trx, caller, action, ref)).projectId })
  const ordered = found.toSorted((a, b) => (a.projectId < b.projectId ? -1 : 1))
  const draft = refs.find((ref) => ref.draft !== undefined)?.draft
  const locked = new Map<LockedRef, LockedAccess>()
  for (const { ref } of ordered) {
    const withDraft = { ...ref, draft: ref === ordered.at(-1)?.ref ? draft : undefined }
    locked.set(ref, await requireAccessForChange(trx, caller, action, withDraft))
  }
  return refs.flatMap((ref) => locked.get(ref) ?? [])
}
