import type { Collaboration, CollaborationQuery, Collaborator, RoleFields } from '#contract/collaborators.ts'
import type { Pagination } from '#contract/parts/pagination.ts'
import type { CollaboratorRole } from '#contract/permissions.ts'
import { changeProject } from '#server/change-project.ts'
import type { CoverJson } from '#server/database/covers.ts'
import type { Db } from '#server/database/rows.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import type { ExportedProject } from '#server/feature-subjects.ts'
import { coverFields, urlsFor } from '#server/files/present.ts'
import { hasScope, requireAccess } from '#server/permissions/access.ts'
import { can } from '#server/permissions/roles-by-action.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { conflict, notFound, notSignedIn } from '#server/platform/api/errors.ts'
import { offsetOf, paginate } from '#server/platform/api/pagination.ts'
import type { Client } from '#server/platform/limits/fair-queue.ts'
import type { RunSearch } from '#server/platform/limits/search.ts'
import { recordInvitation, recordMember } from './activity.ts'
import { emailProof } from './invitation-proof.ts'
import { countMyCollaborations, listMyCollaborationRows } from './my-collaborations-store.ts'
import {
  type ChangeContext,
  notifyLeft,
  notifyRemoved,
  notifyRole,
  notifyTransferred,
  notifyWithdrawn,
  revokeInvitation,
} from './notifications.ts'
import { lockStayingUser, setOwner } from './ownership-store.ts'
import { presentCollaboration, presentCollaborator } from './present.ts'
import {
  type CollaboratorRecord,
  deleteCollaborator,
  findCollaborator,
  findMember,
  findPerson,
  findProject,
  listCollaboratorsOf,
  listMembersOf,
  listNotified,
  lockCollaborator,
  setRole,
} from './store.ts'

type CollaboratorRef = { projectId: string; collaboratorId: string }

/**
 * Returns the members of a project in the order of invitation, and for callers who may invite also the invitations with
 * their links. Throws `not_found` or `forbidden`.
 */
export function listCollaborators(deps: AppDeps, caller: Caller, projectId: string): Promise<Collaborator[]> {
  return inSnapshot(deps.db, async (db) => {
    const access = await requireAccess(db, caller, 'collaborators:list', { projectId })
    const manages = can(access, 'collaborators:manage')
    const rows = await (manages ? listCollaboratorsOf : listMembersOf)(db, projectId)
    const reader = { tokens: manages ? deps.tokenCipher : null, now: deps.clock() }
    return rows.map((row) => presentCollaborator(row, reader))
  })
}

/**
 * Changes the role of a member or an invitation. Throws `not_found`, `forbidden`, or `conflict` if the invitation
 * was declined.
 */
export function updateCollaborator(
  deps: AppDeps,
  caller: Caller,
  ref: CollaboratorRef,
  { role }: RoleFields,
): Promise<Collaborator> {
  const now = deps.clock()
  return changeProject(deps, caller, 'collaborators:manage', ref, async (trx, _, publish) => {
    const { row, project } = await find(trx, ref)
    if (row.status === 'declined')
      throw conflict('This invitation was declined. Invite them again to give them a role.')
    if (row.role !== role) {
      await setRole(trx, row.id, role, now)
      const by = { actorId: caller.userId, details: { role } }
      // Changing the role of a pending invitation makes it a different invitation.
      if (row.status === 'accepted') await recordMember({ trx, now }, 'role_changed', row, by)
      else await recordInvitation({ trx, now }, 'member_invited', row, by)
      await publishRole({ trx, publish, now }, row, project, role)
    }
    return presentCollaborator({ ...row, role }, { tokens: deps.tokenCipher, now })
  })
}

/** Removes a member, or withdraws an invitation. Throws `not_found` or `forbidden`. */
export async function removeCollaborator(deps: AppDeps, caller: Caller, ref: CollaboratorRef): Promise<void> {
  const now = deps.clock()
  await changeProject(deps, caller, 'collaborators:manage', ref, async (trx, _, publish) => {
    const { row, project } = await find(trx, ref)
    await lockCollaborator(trx, row.id)
    const context = { trx, publish, now }
    if (row.status === 'accepted' && row.user_id === caller.userId) return leave(context, row, project)
    const notified = row.status === 'pending' ? await revokeInvitation(context, row) : []
    await deleteCollaborator(trx, row.id)
    for (const userId of notified) await notifyWithdrawn(context, userId, project)
    const by = { actorId: caller.userId }
    if (row.status === 'pending') await recordInvitation(context, 'invitation_withdrawn', row, by)
    if (row.status !== 'accepted' || row.user_id === null) return
    await recordMember(context, 'member_removed', row, by)
    await notifyRemoved(context, row.user_id, project)
    publish({ person: row.user_id, project: project.id })
  })
}

/**
 * Makes a member the owner of a project, and its owner an admin. Throws `not_found`, `forbidden`, or `conflict` if the
 * new owner is not a member, is deleting their account, or would exceed their quota.
 */
