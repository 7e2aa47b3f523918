import type { Milestone } from '#contract/milestones.ts'
import type { AppDeps } from '#server/deps.ts'
import type { Feature } from '#server/feature.ts'
import {
  type Add,
  createFiles,
  documentOf,
  listFiles,
  withRelativeLinks,
} from '#server/files/archive/files.ts'
import { createFolder, slugOf } from '#server/files/archive/names.ts'
import { presentCoverChoice, shownCover } from '#server/files/present.ts'
import { listMilestones } from '#server/milestones/service.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { collectVersions } from './collect-versions.ts'
import { type EntryRecord, listEntries, type ProjectRecord } from './store.ts'

const ENTRIES_AT_ONCE = 50

type Archive = {
  add: Add
  /** Those that add something to each project. */
  features: readonly Feature[]
  /** Whether projects of others come whole, and not only with what the caller wrote there. */
  isWhole: boolean
  /** Whether entries come with their versions, where the caller may see them. */
  withHistory: boolean
}

/** Collects projects in which the caller participates. */
export async function* collectProjects(
  deps: AppDeps,
  caller: Caller,
  { projects, ...archive }: Archive & { projects: readonly ProjectRecord[] },
) {
  const name = createFolder()
  for (const project of projects) {
    const isWhole = archive.isWhole || project.is_own
    const folder = `${isWhole ? 'projects' : 'shared'}/${name(slugOf(project.title))}`
    yield* collectProject(deps, caller, { ...archive, project, folder, isWhole })
  }
}

type Target = Archive & { project: ProjectRecord; folder: string }

async function* collectProject(deps: AppDeps, caller: Caller, target: Target) {
  const { project, folder, add, features, isWhole } = target
  const { id: projectId, title, description, visibility } = project
  const files = createFiles(`${folder}/files`, add)
  const [cover] = isWhole ? await files.added(await listFiles(deps.db, { projectId })) : []
  const at = project.updated_at.toISOString()
  const createdAt = project.created_at.toISOString()
  const role = project.is_own ? 'owner' : project.role
  const matter = { title, visibility, role, created: createdAt, cover: cover && `files/${cover.name}` }
  await add({ path: `${folder}/project.md`, at, text: documentOf(matter, description) })
  const rest = {}
  for (const { exportProject } of features)
    Object.assign(rest, await exportProject?.(deps, caller, { projectId, isOwn: project.is_own }))
  yield {
    _id: projectId,
    folder,
    title,
    description,
    visibility,
    role,
    createdAt,
    updatedAt: at,
    version: project.version,
    ...(cover && { cover }),
    ...(project.no_cover && { cover: null }),
    milestones: collectMilestones(deps, caller, { ...target, files }),
    ...rest,
  }
}

type Files = ReturnType<typeof createFiles>
type Within = Target & { files: Files }

async function* collectMilestones(deps: AppDeps, caller: Caller, within: Within) {
  const milestones = await listMilestones(deps, caller, within.project.id)
  const digits = Math.max(2, String(milestones.length).length)
  for (const [index, milestone] of milestones.entries()) {
    const name = `${String(index + 1).padStart(digits, '0')}-${slugOf(milestone.title)}`
    const folder = `${within.folder}/${name}`
    const { title, completed, startsOn, dueOn, reachedAt, createdAt } = milestone
    const matter = {
      title,
      completed: String(completed),
      starts: startsOn,
      due: dueOn,
      reached: reachedAt,
      created: createdAt,
    }
    const entries = collectEntries(deps, caller, {
      ...within,
      milestone,
      folder,
      projectFolder: within.folder,
    })
    const first = await entries.next()
    if (!within.isWhole && first.done) continue
    const at = milestone.updatedAt
    await within.add({ path: `${folder}/milestone.md`, at, text: documentOf(matter, milestone.description) })
    yield { ...milestone, folder, entries: continued(first, entries) }
  }
}

/** Continues an iteration whose first item was already read. */
async function* continued<T>(first: IteratorResult<T, void>, rest: AsyncGenerator<T, void>) {
  if (first.done) return
  yield first.value
  yield* rest
}

type WithinMilestone = Within & { milestone: Milestone; projectFolder: string }

async function* collectEntries(deps: AppDeps, caller: Caller, within: WithinMilestone) {
  const { milestone, folder, add, files, project, isWhole } = within
  // As in the history of an entry, which viewers do not see.
  const hasHistory = within.withHistory && (project.is_own || project.role !== 'viewer')
  const name = createFolder()
  name('milestone.md')
  const query = { milestoneId: milestone._id, reader: caller.userId, ownAlone: !isWhole }
  for (let after: string | undefined; ; ) {
    const rows = await listEntries(deps.db, { ...query, after, limit: ENTRIES_AT_ONCE })
    const used = Map.groupBy(
      await listFiles(deps.db, { entryIds: rows.map(({ id }) => id) }),
      ({ user_id }) => user_id,
    )
    for (const row of rows) {
      const shown = await files.added(used.get(row.id) ?? [])
      const stem = `${row.happened_on}-${slugOf(row.title)}`
      const path = `${folder}/${name(`${stem}.md`)}`
      const cover = shown.find(({ _id }) => _id === shownCover(row))?.name
      const text = entryText(row, { project, milestone, cover, shown, files: '../files' })
      await add({ path, at: row.updated_at.toISOString(), text })
      const versions = hasHistory && {
        versions: collectVersions(deps, {
          entryId: row.id,
          reader: caller.userId,
          folder: `${within.projectFolder}/history${path.slice(within.projectFolder.length, -'.md'.length)}`,
          add,
          files,
          shown: shown.map(({ _id }) => _id),
        }),
      }
      yield { ...presentEntry(row, { path, files: shown }), ...versions }
    }
    if (rows.length < ENTRIES_AT_ONCE) return
    after = rows.at(-1)?.id
  }
}

type EntryContext = {
  project: { title: string }
  milestone: { title: string }
  cover: string | undefined
  shown: { _id: string; name: string }[]
  /** The folder of the files, from that of the entry. */
  files: string
}

/** Returns an entry as a Markdown file. */
export function entryText(
  row: EntryRecord,
  { project, milestone, cover, shown, files }: EntryContext,
): string {
  const links = new Map(shown.map(({ _id, name }) => [_id, `${files}/${name}`]))
  const matter = {
    title: row.title,
    date: row.happened_on,
    happened: row.happened_at.toISOString(),
    zone: row.happened_zone,
    tags: row.tags,
    state: row.state,
    author: row.author_name,
    project: project.title,
    milestone: milestone.title,
    cover: cover && `${files}/${cover}`,
    version: row.version,
    created: row.created_at.toISOString(),
    updated: row.updated_at.toISOString(),
  }
  return documentOf(matter, withRelativeLinks(row.content, links))
}

/** The content is unchanged: it refers to files by their ids, for which `files` has the paths. */
function presentEntry(row: EntryRecord, { path, files }: { path: string; files: object[] }) {
  return {
    _id: row.id,
    path,
    title: row.title,
    content: row.content,
    tags: row.tags,
    state: row.state,
    happenedAt: row.happened_at.toISOString(),
    happenedOn: row.happened_on,
    happenedZone: row.happened_zone,
    author: row.author_name === null ? null : { name: row.author_name },
    publishedAt: row.published_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
    ...presentCoverChoice(row),
    files,
  }
}
