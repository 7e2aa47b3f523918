import { v7 as uuidv7 } from 'uuid'
import type { ActivityKind } from '#contract/activity.ts'
import type { Project, ProjectChange, ProjectFields } from '#contract/projects.ts'
import { recordActivity } from '#server/activity/service.ts'
import { publishToInvited } from '#server/collaborators/invitation-links.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps, CreatingDeps } from '#server/deps.ts'
import { coverChoice } from '#server/files/present.ts'
import { recordCover } from '#server/files/uses.ts'
import {
  changeProject,
  isGranted,
  membersOf,
  requireAccess,
  requirePublishing,
} from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/calls.ts'
import { AppError, notFound, refuseStale } from '#server/platform/errors.ts'
import { transact } from '#server/platform/transact.ts'
import { moveToTrash } from '#server/trash/mark.ts'
import { readFinished } from './finished.ts'
import { projectPresenter } from './present.ts'
import { findProject, insertProject, listProjectsOf, type ProjectRecord, updateProjectRow } from './store.ts'

/** Returns the caller's own projects, newest first. */
export async function listProjects(deps: AppDeps, caller: Caller): Promise<Project[]> {
  const own = await listProjectsOf(deps.db, caller.userId)
  return own.filter(({ id }) => isGranted(caller, id)).map(projectPresenter(deps, caller))
}

/** Returns a project that the caller may view. Throws `not_found`. */
export function readProject(deps: AppDeps, caller: Caller | null, projectId: string): Promise<Project> {
  return inSnapshot(deps.db, async (db) => {
    await requireAccess(db, caller, 'project:view', { projectId })
    const row = await findProject(db, projectId)
    if (!row) throw notFound('Project')
    const finished = await readFinished(db, projectId)
    return { ...projectPresenter(deps, caller)(row), ...(finished && { finished }) }
  })
}

/** Creates a project of the caller. Throws `quota_exceeded`, or `insufficient_scope` if the access token does not allow it. */
export async function createProject(
  deps: CreatingDeps,
  caller: Caller,
  fields: ProjectFields,
): Promise<Project> {
  if (caller.grant?.projectIds)
    throw new AppError(
      'insufficient_scope',
      'This access token is limited to some projects and cannot start one',
    )
  return transact(deps, async (trx, publish) => {
    const now = deps.clock()
    const row = await insertProject(trx, { ...fields, id: uuidv7(), ownerId: caller.userId, now })
    await recordActivity(trx, {
      kind: 'project_created',
      projectId: row.id,
      actorId: caller.userId,
      subject: row.title,
      details: { visibility: row.visibility },
      now,
    })
    await deps.quotas.requireWithin(trx, caller, row.id, 0)
    publish({ project: row.id })
    return projectPresenter(deps, caller)(row)
  })
}

/** Changes title, description, visibility and cover. Throws `not_found`, `forbidden`, or `stale` if `ifMatch` is outdated. */
export function updateProject(
  deps: AppDeps,
  caller: Caller,
  projectId: string,
  fields: ProjectChange,
  ifMatch: number | undefined,
): Promise<Project> {
  return changeProject(deps, caller, 'project:edit', { projectId }, async (trx, access) => {
    requirePublishing(caller, access)
    const current = await findProject(trx, projectId)
    if (!current) throw notFound('Project')
    const present = projectPresenter(deps, caller)
    refuseStale(ifMatch, present(current))
    const cover = coverChoice(fields.coverFile)
    if (cover)
      await recordCover(trx, { projectId }, cover.cover_file_id, { projectId, writerId: caller.userId })
    const now = deps.clock()
    const row = await updateProjectRow(trx, projectId, fields, now)
    const kind = changeOf(current, row)
    if (kind)
      await recordActivity(trx, {
        kind,
        projectId,
        actorId: caller.userId,
        subject: row.title,
        ...(kind === 'project_published' && { details: { visibility: row.visibility } }),
        now,
      })
    return present(row)
  })
}

/** The column of each field of an update, so that a new field is recorded too. */
const columnOf = {
  title: 'title',
  description: 'description',
  isPublic: 'visibility',
  visibility: 'visibility',
  coverFile: 'cover_file_id',
} as const satisfies Record<keyof ProjectChange, keyof ProjectRecord>

/** Returns the kind of activity of an update; null if it changed nothing. */
function changeOf(before: ProjectRecord, after: ProjectRecord): ActivityKind | null {
  if (after.visibility !== before.visibility)
    return after.visibility === 'private' ? 'project_unpublished' : 'project_published'
  const columns = [...Object.values(columnOf), 'no_cover' as const]
  const isSame = columns.every((column) => after[column] === before[column])
  return isSame ? null : 'project_edited'
}

/**
 * Moves the project with its content to the trash, and returns the id of the deletion. Memberships and invitations are invalid
 * until it is restored. Throws `not_found` or `forbidden`.
 */
export function deleteProject(deps: AppDeps, caller: Caller, projectId: string): Promise<string> {
  return changeProject(deps, caller, 'project:delete', { projectId }, async (trx, access, publish) => {
    requirePublishing(caller, access)
    const members = await membersOf(trx, [projectId]) // read before the deletion, because it ends the memberships
    publish(...members.map(({ userId }) => ({ person: userId, project: projectId })))
    await publishToInvited({ trx, publish }, projectId)
    const subject = (await findProject(trx, projectId))?.title ?? ''
    return moveToTrash(trx, { projectId }, { subject, deletedBy: caller.userId, now: deps.clock() })
  })
}
