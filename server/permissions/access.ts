import type { Transaction } from 'kysely'
import type { Action } from '#contract/actions.ts'
import type { Permissions } from '#contract/permissions.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import type { Caller } from '#server/platform/calls.ts'
import { forbidden, notFound } from '#server/platform/errors.ts'
import {
  findAccess,
  findStandingByMilestone,
  listMembers,
  lockAccess,
  lockProject,
  type Membership,
  type Place,
  type ProjectAccess,
} from './store.ts'
import { can, table } from './table.ts'

/** Who is asked about. Rights are a person's, whichever sign-in they act under. */
type Person = Pick<Caller, 'userId'>

/**
 * Demands that the caller may do the action there. Throws `not_found` where they may not even view,
 * `forbidden` where they may view but not act.
 */
export async function requireAccess(
  db: Db,
  caller: Caller | null,
  action: Action,
  place: Place,
): Promise<ProjectAccess> {
  const access = await standingAt(db, caller, place)
  if (!access || !can(access, 'project:view')) throw notFound('projectId' in place ? 'Project' : 'Milestone')
  if (!can(access, action)) throw forbidden()
  return access
}

/** As `requireAccess`, before a write: the project stays locked until the transaction ends, so no right is lost midway. */
export async function requireAccessForChange(
  trx: Transaction<Schema>,
  caller: Caller,
  action: Action,
  place: Place,
): Promise<ProjectAccess> {
  // Whoever has no right locks nothing, so that no stranger holds up those who write.
  const isLocked = await lockAccess(trx, caller.userId, place, table[action])
  const access = await requireAccess(trx, caller, action, place)
  if (isLocked) return access
  // The right was given between the two.
  await lockProject(trx, access.projectId)
  return requireAccess(trx, caller, action, place)
}

/** Locks a project as `requireAccessForChange` does, for a change that takes no right in it: the answer to an invitation. */
export function lockForChange(trx: Transaction<Schema>, projectId: string): Promise<void> {
  return lockProject(trx, projectId)
}

/** The owners and accepted collaborators of projects, in no order. */
export function membersOf(db: Db, projectIds: string[]): Promise<Membership[]> {
  return listMembers(db, projectIds)
}

/** Whether somebody, or anybody, may view a project; nobody may view one that does not exist. */
export async function mayView(db: Db, caller: Person | null, projectId: string): Promise<boolean> {
  const access = await standingAt(db, caller, { projectId })
  return access !== undefined && can(access, 'project:view')
}

/**
 * The caller's rights as screens use them: none in a project that is hidden from them. Throws `not_found` where there is
 * no such project; this is the one call that tells the two apart.
 */
export async function permissionsIn(db: Db, caller: Person | null, projectId: string): Promise<Permissions> {
  const access = await standingAt(db, caller, { projectId })
  if (!access) throw notFound('Project')
  return {
    canView: can(access, 'project:view'),
    canEdit: can(access, 'content:edit'),
    canManageCollaborators: can(access, 'collaborators:manage'),
    isOwner: access.role === 'owner',
    role: access.role,
  }
}

function standingAt(db: Db, caller: Person | null, place: Place) {
  const userId = caller?.userId ?? null
  return 'projectId' in place
    ? findAccess(db, userId, place.projectId)
    : findStandingByMilestone(db, userId, place.milestoneId)
}
