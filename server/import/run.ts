import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { ImportChoices, ImportCounts, ImportReport } from '#contract/imports.ts'
import type { AppDeps } from '#server/deps.ts'
import { importEntry } from '#server/entries/importing.ts'
import { dateImported } from '#server/files/importing.ts'
import { incomingFile } from '#server/files/incoming.ts'
import { listFiles, reserveFiles } from '#server/files/service.ts'
import { uploadFile } from '#server/files/upload.ts'
import { importMilestone } from '#server/milestones/importing.ts'
import { changeProjects } from '#server/permissions/access.ts'
import { type Caller, clientOf } from '#server/platform/api/calls.ts'
import { AppError } from '#server/platform/api/errors.ts'
import { unrepeated } from '#server/platform/changes/changes.ts'
import { transact } from '#server/platform/transact.ts'
import { coverImported, importProject } from '#server/projects/importing.ts'
import type { Converted } from './convert-task.ts'
import {
  createProblems,
  type EntryItem,
  type FileItem,
  type MilestoneItem,
  type ProjectItem,
} from './items.ts'
import { readLines } from './lines.ts'
import type { Targets } from './resolve.ts'
import { findProjectOfMilestone, insertItem, removeItem } from './store.ts'

export type RunDeps = Pick<
  AppDeps,
  'db' | 'events' | 'files' | 'renderer' | 'quotas' | 'inspector' | 'fileSettings' | 'links' | 'log' | 'clock'
>

export type Run = {
  importId: string
  caller: Caller
  /** The name of the person, whose texts are theirs. */
  ownName: string
  choices: ImportChoices
  targets: Targets
  /** The file with the items. */
  lines: string
  /** Takes a file out of the archive. */
  extract: (item: FileItem, to: string) => Promise<Converted>
  /** Called after each entry; throws if the import is to stop. */
  advance: (done: number) => Promise<void>
}

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g
/** How often members of a project are told of new entries. */
const TOLD_EVERY = 50

