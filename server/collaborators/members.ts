import type { Collaborator, RoleFields } from '#contract/collaborators.ts'
import type { CollaboratorRole } from '#contract/permissions.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { Parts } from '#server/parts.ts'
import { changeProject } from '#server/permissions/change.ts'
import { demand } from '#server/permissions/demand.ts'
import { can } from '#server/permissions/table.ts'
import type { Caller } from '#server/platform/calls.ts'
import { notFound } from '#server/platform/errors.ts'
import { conflict } from './answers.ts'
import { type Telling, tellLeft, tellRemoved, tellRole, tellWithdrawn } from './invitation-notifications.ts'
import { listNoticed } from './invitation-store.ts'
import { presentCollaborator } from './present.ts'
import { closeInvitation } from './revoke.ts'
import {
  type CollaboratorRecord,
  deleteCollaborator,
  findCollaborator,
  findMember,
  findProject,
  listCollaboratorsOf,
  listMembersOf,
  lockCollaborator,
  setRole,
} from './store.ts'

type Place = { projectId: string; collaboratorId: string }

/**
 * The members of a project in the order of invitation, and for those who may invite also the invitations, with their
 * links. Throws `not_found` or `forbidden`.
 */
export function listCollaborators(parts: Parts, caller: Caller, projectId: string): Promise<Collaborator[]> {
  return inSnapshot(parts.db, async (db) => {
    const standing = await demand(db, caller, 'collaborators:list', { projectId })
    const manages = can(standing, 'collaborators:manage')
    const rows = await (manages ? listCollaboratorsOf : listMembersOf)(db, projectId)
    const viewer = { tokens: manages ? parts.tokenCipher : null, now: parts.clock() }
    return rows.map((row) => presentCollaborator(row, viewer))
  })
}

/**
 * Gives a member, or an invitation, another role. Throws `not_found`, `forbidden`, or `conflict` where the invitation
 * was declined.
 */
export function updateCollaborator(
  parts: Parts,
  caller: Caller,
  place: Place,
  { role }: RoleFields,
): Promise<Collaborator> {
  const now = parts.clock()
  return changeProject(parts, caller, 'collaborators:manage', place, async (trx, _, tell) => {
    const { row, project } = await find(trx, place)
    if (row.status === 'declined')
      throw conflict('This invitation was declined. Invite them again to give them a role.')
    if (row.role !== role) {
      await setRole(trx, row.id, role, now)
      await announceRole({ trx, tell, now }, row, project, role)
    }
    return presentCollaborator({ ...row, role }, { tokens: parts.tokenCipher, now })
  })
}

/** Removes a member, or withdraws an invitation. Throws `not_found` or `forbidden`. */
export async function removeCollaborator(parts: Parts, caller: Caller, place: Place): Promise<void> {
  const now = parts.clock()
  await changeProject(parts, caller, 'collaborators:manage', place, async (trx, _, tell) => {
    const { row, project } = await find(trx, place)
    await lockCollaborator(trx, row.id)
    const telling = { trx, tell, now }
    if (row.status === 'accepted' && row.user_id === caller.userId) return leave(telling, row, project)
    const told = row.status === 'pending' ? await closeInvitation(telling, row) : []
    await deleteCollaborator(trx, row.id)
    for (const userId of told) await tellWithdrawn(telling, userId, project)
    if (row.status !== 'accepted' || row.user_id === null) return
    await tellRemoved(telling, row.user_id, project)
    tell({ person: row.user_id, project: project.id })
  })
}

/** Ends the caller's own membership. Throws `not_found`, or `forbidden` for the owner and who is no member. */
export async function leaveProject(parts: Parts, caller: Caller, projectId: string): Promise<void> {
  const now = parts.clock()
  await changeProject(parts, caller, 'collaborators:leave', { projectId }, async (trx, _, tell) => {
    const project = await findProject(trx, projectId)
    const row = await findMember(trx, projectId, caller.userId)
    if (!row || !project) throw notFound('Collaborator')
    await leave({ trx, tell, now }, row, project)
  })
}

type Project = NonNullable<Awaited<ReturnType<typeof findProject>>>

async function find(trx: Telling['trx'], { projectId, collaboratorId }: Place) {
  const project = await findProject(trx, projectId)
  const row = await findCollaborator(trx, projectId, collaboratorId)
  if (!row || !project) throw notFound('Collaborator')
  return { row, project }
}

/** A member is told of their role; whoever is invited sees it on the invitation. */
async function announceRole(
  telling: Telling,
  row: CollaboratorRecord,
  project: Project,
  role: CollaboratorRole,
): Promise<void> {
  const { id } = project
  if (row.status === 'accepted' && row.user_id !== null) {
    await tellRole(telling, row.user_id, project, role)
    telling.tell({ person: row.user_id, project: id })
  } else {
    const told = await listNoticed(telling.trx, row.id)
    telling.tell(...told.map((person) => ({ person, project: id })))
  }
}

async function leave(telling: Telling, row: CollaboratorRecord, project: Project): Promise<void> {
  await deleteCollaborator(telling.trx, row.id)
  await tellLeft(telling, project.owner_id, project, row.invitee_name)
  if (row.user_id !== null) telling.tell({ person: row.user_id, project: project.id })
}
