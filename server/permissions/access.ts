import type { Transaction } from 'kysely'
import type { Action, Scope } from '#contract/call.ts'
import type { Permissions } from '#contract/permissions.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import type { Caller } from '#server/platform/calls.ts'
import { forbidden, notFound } from '#server/platform/errors.ts'
import type { Events } from '#server/platform/events/events.ts'
import type { Idempotency } from '#server/platform/idempotency/idempotency.ts'
import { transact } from '#server/platform/transact.ts'
import { can, rolesByAction } from './roles-by-action.ts'
import {
  findAccess,
  findAccessByMilestone,
  listMembers,
  lockAccess,
  lockProject,
  type Membership,
  type ProjectAccess,
  type ProjectRef,
} from './store.ts'

/** Returns the project or milestone that the parameters of a path name. Throws if a call that `needs` a right names neither. */
export function projectRefOf({ projectId, milestoneId }: { readonly [name: string]: unknown }): ProjectRef {
  if (typeof projectId === 'string') return { projectId }
  if (typeof milestoneId === 'string') return { milestoneId }
  throw new Error('a call needs a right in a project and its path names none')
}

/** Rights belong to a person, whichever session they use; an access token may limit them to some projects. */
type Person = Pick<Caller, 'userId' | 'grant'>

/**
 * Returns the caller's access if they may do the action. Throws `not_found` if they may not even view the project,
 * and `forbidden` if they may view but not act.
 */
export async function requireAccess(
  db: Db,
  caller: Caller | null,
  action: Action,
  ref: ProjectRef,
): Promise<ProjectAccess> {
  const access = await accessOf(db, caller, ref)
  if (!access || !can(access, 'project:view')) throw notFound('projectId' in ref ? 'Project' : 'Milestone')
  if (!can(access, action)) throw forbidden()
  return access
}

/**
 * Requires access as `requireAccess` does, before a write: the project stays locked until the transaction ends, so that
 * no right is lost midway.
 */
export async function requireAccessForChange(
  trx: Transaction<Schema>,
  caller: Caller,
  action: Action,
  ref: ProjectRef,
): Promise<ProjectAccess> {
  // A caller without the right locks nothing, so that no stranger holds up those who write.
  if (caller.grant?.projectIds) await requireAccess(trx, caller, action, ref)
  const isLocked = await lockAccess(trx, caller.userId, ref, rolesByAction[action])
  const access = await requireAccess(trx, caller, action, ref)
  if (isLocked) return access
  // The right was given between the two statements.
  await lockProject(trx, access.projectId)
  return requireAccess(trx, caller, action, ref)
}

/** Locks a project as `requireAccessForChange` does, for a change that requires no role, such as emptying the trash. */
export function lockForChange(trx: Transaction<Schema>, projectId: string): Promise<void> {
  return lockProject(trx, projectId)
}

/** The owners and accepted collaborators of projects, in no order. */
export function membersOf(db: Db, projectIds: string[]): Promise<Membership[]> {
  return listMembers(db, projectIds)
}

/** Whether a person (null: everybody) may do the action in a project; false for one that does not exist. */
export async function may(
  db: Db,
  caller: Person | null,
  action: Action,
  projectId: string,
): Promise<boolean> {
  const access = await accessOf(db, caller, { projectId })
  return access !== undefined && can(access, action)
}

/**
 * The caller's rights as screens use them: none in a project that is hidden from them. Throws `not_found` if there is
 * no such project; this is the one call that distinguishes the two.
 */
export async function permissionsIn(db: Db, caller: Person | null, projectId: string): Promise<Permissions> {
  const access = await accessOf(db, caller, { projectId })
  if (!access) throw notFound('Project')
  const has = (scope: Scope) => caller?.grant?.scopes.includes(scope) ?? true
  return {
    canView: can(access, 'project:view'),
    canEdit: can(access, 'content:edit') && has('write'),
    canManageCollaborators: can(access, 'collaborators:manage') && has('manage'),
    isOwner: access.role === 'owner',
    role: access.role,
  }
}

async function accessOf(db: Db, caller: Person | null, ref: ProjectRef): Promise<ProjectAccess | undefined> {
  const userId = caller?.userId ?? null
  const access = await ('projectId' in ref
    ? findAccess(db, userId, ref.projectId)
    : findAccessByMilestone(db, userId, ref.milestoneId))
  return access && !isGranted(caller, access.projectId) ? { ...access, role: null } : access
}

/** Whether a caller may act in a project as far as their access token is concerned, if they use one. */
export const isGranted = (caller: Person | null, projectId: string): boolean =>
  caller?.grant?.projectIds?.includes(projectId) ?? true

type Deps = Pick<AppDeps, 'db' | 'events' | 'quotas'> & { idempotency?: Idempotency | undefined }
type Publish = Events['publish']
/** Lets a project exceed the quota by this many bytes, which a change adds to a history in addition to the text. */
type Allow = (access: ProjectAccess, bytes: number) => void
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
  change: (
    trx: Transaction<Schema>,
    accesses: Of<Refs, ProjectAccess>,
    publish: Publish,
    allow: Allow,
  ) => Promise<T>,
): Promise<T> {
  return transact(deps, async (trx, publish) => {
    const accesses = await lockInOrder(trx, caller, action, refs)
    const allowed = new Map<ProjectAccess, number>()
    const allow: Allow = (access, bytes) => allowed.set(access, bytes)
    const result = await change(trx, accesses as Of<Refs, ProjectAccess>, publish, allow)
    for (const access of accesses) {
      const { projectId, bytes } = access
      await deps.quotas.requireWithin(trx, caller, projectId, bytes + (allowed.get(access) ?? 0))
    }
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