export async function transferProject(
  deps: AppDeps,
  caller: Caller,
  projectId: string,
  { collaborator: collaboratorId }: { collaborator: string },
): Promise<void> {
  const now = deps.clock()
  await changeProject(deps, caller, 'project:delete', { projectId }, async (trx, _, publish) => {
    const { row, project } = await find(trx, { projectId, collaboratorId })
    const { user_id: newOwner } = row
    if (row.status !== 'accepted' || newOwner === null)
      throw conflict('Only somebody who collaborates on the project can take it over.')
    if (!(await lockStayingUser(trx, newOwner)))
      throw conflict('Their account is being deleted or is suspended.')
    await deleteCollaborator(trx, row.id)
    await setOwner(trx, project, { newOwner, now })
    if (await deps.quotas.isOwnerOver(trx, projectId))
      throw conflict('The project would exceed their storage limit.')
    await recordMember({ trx, now }, 'project_handed_over', row, { actorId: caller.userId })
    const owner = await findPerson(trx, caller.userId)
    await notifyTransferred({ trx, publish, now }, newOwner, project, owner?.name ?? null)
    publish({ person: newOwner, project: projectId }, { person: caller.userId, project: projectId })
  })
}

/** Ends the caller's own membership. Throws `not_found`, or `forbidden` for the owner and callers who are not members. */
export async function leaveProject(deps: AppDeps, caller: Caller, projectId: string): Promise<void> {
  const now = deps.clock()
  await changeProject(deps, caller, 'collaborators:leave', { projectId }, async (trx, _, publish) => {
    const project = await findProject(trx, projectId)
    const row = await findMember(trx, projectId, caller.userId)
    if (!row || !project) throw notFound('Collaborator')
    await leave({ trx, publish, now }, row, project)
  })
}

type Project = NonNullable<Awaited<ReturnType<typeof findProject>>>

async function find(trx: ChangeContext['trx'], { projectId, collaboratorId }: CollaboratorRef) {
  const project = await findProject(trx, projectId)
  const row = await findCollaborator(trx, projectId, collaboratorId)
  if (!row || !project) throw notFound('Collaborator')
  return { row, project }
}

/** Notifies a member of their role; an invited person sees it on the invitation. */
async function publishRole(
  context: ChangeContext,
  row: CollaboratorRecord,
  project: Project,
  role: CollaboratorRole,
): Promise<void> {
  const { id } = project
  if (row.status === 'accepted' && row.user_id !== null) {
    await notifyRole(context, row.user_id, project, role)
    context.publish({ person: row.user_id, project: id })
  } else {
    const notified = await listNotified(context.trx, row.id)
    context.publish(...notified.map((person) => ({ person, project: id })))
  }
}

async function leave(context: ChangeContext, row: CollaboratorRecord, project: Project): Promise<void> {
  await deleteCollaborator(context.trx, row.id)
  await recordMember(context, 'member_left', row, { actorId: row.user_id })
  await notifyLeft(context, project.owner_id, project, row.invitee_name)
  if (row.user_id !== null) context.publish({ person: row.user_id, project: project.id })
}

/** The caller, the client for which a search counts towards the concurrency limit, and that limit. */
type Asking = { caller: Caller; client: Client; search: RunSearch }

/** Returns a page of the projects that the caller is or was invited to, the newest invitation first. */
export function listMyCollaborations(
  deps: AppDeps,
  { caller: { userId, grant }, client, search: runSearch }: Asking,
  { page, limit, search, status }: CollaborationQuery,
): Promise<{ collaborations: Collaboration[]; pagination: Pagination }> {
  // Anybody with the token of an invitation can accept it, which programs must not.
  const reader = {
    tokens: grant ? null : deps.tokenCipher,
    now: deps.clock(),
    coverOf: (cover: CoverJson, isPublic: boolean) =>
      coverFields(cover, urlsFor(deps, isPublic ? null : { userId })),
  }
  const projectIds = grant?.projectIds ?? null
  const read = async (db: Db) => {
    const person = await findPerson(db, userId)
    if (!person) throw notSignedIn()
    const mine = { userId, email: person.email, proof: emailProof(deps, person), search, status, projectIds }
    const { total, shownEarlier } = await countMyCollaborations(db, mine)
    const pagination = paginate(total, { page, limit })
    const rows = await listMyCollaborationRows(db, mine, {
      offset: offsetOf(pagination),
      limit,
      shownEarlier,
    })
    return { collaborations: rows.map((row) => presentCollaboration(row, reader)), pagination }
  }
  return search ? runSearch(client, read) : inSnapshot(deps.db, read)
}

/** Returns the members of an own project for the download of all data, without the links of invitations. */
export async function exportMembers(
  deps: AppDeps,
  caller: Caller,
  { projectId, isOwn }: ExportedProject,
): Promise<{ members?: Omit<Collaborator, 'inviteToken'>[] }> {
  // As the call that lists them, whose scope allows to read emails.
  if (!isOwn || !hasScope(caller, 'manage')) return {}
  const members = await listCollaborators(deps, caller, projectId)
  return { members: members.map(withoutToken) }
}

function withoutToken(collaborator: Collaborator) {
  const { inviteToken: _, ...rest } = collaborator
  return rest
}
