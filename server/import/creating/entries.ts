import { changeProjects } from '#server/change-project.ts'
import { importEntries } from '#server/entries/importing.ts'
import type { EntryItem } from '#server/import/items.ts'
import { clientOf } from '#server/platform/api/calls.ts'
import { AppError } from '#server/platform/api/errors.ts'
import { copyPictures } from './copies.ts'
import { storeFilesOf, withTargets } from './files.ts'
import { type Progress, recordOf } from './progress.ts'
import { insertItems } from './store.ts'
import { factsOf, storeVersions } from './versions.ts'

/** How many entries, and characters of them, are created in one transaction: others who write in the project wait for it. */
const AT_ONCE = 20
const CHARACTERS_AT_ONCE = 500_000
/** How many of them are prepared at a time: one waits for the disk or the database while another is decoded. */
const PREPARED_AT_ONCE = 2
/** How often members of a project are told of new entries. */
const TOLD_EVERY = 50

/** Adds an entry to those that are created next, unless it is there or its milestone was left out. */
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
  const { id: milestoneId, projectId } = milestone
  progress.latest = { id: targets.idOf(item.ref), ref: item.ref, projectId }
  if (targets.isMade(item.ref)) {
    await storeFilesOf(progress, await copyPictures(progress, item, projectId), projectId)
    made.entries += 1
    await progress.advance(made.entries)
  } else progress.entries.push({ item, milestoneId, projectId })
}

/** Whether as many entries and versions wait as are created at once. */
export function isFull({ entries, versions }: Progress): boolean {
  const characters = [...entries, ...versions].reduce((sum, { item }) => sum + item.content.length, 0)
  return entries.length >= AT_ONCE || versions.length >= AT_ONCE || characters >= CHARACTERS_AT_ONCE
}

/** Creates the entries that wait for it, with the files that they show, and then the versions. */
export async function createWaiting(progress: Progress): Promise<void> {
  const { entries, made, problems, deps } = progress
  progress.entries = []
  for (const [projectId, inProject] of Map.groupBy(entries, (entry) => entry.projectId)) {
    const prepared = await inLanes(PREPARED_AT_ONCE, inProject, (entry) => prepare(progress, entry))
    const refused = await createEach(progress, prepared)
    for (const { item, problem } of refused) problems.add(problem, item.path)
    const without = new Set(refused.map(({ item }) => item.ref))
    progress.versions = progress.versions.filter(({ item }) => !without.has(item.entry))
    const before = made.entries
    made.entries += inProject.length - refused.length
    if (Math.floor(before / TOLD_EVERY) < Math.floor(made.entries / TOLD_EVERY))
      deps.events.publish({ project: projectId })
    await progress.advance(made.entries)
  }
  await storeVersions(progress)
}

type Prepared = Awaited<ReturnType<typeof prepare>>

/** Stores the files of an entry and renders its text. */
async function prepare(progress: Progress, waiting: Progress['entries'][number]) {
  const { deps, caller } = progress
  const { projectId } = waiting
  const item = await copyPictures(progress, waiting.item, projectId)
  await storeFilesOf(progress, item, projectId)
  if (item.cover && progress.stored.has(item.cover) && !progress.pictures.has(item.cover))
    progress.problems.add('its cover is no picture that can be shown here', item.path)
  const content = withTargets(progress, item.content)
  return { ...waiting, item, content, rendering: await deps.renderer.render(clientOf(caller), content) }
}

/** Creates entries in one transaction, or each in its own if one of them is refused; returns those with the reason. */
async function createEach(
  progress: Progress,
  entries: Prepared[],
): Promise<(Prepared & { problem: string })[]> {
  const [first, ...others] = entries
  if (!first) return []
  try {
    await create(progress, entries)
    return []
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (others.length > 0) {
      const refused = []
      for (const entry of entries) refused.push(...(await createEach(progress, [entry])))
      return refused
    }
    if (error.code !== 'too_large' && error.code !== 'invalid') throw error
    return [{ ...first, problem: error.message }]
  }
}

async function create(progress: Progress, entries: Prepared[]): Promise<void> {
  const { deps, caller, importId } = progress
  const [first] = entries
  if (!first) return
  const rows = entries.map((entry) => entryOf(progress, entry))
  await changeProjects(
    deps,
    caller,
    'content:edit',
    [{ projectId: first.projectId }],
    async (trx, [access]) => {
      await importEntries(deps, trx, { caller, access }, rows)
      await insertItems(
        trx,
        importId,
        entries.map(({ item }, at) => ({ item, id: rows[at]?.id ?? item.ref })),
      )
    },
  )
}

function entryOf(progress: Progress, { item, milestoneId, content, rendering }: Prepared) {
  const { targets, ownName, pictures, caller } = progress
  const { title, tags, isDraft, author, cover, publishedAt } = item
  const happened = { ...item.happened, at: new Date(item.happened.at) }
  const isOwn = isDraft || author === undefined || author === ownName
  const hasCover = cover === undefined || cover === null || pictures.has(cover)
  return {
    id: targets.idOf(item.ref),
    milestoneId,
    title,
    content,
    rendering,
    tags,
    state: isDraft ? ('draft' as const) : ('published' as const),
    happened,
    author: isOwn ? { id: caller.userId, name: ownName } : { id: null, name: author },
    coverFile: hasCover ? cover && targets.idOf(cover) : undefined,
    publishedAt: publishedAt ? new Date(publishedAt) : isDraft ? null : happened.at,
    ...recordOf(item, happened.at),
    latest: item.latest && factsOf(progress, item.latest),
  }
}

/** Works through a list in several lanes at once, and returns the results in its order; after an error it waits for what has begun. */
async function inLanes<Item, Result>(
  lanes: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const left = [...items.entries()]
  const lane = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      try {
        results[next[0]] = await work(next[1])
      } catch (error) {
        left.length = 0
        throw error
      }
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane))
  const failed = ended.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
  return results
}
