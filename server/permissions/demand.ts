import type { Transaction } from 'kysely'
import type { Action } from '#contract/actions.ts'
import type { Permissions } from '#contract/permissions.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import type { Caller } from '#server/platform/calls.ts'
import { forbidden, notFound } from '#server/platform/errors.ts'
import {
  findStanding,
  findStandingByMilestone,
  listMembers,
  lockProject,
  lockStanding,
  type Membership,
  type Place,
  type StandingRow,
} from './store.ts'
import { can, table } from './table.ts'

/** Who is asked about. Rights are a person's, whichever sign-in they act under. */
type Person = Pick<Caller, 'userId'>

/**
 * Demands that the caller may do the action there. Throws `not_found` where they may not even view,
 * `forbidden` where they may view but not act.
 */
export async function demand(
  db: Db,
  caller: Caller | null,
  action: Action,
  place: Place,
): Promise<StandingRow> {
  const standing = await standingAt(db, caller, place)
  if (!standing || !can(standing, 'project:view'))
    throw notFound('projectId' in place ? 'Project' : 'Milestone')
  if (!can(standing, action)) throw forbidden()
  return standing
}

/** As `demand`, before a write: the project stays locked until the transaction ends, so no right is lost midway. */
export async function demandForChange(
  trx: Transaction<Schema>,
  caller: Caller,
  action: Action,
  place: Place,
): Promise<StandingRow> {
  // Whoever has no right locks nothing, so that no stranger holds up those who write.
  const isLocked = await lockStanding(trx, caller.userId, place, table[action])
  const standing = await demand(trx, caller, action, place)
  if (isLocked) return standing
  // The right was given between the two.
  await lockProject(trx, standing.projectId)
  return demand(trx, caller, action, place)
}

/** Locks a project as `demandForChange` does, for a change that takes no right in it: the answer to an invitation. */
export function lockForChange(trx: Transaction<Schema>, projectId: string): Promise<void> {
  return lockProject(trx, projectId)
}

/** The owners and accepted collaborators of projects, in no order. */
export function membersOf(db: Db, projectIds: string[]): Promise<Membership[]> {
  return listMembers(db, projectIds)
}

/** Whether somebody, or anybody, may view a project; nobody may view one that does not exist. */
export async function mayView(db: Db, caller: Person | null, projectId: string): Promise<boolean> {
  const standing = await standingAt(db, caller, { projectId })
  return standing !== undefined && can(standing, 'project:view')
}

/**
 * The caller's rights as screens use them: none in a project that is hidden from them. Throws `not_found` where there is
 * no such project; this is the one call that tells the two apart.
 */
export async function permissionsIn(db: Db, caller: Person | null, projectId: string): Promise<Permissions> {
  const standing = await standingAt(db, caller, { projectId })
  if (!standing) throw notFound('Project')
  return {
    canView: can(standing, 'project:view'),
    canEdit: can(standing, 'content:edit'),
    canManageCollaborators: can(standing, 'collaborators:manage'),
    isOwner: standing.role === 'owner',
    role: standing.role,
  }
}

function standingAt(db: Db, caller: Person | null, place: Place) {
  const userId = caller?.userId ?? null
  return 'projectId' in place
    ? findStanding(db, userId, place.projectId)
    : findStandingByMilestone(db, userId, place.milestoneId)
}
