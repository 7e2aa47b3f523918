import type { Activity } from '#contract/activity.ts'
import type { Collaborator } from '#contract/collaborators.ts'
import type { Milestone } from '#contract/milestones.ts'
import type { Notification } from '#contract/notifications.ts'
import { listAccessTokens } from '#server/access-tokens/service.ts'
import { listSessions, readAccount } from '#server/account/service.ts'
import { listActivity } from '#server/activity/service.ts'
import { listCollaborators } from '#server/collaborators/members.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import { listDrafts, readDraft } from '#server/drafts/service.ts'
import { imageKeys } from '#server/files/entry-image/service.ts'
import { fileKey } from '#server/files/storage-keys.ts'
import { listMilestones } from '#server/milestones/service.ts'
import { listNotifications } from '#server/notifications/service.ts'
import type { Caller } from '#server/platform/calls.ts'
import { type Incremental, writeJson } from '#server/platform/http/json-stream.ts'
import { listWebhooks } from '#server/webhooks/service.ts'
import { documentOf, withRelativeLinks } from './documents.ts'
import { createFolder, fileNameOf, slugOf } from './names.ts'
import {
  type EntryRecord,
  type FileRecord,
  listEntries,
  listFiles,
  listProjectsOf,
  type ProjectRecord,
} from './store.ts'
import type { TemporaryFile } from './temporary-file.ts'

/** A file of the archive: a text, or the key of a file in the file store. */
export type Item = { path: string; at: string } & ({ text: string } | { key: string })

/** Increased with incompatible changes of `milepost.json`. */
const FORMAT = 1
const ENTRIES_AT_ONCE = 50

/** `json`: the content of `milepost.json`; `items`: the other files of the archive, one per line. */
export type ArchiveParts = { json: TemporaryFile; items: TemporaryFile }

/**
 * Writes all data of the caller into the parts, from one snapshot of the database: everything of their own projects, and
 * what they wrote in projects of others. For a program, only what its token may read.
 */
export function collectData(deps: AppDeps, caller: Caller, parts: ArchiveParts): Promise<void> {
  return inSnapshot(deps.db, async (db) => {
    const reading = { ...deps, db }
    const add = (item: Item) => parts.items.write(`${JSON.stringify(item)}\n`)
    const archive = {
      format: FORMAT,
      madeAt: deps.clock().toISOString(),
      ...(caller.grant ? {} : await collectAccount(reading, caller, add)),
      projects: collectProjects(reading, caller, add),
    }
    // Only the tests of this room check the shape of the file; the contract does not describe it.
    for await (const text of writeJson(archive as Incremental<object>)) await parts.json.write(text)
  })
}

type Add = (item: Item) => Promise<void>

/** Collects the person's data outside of projects, which programs do not get. */
async function collectAccount(deps: AppDeps, caller: Caller, add: Add) {
  return {
    account: await readAccount(deps, caller),
    sessions: await listSessions(deps, caller),
    accessTokens: await listAccessTokens(deps, caller),
    notifications: collectNotifications(deps, caller),
    unsavedDrafts: collectDrafts(deps, caller, add),
  }
}

/** Omits the links of invitations, because anybody with a link can join. */
async function* collectNotifications(deps: AppDeps, caller: Caller): AsyncGenerator<Notification> {
  for (let page = 1; ; page += 1) {
    const { notifications, pagination } = await listNotifications(deps, caller, { page, unreadOnly: false })
    for (const { data, ...notification } of notifications) {
      const { inviteToken: _, ...rest } = data
      yield { ...notification, data: rest }
    }
    if (!pagination.hasNext) return
  }
}

/** Collects the autosaved drafts. */
async function* collectDrafts(deps: AppDeps, caller: Caller, add: Add) {
  const { drafts } = await listDrafts(deps, caller, {})
  const files = createFiles('drafts/files', add)
  const name = createFolder()
  for (const { _id, savedAt: at } of drafts.toReversed()) {
    const draft = await readDraft(deps, caller, _id)
    const used = await files.added(await listFiles(deps.db, { draftIds: [_id] }))
    const path = `drafts/${name(`${slugOf(draft.title)}.md`)}`
    const { title, tags } = draft
    const links = new Map(used.map(({ _id, name }) => [_id, `files/${name}`]))
    await add({ path, at, text: documentOf({ title, tags }, withRelativeLinks(draft.content, links)) })
    yield { path, ...draft, files: used }
  }
}

async function* collectProjects(deps: AppDeps, caller: Caller, add: Add) {
  const name = createFolder()
  for (const project of await listProjectsOf(deps.db, caller.userId, caller.grant?.projectIds ?? null)) {
    const folder = `${project.is_own ? 'projects' : 'shared'}/${name(slugOf(project.title))}`
    yield* collectProject(deps, caller, { project, folder, add })
  }
}

type Target = { project: ProjectRecord; folder: string; add: Add }