/** Creates what an archive holds, except what is there. It can be interrupted and run again. */
export async function runItems(deps: RunDeps, run: Run): Promise<ImportReport> {
  const { caller, choices, targets, importId } = run
  const problems = createProblems()
  const made: ImportCounts = { projects: 0, milestones: 0, entries: 0, files: 0 }
  const report = { here: 0, leftOut: 0 }
  const choiceOf = new Map(choices.projects.map((choice) => [choice.key, choice]))
  const skipped = new Set(choices.skippedMilestones)
  const projects = new Map<string, { id: string; item: ProjectItem }>()
  const milestones = new Map<string, { id: string; projectId: string } | null>()
  const files = new Map<string, FileItem>()
  const stored = new Map<string, boolean>()
  let done = 0

  async function addProject(item: ProjectItem) {
    const choice = choiceOf.get(item.ref)
    if (choice?.skip) return
    const id = choice?.into ?? targets.idOf(item.ref)
    projects.set(item.ref, { id, item })
    if (choice?.into !== undefined || targets.isHere(item.ref)) return
    made.projects += 1
    if (targets.isMade(item.ref)) return
    await transact(deps, async (trx, publish) => {
      await importProject(deps, trx, caller.userId, {
        id,
        title: choice?.title ?? item.title,
        description: item.description,
        visibility: choices.visibility,
        ...recordOf(item, deps.clock()),
      })
      await insertItem(trx, importId, item, id)
      publish({ project: id })
    })
  }

  async function addMilestone(item: MilestoneItem) {
    const project = projects.get(item.project)
    if (!project || skipped.has(item.ref)) {
      milestones.set(item.ref, null)
      return
    }
    const id = targets.idOf(item.ref)
    const isThere = targets.isHere(item.ref) || targets.isMade(item.ref)
    // Somebody may have moved or deleted it since.
    const projectId = isThere ? await findProjectOfMilestone(deps.db, id) : project.id
    milestones.set(item.ref, projectId === undefined ? null : { id, projectId })
    if (!targets.isHere(item.ref)) made.milestones += 1
    if (isThere) return
    const record = recordOf(item, deps.clock())
    const [reachedAt, completed] = [item.reachedAt ? new Date(item.reachedAt) : null, item.completed ?? false]
    const { title, description, startsOn = null, dueOn = null } = item
    const placed = { id, projectId: project.id, title, description, completed, startsOn, dueOn, reachedAt }
    await changeProjects(
      deps,
      caller,
      'content:edit',
      [{ projectId: project.id }],
      async (trx, _access, publish) => {
        await importMilestone(deps, trx, caller.userId, { ...placed, ...record })
        await insertItem(trx, importId, item, id)
        publish({ project: project.id })
      },
    )
  }

  /** Stores a file of the archive, once; returns false, with the reason in the report, if that is not possible. */
  async function storeFile(ref: string, projectId: string): Promise<boolean> {
    const item = files.get(ref)
    const known = stored.get(ref)
    if (!item || known !== undefined) return known ?? false
    const isStored = await storeNewFile(item, projectId)
    stored.set(ref, isStored)
    if (isStored) made.files += 1
    return isStored
  }

  async function storeNewFile(item: FileItem, projectId: string): Promise<boolean> {
    const id = targets.idOf(item.ref)
    const [ready] = await listFiles({ ...deps, db: deps.db } as AppDeps, caller, projectId, [id])
    const own = { id, uploaderId: caller.userId }
    if (ready?.state === 'ready') {
      await dateImported(deps.db, own, item)
      return true
    }
    const to = incomingFile(deps.files.incoming)
    try {
      const taken = await run.extract(item, to)
      if ('refused' in taken) {
        problems.add(taken.refused, item.path)
        return false
      }
      await insertItem(deps.db, importId, item, id)
      const type = typeOf(item.name)
      const reservation = { files: [{ _id: id, name: item.name.slice(-255), size: item.size, type }] }
      await reserveFiles(deps as AppDeps, caller, projectId, reservation, unrepeated)
      await uploadFile(deps as AppDeps, caller, id, createReadStream(to))
      await dateImported(deps.db, own, item)
      return true
    } catch (error) {
      if (!(error instanceof AppError) || isPassing(error) || error.code === 'quota_exceeded') throw error
      // It is not the file of this import.
      if (error.code === 'id_taken') await removeItem(deps.db, importId, id)
      problems.add(withoutName(error.message, item.name), item.path)
      return false
    } finally {
      await rm(to, { force: true })
    }
  }

  async function addEntry(item: EntryItem) {
    const milestone = milestones.get(item.milestone)
    if (!milestone) {
      report.leftOut += 1
      return
    }
    if (targets.isHere(item.ref)) {
      report.here += 1
      return
    }
    const refs = [...new Set([...item.content.matchAll(UUID)].map(([ref]) => ref))]
    for (const ref of [...refs, ...(item.cover ? [item.cover] : [])])
      if (files.has(ref)) await storeFile(ref, milestone.projectId)
    if (!targets.isMade(item.ref)) {
      const problem = await addNewEntry(item, milestone)
      if (problem !== undefined) {
        problems.add(problem, item.path)
        return
      }
    }
    made.entries += 1
    done += 1
    await run.advance(done)
  }

  /** Returns why it is refused. */
  async function addNewEntry(
    item: EntryItem,
    { id: milestoneId, projectId }: { id: string; projectId: string },
  ): Promise<string | undefined> {
    const id = targets.idOf(item.ref)
    const content = item.content.replace(UUID, (ref) => (targets.has(ref) ? targets.idOf(ref) : ref))
    const rendering = await deps.renderer.render(clientOf(caller), content)
    const { title, tags, happened, author, cover, publishedAt } = item
    const isOwn = item.isDraft || author === undefined || author === run.ownName
    const hasCover = cover === undefined || cover === null || stored.get(cover) === true
    try {
      await changeProjects(deps, caller, 'content:edit', [{ projectId }], async (trx, [access], publish) => {
        const entry = {
          id,
          milestoneId,
          title,
          content,
          tags,
          state: item.isDraft ? ('draft' as const) : ('published' as const),
          happened: { ...happened, at: new Date(happened.at) },
          author: isOwn ? ('caller' as const) : { name: author },
          coverFile: hasCover ? cover && targets.idOf(cover) : undefined,
          publishedAt: publishedAt ? new Date(publishedAt) : item.isDraft ? null : new Date(happened.at),
          ...recordOf(item, new Date(happened.at)),
        }
        await importEntry(deps, trx, { caller, access }, entry, rendering)
        await insertItem(trx, importId, item, id)
        if (done % TOLD_EVERY === 0) publish({ project: projectId })
      })
      return undefined
    } catch (error) {
      if (error instanceof AppError && (error.code === 'too_large' || error.code === 'invalid'))
        return error.message
      throw error
    }
  }

  for await (const item of readLines(run.lines)) {
    if (item.kind === 'project') await addProject(item)
    else if (item.kind === 'milestone') await addMilestone(item)
    else if (item.kind === 'file') files.set(item.ref, item)
    else await addEntry(item)
  }
  for (const { id, item } of projects.values()) {
    if (item.cover === undefined || id !== targets.idOf(item.ref)) continue
    if (targets.isHere(item.ref) || choiceOf.get(item.ref)?.into !== undefined) continue
    if (item.cover !== null && !(await storeFile(item.cover, id))) continue
    const coverFile = item.cover === null ? null : targets.idOf(item.cover)
    await changeProjects(deps, caller, 'project:edit', [{ projectId: id }], (trx) =>
      coverImported(trx, { projectId: id, writerId: caller.userId }, coverFile),
    ).catch((error: unknown) => {
      if (!(error instanceof AppError) || isPassing(error)) throw error
      problems.add(error.message, `the cover of ${item.title}`)
    })
  }
  const shown = [...projects.values()].map(({ id, item }) => ({
    _id: id,
    title: choiceOf.get(item.ref)?.title ?? item.title,
  }))
  return { made, ...report, projects: shown, problems: problems.list(), kept: [] }
}

const recordOf = (
  { createdAt, updatedAt, version = 1 }: { createdAt?: string; updatedAt?: string; version?: number },
  now: Date,
) => ({
  createdAt: createdAt === undefined ? now : new Date(createdAt),
  updatedAt: new Date(updatedAt ?? createdAt ?? now),
  version,
})

/** Whether the same may succeed later. */
export const isPassing = (error: AppError): boolean =>
  ['too_many_requests', 'unavailable', 'too_slow'].includes(error.code)

const withoutName = (message: string, name: string) => message.replaceAll(`“${name}”`, 'it')

const TYPES: [RegExp, string][] = [
  [/\.(?:jpe?g|png|webp|gif|avif|heic|heif|bmp|tiff?)$/i, 'image/jpeg'],
  [/\.(?:mp4|m4v|mov|webm|mkv)$/i, 'video/mp4'],
  [/\.(?:mp3|m4a|ogg|opus|wav|flac|aac)$/i, 'audio/mpeg'],
]
/** The kind of a file by its name, until its content is inspected. */
const typeOf = (name: string) => TYPES.find(([ending]) => ending.test(name))?.[1] ?? ''
