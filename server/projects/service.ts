import { v7 as uuidv7 } from 'uuid'
import type { ActivityKind } from '#contract/activity.ts'
import type { Project, ProjectChange, ProjectFields } from '#contract/projects.ts'
import { recordActivity } from '#server/activity/service.ts'
import { changeProject } from '#server/change-project.ts'
import { publishToInvited } from '#server/collaborators/invitation-links.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import { coverChoice } from '#server/files/present.ts'
import { recordCover } from '#server/files/uses.ts'
import { isGranted, may, membersOf, requireAccess, requirePublishing } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { AppError, notFound, refuseStale } from '#server/platform/api/errors.ts'
import {
  type Change,
  findCreated,
  findTaker,
  firstChanges,
  hasChange,
  idTaken,
} from '#server/platform/changes/changes.ts'
import { transact } from '#server/platform/transact.ts'
import { indexChanges } from '#server/search/indexing.ts'
import { moveToTrash } from '#server/trash/mark.ts'
import { readFinished } from './finished.ts'
import { projectPresenter } from './present.ts'
import {
  findProject,
  findProjectOfMaker,
  insertProject,
  listProjectsOf,
  type ProjectRecord,
  updateProjectRow,
} from './store.ts'

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
  deps: AppDeps,
  caller: Caller,
  fields: ProjectFields,
  change: Change,
): Promise<Project> {
  if (caller.grant?.projectIds)
    throw new AppError(
      'insufficient_scope',
      'This access token is limited to some projects and cannot start one',
    )
  return transact(deps, async (trx, publish) => {
    const present = projectPresenter(deps, caller)
    const findBefore = async () => {
      const created = await findCreated(await findTaker(trx, change.newId), 'project', async () => {
        const found = await findProjectOfMaker(trx, change.newId ?? '', caller.userId)
        return found && (await may(trx, caller, 'project:view', found.id)) ? found : undefined
      })
      if (created) change.wasDone(created)
      return created
    }
    const before = await findBefore()
    if (before) return present(before)
    await deps.quotas.requireProject(trx, caller)
    const now = deps.clock()
    const made = { id: change.newId ?? uuidv7(), changes: firstChanges(change), now }
    const row = await insertProject(trx, { ...fields, ...made, ownerId: caller.userId })
    if (!row) {
      // Sent twice at the same moment, and the other one was first.
      const twin = await findBefore()
      if (!twin) throw idTaken()
      return present(twin)
    }
    await recordActivity(trx, {
      kind: 'project_created',
      projectId: row.id,
      actorId: caller.userId,
      subject: row.title,
      details: { visibility: row.visibility },
      now,
    })
    await deps.quotas.requireWithin(trx, caller, row.id, 0)
    await indexChanges(trx)
    publish({ project: row.id })
    return present(row)
  })
}

/** Changes title, description, visibility and cover. Throws `not_found`, `forbidden`, or `stale` if `ifMatch` is outdated. */
export function updateProject(
  deps: AppDeps,
  caller: Caller,
  projectId: string,
  fields: ProjectChange,
  ifMatch: number | undefined,
  change: Change,
): Promise<Project> {
  return changeProject(deps, caller, 'project:edit', { projectId }, async (trx, access) => {
    requirePublishing(caller, access)
    const current = await findProject(trx, projectId)
    if (!current) throw notFound('Project')
    const present = projectPresenter(deps, caller)
    if (hasChange(current, change)) return present(current)
    refuseStale(ifMatch, present(current))
    const cover = coverChoice(fields.coverFile)
    if (cover)
      await recordCover(trx, { projectId }, cover.cover_file_id, { projectId, writerId: caller.userId })
    const now = deps.clock()
    const row = await updateProjectRow(trx, projectId, fields, { change: change.change, now })
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
export function deleteProject(
  deps: AppDeps,
  caller: Caller,
  projectId: string,
  change: Change,
): Promise<string> {
  return changeProject(deps, caller, 'project:delete', { projectId }, async (trx, access, publish) => {
    requirePublishing(caller, access)
    const project = await findProject(trx, projectId)
    if (!project) throw notFound('Project')
    // Deleted, and restored since.
    if (change.change !== null && hasChange(project, change)) return change.change
    const members = await membersOf(trx, [projectId]) // read before the deletion, because it ends the memberships
    publish(...members.map(({ userId }) => ({ person: userId, project: projectId })))
    await publishToInvited({ trx, publish }, projectId)
    const { change: id } = change
    const mark = { id, subject: project.title, deletedBy: caller.userId, now: deps.clock() }
    return moveToTrash(trx, { projectId }, mark)
  })
}