async function* collectProject(deps: AppDeps, caller: Caller, { project, folder, add }: Target) {
  const { id: projectId, title, description, visibility } = project
  const files = createFiles(`${folder}/files`, add)
  const [cover] = project.is_own ? await files.added(await listFiles(deps.db, { projectId })) : []
  const at = project.updated_at.toISOString()
  const createdAt = project.created_at.toISOString()
  const role = project.is_own ? 'owner' : project.role
  const matter = { title, visibility, role, created: createdAt, cover: cover && `files/${cover.name}` }
  await add({ path: `${folder}/project.md`, at, text: documentOf(matter, description) })
  const mayManage = !caller.grant || caller.grant.scopes.includes('manage')
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
    ...(project.is_own && { members: (await listCollaborators(deps, caller, projectId)).map(withoutToken) }),
    ...(project.is_own && mayManage && { webhooks: await listWebhooks(deps, caller, projectId) }),
    milestones: collectMilestones(deps, caller, { project, folder, add, files }),
    activity: collectActivity(deps, caller, project),
  }
}

function withoutToken(collaborator: Collaborator) {
  const { inviteToken: _, ...rest } = collaborator
  return rest
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
    const entries = collectEntries(deps, caller, { ...within, milestone, folder })
    const first = await entries.next()
    if (!within.project.is_own && first.done) continue
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

type WithinMilestone = Within & { milestone: Milestone }

async function* collectEntries(deps: AppDeps, caller: Caller, within: WithinMilestone) {
  const { milestone, folder, add, files, project } = within
  const name = createFolder()
  name('milestone.md')
  const query = { milestoneId: milestone._id, reader: caller.userId, ownAlone: !project.is_own }
  for (let after: string | undefined; ; ) {
    const rows = await listEntries(deps.db, { ...query, after, limit: ENTRIES_AT_ONCE })
    const used = Map.groupBy(
      await listFiles(deps.db, { entryIds: rows.map(({ id }) => id) }),
      ({ user_id }) => user_id,
    )
    for (const row of rows) {
      const shown = await files.added(used.get(row.id) ?? [])
      const stem = `${row.happened_on}-${slugOf(row.title)}`
      const image = row.image_id === null ? undefined : await files.addImage(row.image_id, stem, row)
      const path = `${folder}/${name(`${stem}.md`)}`
      const cover = shown.find(({ _id }) => _id === row.cover_file_id)?.name ?? image
      const text = entryText(row, { project, milestone, cover, shown })
      await add({ path, at: row.updated_at.toISOString(), text })
      yield presentEntry(row, { path, files: shown, image: image && `${files.folder}/${image}` })
    }
    if (rows.length < ENTRIES_AT_ONCE) return
    after = rows.at(-1)?.id
  }
}

type EntryContext = {
  project: ProjectRecord
  milestone: Milestone
  cover: string | undefined
  shown: { _id: string; name: string }[]
}

function entryText(row: EntryRecord, { project, milestone, cover, shown }: EntryContext): string {
  const links = new Map(shown.map(({ _id, name }) => [_id, `../files/${name}`]))
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
    cover: cover && `../files/${cover}`,
    version: row.version,
    created: row.created_at.toISOString(),
    updated: row.updated_at.toISOString(),
  }
  return documentOf(matter, withRelativeLinks(row.content, links))
}

/** The content is unchanged: it refers to files by their ids, for which `files` has the paths. */
function presentEntry(
  row: EntryRecord,
  { path, files, image }: { path: string; files: object[]; image: string | undefined },
) {
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
    ...(row.cover_file_id !== null && { coverFile: row.cover_file_id }),
    ...(image !== undefined && { image }),
    files,
  }
}

/** A directory of files. A file that several texts use is added once. */
function createFiles(folder: string, add: Add) {
  const name = createFolder()
  const names = new Map<string, string>()
  return {
    folder,
    async added(records: FileRecord[]) {
      const shown = []
      for (const { id, attempt, ...file } of records) {
        const given = names.get(id) ?? name(fileNameOf(file.name))
        if (!names.has(id)) {
          names.set(id, given)
          const at = file.created_at.toISOString()
          await add({ path: `${folder}/${given}`, at, key: fileKey({ id, attempt }, 'original') })
        }
        const { type, size } = file
        shown.push({ _id: id, path: `${folder}/${given}`, name: given, originalName: file.name, type, size })
      }
      return shown
    },
    /** Adds the image of an entry, which has no file name, and returns the generated name. */
    async addImage(id: string, stem: string, { created_at }: EntryRecord) {
      const given = name(`${stem}.webp`)
      const [key] = imageKeys(id)
      if (key !== undefined) await add({ path: `${folder}/${given}`, at: created_at.toISOString(), key })
      return given
    },
  }
}

/** Collects the activity of the person's own projects, latest first; in other projects only their own activity. */
async function* collectActivity(
  deps: AppDeps,
  caller: Caller,
  project: ProjectRecord,
): AsyncGenerator<Activity> {
  for (let before: string | undefined; ; ) {
    const { activity, next } = await listActivity(deps, caller, project.id, before)
    yield* activity.filter(({ actor }) => project.is_own || actor?.isMe)
    if (next === null) return
    before = next
  }
}
