import { v7 as uuidv7 } from 'uuid'
import type { Project, ProjectChange, ProjectFields } from '#contract/projects.ts'
import { revokeInvitations } from '#server/collaborators/invitation-notifications.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import { recordCover } from '#server/files/uses.ts'
import { membersOf, requireAccess } from '#server/permissions/access.ts'
import { changeProject } from '#server/permissions/change.ts'
import type { Caller } from '#server/platform/calls.ts'
import { notFound, refuseStale } from '#server/platform/errors.ts'
import { transact } from '#server/platform/events/events.ts'
import { projectPresenter } from './present.ts'
import { deleteProjectRow, findProject, insertProject, listProjectsOf, updateProjectRow } from './store.ts'

/** The caller's own projects, newest first. */
export async function listProjects(deps: AppDeps, caller: Caller): Promise<Project[]> {
  return (await listProjectsOf(deps.db, caller.userId)).map(projectPresenter(deps, caller))
}

/** One project that the caller may view. Throws `not_found`. */
export function readProject(deps: AppDeps, caller: Caller | null, projectId: string): Promise<Project> {
  return inSnapshot(deps.db, async (db) => {
    await requireAccess(db, caller, 'project:view', { projectId })
    const row = await findProject(db, projectId)
    if (!row) throw notFound('Project')
    return projectPresenter(deps, caller)(row)
  })
}

/** Starts a project that the caller owns. Throws `quota_exceeded`. */
export function createProject(deps: AppDeps, caller: Caller, fields: ProjectFields): Promise<Project> {
  return transact(deps, async (trx, publish) => {
    const project = { ...fields, id: uuidv7(), ownerId: caller.userId, now: deps.clock() }
    const row = await insertProject(trx, project)
    await deps.quotas.requireWithin(trx, caller, row.id, 0)
    publish({ project: row.id })
    return projectPresenter(deps, caller)(row)
  })
}

/** Changes title, description, visibility and cover. Throws `not_found`, `forbidden`, or `stale` where `ifMatch` is old. */
export function updateProject(
  deps: AppDeps,
  caller: Caller,
  projectId: string,
  fields: ProjectChange,
  ifMatch: number | undefined,
): Promise<Project> {
  return changeProject(deps, caller, 'project:edit', { projectId }, async (trx) => {
    const current = await findProject(trx, projectId)
    if (!current) throw notFound('Project')
    const present = projectPresenter(deps, caller)
    refuseStale(ifMatch, present(current))
    const { coverFile } = fields
    if (coverFile !== undefined)
      await recordCover(trx, { projectId }, coverFile, { projectId, writerId: caller.userId })
    return present(await updateProjectRow(trx, projectId, fields, deps.clock()))
  })
}

/** Deletes the project with everything in it. Throws `not_found` or `forbidden`. */
export async function deleteProject(deps: AppDeps, caller: Caller, projectId: string): Promise<void> {
  await changeProject(deps, caller, 'project:delete', { projectId }, async (trx, _access, publish) => {
    const members = await membersOf(trx, [projectId]) // afterwards nobody is a member of it
    await revokeInvitations({ trx, publish }, projectId)
    await deleteProjectRow(trx, projectId)
    publish(...members.map(({ userId }) => ({ person: userId, project: projectId })))
  })
}
