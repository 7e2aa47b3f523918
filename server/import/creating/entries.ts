import { changeProjects } from '#server/change-project.ts'
import { importEntry } from '#server/entries/importing.ts'
import type { EntryItem } from '#server/import/items.ts'
import { clientOf } from '#server/platform/api/calls.ts'
import { AppError } from '#server/platform/api/errors.ts'
import { storeFilesOf, withTargets } from './files.ts'
import { type Progress, recordOf } from './progress.ts'
import { insertItem } from './store.ts'
import { factsOf } from './versions.ts'

/** How often members of a project are told of new entries. */
const TOLD_EVERY = 50

/** Creates an entry with the files that it shows, unless it is there or its milestone was left out. */
export async function addEntry(progress: Progress, item: EntryItem): Promise<void> {
  const { targets, made } = progress
  progress.latest = null
  const milestone = progress.milestones.get(item.milestone)
  if (!milestone) {
    progress.leftOut += 1
    return
  }
  if (targets.isHere(item.ref)) {
    progress.here += 1
    return
  }
  await storeFilesOf(progress, item, milestone.projectId)
  if (!targets.isMade(item.ref)) {
    const problem = await addNewEntry(progress, item, milestone)
    if (problem !== undefined) {
      progress.problems.add(problem, item.path)
      return
    }
  }
  progress.latest = { ref: item.ref, id: targets.idOf(item.ref), projectId: milestone.projectId }
  made.entries += 1
  await progress.advance(made.entries)
}

/** Returns why it is refused. */
async function addNewEntry(
  progress: Progress,
  item: EntryItem,
  milestone: { id: string; projectId: string },
): Promise<string | undefined> {
  const { deps, caller, importId, made } = progress
  const { projectId } = milestone
  const content = withTargets(progress, item.content)
  const rendering = await deps.renderer.render(clientOf(caller), content)
  const entry = { ...entryOf(progress, item), milestoneId: milestone.id, content }
  try {
    await changeProjects(deps, caller, 'content:edit', [{ projectId }], async (trx, [access], publish) => {
      await importEntry(deps, trx, { caller, access }, entry, rendering)
      await insertItem(trx, importId, item, entry.id)
      if (made.entries % TOLD_EVERY === 0) publish({ project: projectId })
    })
    return undefined
  } catch (error) {
    if (error instanceof AppError && (error.code === 'too_large' || error.code === 'invalid'))
      return error.message
    throw error
  }
}

function entryOf(progress: Progress, item: EntryItem) {
  const { targets, ownName, stored } = progress
  const { title, tags, isDraft, author, cover, publishedAt } = item
  const happened = { ...item.happened, at: new Date(item.happened.at) }
  const isOwn = isDraft || author === undefined || author === ownName
  const hasCover = cover === undefined || cover === null || stored.get(cover) === true
  return {
    id: targets.idOf(item.ref),
    title,
    tags,
    state: isDraft ? ('draft' as const) : ('published' as const),
    happened,
    author: isOwn ? ('caller' as const) : { name: author },
    coverFile: hasCover ? cover && targets.idOf(cover) : undefined,
    publishedAt: publishedAt ? new Date(publishedAt) : isDraft ? null : happened.at,
    ...recordOf(item, happened.at),
    latest: item.latest && factsOf(progress, item.latest),
  }
}
