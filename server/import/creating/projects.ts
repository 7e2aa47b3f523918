import { changeProjects } from '#server/change-project.ts'
import type { MilestoneItem, ProjectItem } from '#server/import/items.ts'
import { importMilestone } from '#server/milestones/importing.ts'
import { AppError } from '#server/platform/api/errors.ts'
import { transact } from '#server/platform/transact.ts'
import { coverImported, importProject } from '#server/projects/importing.ts'
import { storeFile } from './files.ts'
import { isPassing, type Progress, recordOf } from './progress.ts'
import { findProjectOfMilestone, insertItems } from './store.ts'

/** Creates a project, unless it is skipped, there already, or to go into another one. */
export async function addProject(progress: Progress, item: ProjectItem): Promise<void> {
  const { deps, caller, choices, importId, targets } = progress
  const choice = progress.choiceOf.get(item.ref)
  if (choice?.skip) return
  const id = choice?.into ?? targets.idOf(item.ref)
  progress.projects.set(item.ref, { id, item })
  if (choice?.into !== undefined || targets.isHere(item.ref)) return
  progress.made.projects += 1
  if (targets.isMade(item.ref)) return
  await transact(deps, async (trx, publish) => {
    await importProject(deps, trx, caller.userId, {
      id,
      title: choice?.title ?? item.title,
      description: item.description,
      visibility: choices.visibility,
      ...recordOf(item, deps.clock()),
    })
    await insertItems(trx, importId, [{ item, id }])
    publish({ project: id })
  })
}

/** Creates a milestone, unless it is skipped or there already. */
export async function addMilestone(progress: Progress, item: MilestoneItem): Promise<void> {
  const { deps, caller, importId, targets, milestones } = progress
  const project = progress.projects.get(item.project)
  if (!project || progress.skipped.has(item.ref)) {
    milestones.set(item.ref, null)
    return
  }
  const id = targets.idOf(item.ref)
  const isThere = targets.isHere(item.ref) || targets.isMade(item.ref)
  // Somebody may have moved or deleted it since.
  const projectId = isThere ? await findProjectOfMilestone(deps.db, id) : project.id
  milestones.set(item.ref, projectId === undefined ? null : { id, projectId })
  if (!targets.isHere(item.ref)) progress.made.milestones += 1
  if (isThere) return
  const { title, description, startsOn = null, dueOn = null, completed = false } = item
  const reachedAt = item.reachedAt ? new Date(item.reachedAt) : null
  const placed = { id, projectId: project.id, title, description, completed, startsOn, dueOn, reachedAt }
  const record = recordOf(item, deps.clock())
  await changeProjects(
    deps,
    caller,
    'content:edit',
    [{ projectId: project.id }],
    async (trx, _access, publish) => {
      await importMilestone(deps, trx, caller.userId, { ...placed, ...record })
      await insertItems(trx, importId, [{ item, id }])
      publish({ project: project.id })
    },
  )
}

/** Gives the projects that the import has created their covers. */
export async function setCovers(progress: Progress): Promise<void> {
  const { deps, caller, targets, choiceOf, problems } = progress
  for (const { id, item } of progress.projects.values()) {
    if (item.cover === undefined || id !== targets.idOf(item.ref)) continue
    if (targets.isHere(item.ref) || choiceOf.get(item.ref)?.into !== undefined) continue
    if (item.cover !== null && !(await storeFile(progress, item.cover, id))) continue
    const coverFile = item.cover === null ? null : targets.idOf(item.cover)
    await changeProjects(deps, caller, 'project:edit', [{ projectId: id }], (trx) =>
      coverImported(trx, { projectId: id, writerId: caller.userId }, coverFile),
    ).catch((error: unknown) => {
      if (!(error instanceof AppError) || isPassing(error)) throw error
      problems.add(error.message, `the cover of ${item.title}`)
    })
  }
}
