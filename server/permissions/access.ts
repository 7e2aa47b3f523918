import type { Transaction } from 'kysely'
import type { Action, Scope } from '#contract/parts/call.ts'
import type { Permissions } from '#contract/permissions.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { AppError, forbidden, notFound } from '#server/platform/api/errors.ts'
import { can, rolesByAction } from './roles-by-action.ts'
import {
  findAccess,
  findAccessByMilestone,
  type LockedAccess,
  type LockedRef,
  listMembers,
  listOwnProjects,
  lockAccess,
  lockProject,
  type Membership,
  type OwnProject,
  type ProjectAccess,
  type ProjectRef,
} from './store.ts'

export {
  type LockedAccess,
  type LockedRef,
  type OwnProject,
  type ProjectAccess,
  selectAccess,
} from './store.ts'

/** Returns the project or milestone in path parameters. Throws if a call that `needs` a right has neither parameter. */
export function projectRefOf({ projectId, milestoneId }: { readonly [name: string]: unknown }): ProjectRef {
  if (typeof projectId === 'string') return { projectId }
  if (typeof milestoneId === 'string') return { milestoneId }
  throw new Error('a call needs a right in a project and its path names none')
}

/** Rights belong to a user, in all sessions. An access token may limit them to some projects. */
type Person = Pick<Caller, 'userId' | 'grant'>

/**
 * Returns the caller's access if they may perform the action. Throws `not_found` if they may not view the project, and
 * `forbidden` if they may view it but not perform the action.
 */
export async function requireAccess(
  db: Db,
  caller: Caller | null,
  action: Action,
  ref: ProjectRef,
): Promise<ProjectAccess> {
  return requireRight(caller, await accessOf(db, caller, ref), action, ref)
}

/** Returns an access that was read by `selectAccess`, like `requireAccess`. */
export function requireRight<Access extends ProjectAccess>(
  caller: Person | null,
  found: Access | undefined,
  action: Action,
  ref: ProjectRef,
): Access {
  const access = withinGrant(caller, found)
  if (!access || !can(access, 'project:view')) throw notFound('projectId' in ref ? 'Project' : 'Milestone')
  if (!can(access, action)) throw forbidden()
  return access
}

/**
 * Like `requireAccess`, before a write: the project stays locked until the transaction ends, so that rights do not change
 * meanwhile.
 */
export async function requireAccessForChange(
  trx: Transaction<Schema>,
  caller: Caller,
  action: Action,
  ref: LockedRef,
): Promise<LockedAccess> {
  // A caller without the right locks nothing, so that strangers cannot delay writers.
  const asked = { roles: rolesByAction[action], granted: caller.grant?.projectIds ?? null }
  const lock = async () => {
    return requireRight(caller, await lockAccess(trx, caller.userId, ref, asked), action, ref)
  }
  const access = await lock()
  if (access.isLocked) return access
  // The right was granted after the first look.
  await lockProject(trx, access.projectId)
  return lock()
}

/** Locks a project like `requireAccessForChange`, for a change that requires no role, such as emptying the trash. */
export function lockForChange(trx: Transaction<Schema>, projectId: string): Promise<void> {
  return lockProject(trx, projectId)
}

/** Returns the owners and accepted collaborators of projects, unordered. */
export function membersOf(db: Db, projectIds: string[]): Promise<Membership[]> {
  return listMembers(db, projectIds)
}

/** Returns the projects that the caller owns or is a member of, without those that are only public. */
export function projectsOf(db: Db, { userId, grant }: Person): Promise<OwnProject[]> {
  return listOwnProjects(db, userId, grant?.projectIds ?? null)
}

/** Returns whether a user (null: a visitor) may perform the action in a project; false if the project does not exist. */
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
 * Returns the caller's evaluated rights for screens: none in a project that is hidden from them. Throws `not_found` if the
 * project does not exist. No other call distinguishes the two.
 */
export async function permissionsIn(db: Db, caller: Person | null, projectId: string): Promise<Permissions> {
  const access = await accessOf(db, caller, { projectId })
  if (!access) throw notFound('Project')
  return {
    canView: can(access, 'project:view'),
    canEdit: can(access, 'content:edit') && hasScope(caller, 'write'),
    canManageCollaborators: can(access, 'collaborators:manage') && hasScope(caller, 'manage'),
    isOwner: access.role === 'owner',
    role: access.role,
  }
}

async function accessOf(db: Db, caller: Person | null, ref: ProjectRef): Promise<ProjectAccess | undefined> {
  const userId = caller?.userId ?? null
  const access = await ('projectId' in ref
    ? findAccess(db, userId, ref.projectId)
    : findAccessByMilestone(db, userId, ref.milestoneId))
  return withinGrant(caller, access)
}

/** Returns an access without its role if the caller's access token does not allow the project. */
const withinGrant = <Access extends ProjectAccess>(caller: Person | null, access: Access | undefined) =>
  access && !isGranted(caller, access.projectId) ? { ...access, role: null } : access

/** Returns whether the caller's access token, if any, allows the project. */
export const isGranted = (caller: Person | null, projectId: string): boolean =>
  caller?.grant?.projectIds?.includes(projectId) ?? true

/** Returns whether the caller's access token, if any, has the scope. */
export const hasScope = (caller: Person | null, scope: Scope): boolean =>
  caller?.grant?.scopes.includes(scope) ?? true

/**
 * Requires that the caller's access token, if any, may change what visitors of a project see. A session may whatever its role
 * may. Throws `insufficient_scope`.
 */
export function requirePublishing(caller: Caller, { isPublic }: Pick<ProjectAccess, 'isPublic'>): void {
  if (isPublic && !hasScope(caller, 'publish'))
    throw new AppError(
      'insufficient_scope',
      'This project is public, and this access token lacks the scope “publish”: it may only write drafts here',
    )
}
