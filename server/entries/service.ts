import { v7 as uuidv7 } from 'uuid'
import type { EntryFields, RenderedEntry } from '#contract/entries.ts'
import { changeProjects } from '#server/change-project.ts'
import type { Db } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { coverChoice } from '#server/files/present.ts'
import { firstPicture } from '#server/files/uses.ts'
import { firstRevision } from '#server/history/record.ts'
import { may, requirePublishing } from '#server/permissions/access.ts'
import { type Caller, clientOf } from '#server/platform/api/calls.ts'
import { notFound } from '#server/platform/api/errors.ts'
import {
  type Change,
  findCreated,
  firstChanges,
  hasChange,
  idTaken,
  type Kind,
} from '#server/platform/changes/changes.ts'
import { moveToTrash } from '#server/trash/mark.ts'
import { type EntryNews, tellOfEntry } from '#server/watching/news.ts'
import { activityOfWriting } from './activity.ts'
import { type EntryRef, findForReading, renderEntry } from './reading.ts'
import {
  asStored,
  endingDraft,
  happenedOf,
  indexSourceOf,
  lockFilesOfSave,
  presentSaved,
  recordFiles,
} from './saving.ts'
import { findEntryForSave, findEntryOfAuthor, insertEntry, type SavedRow } from './saving-store.ts'
import { type Schedule, setSchedule } from './schedule-store.ts'
import type { EntryRecord } from './store.ts'
import { storedStateOf } from './stored-state.ts'

/** What a save of an entry needs. */
export type WritingDeps = Pick<
  AppDeps,
  'db' | 'events' | 'quotas' | 'clock' | 'renderer' | 'fileSettings' | 'links' | 'log'
>

/** The fields of a new entry, and the draft that ends with its creation. */
export type NewEntryFields = EntryFields & { draft?: string | undefined }

/**
 * Creates an entry, or returns the one that the caller has created with this id before. Throws `not_found`, `forbidden`,
 * `unavailable`, `quota_exceeded` or `id_taken`.
 */
export async function createEntry(
  deps: AppDeps,
  caller: Caller,
  milestoneId: string,
  fields: NewEntryFields,
  change: Change,
): Promise<RenderedEntry> {
  // Before the transaction, which must not wait for the renderer.
  const rendering = await deps.renderer.render(clientOf(caller), fields.content)
  const { html } = rendering
  const { title, content, tags } = fields
  const refs = [{ milestoneId, wanted: change.newId, draft: fields.draft }] as const
  const saved = await changeProjects(
    deps,
    caller,
    'content:edit',
    refs,
    async (trx, [access], publish, { index }) => {
      const before = await findSent(trx, caller, access.taken, change)
      if (before) return before
      const now = deps.clock()
      const { state = 'published', schedule = null } = storedStateOf(fields, now)
      // Browsers send the time zone of the author; for programs it may come from the account.
      const happened = happenedOf(fields, now, [access.timeZone])
      const cover = coverChoice(fields.coverFile)
      const coverFile = cover?.cover_file_id
      const draft = endingDraft(trx, caller, fields.draft, [access], publish)
      const usesFiles = await lockFilesOfSave(trx, null, { html, coverFile, draft: draft.files })
      const writing = { ...access, writerId: caller.userId }
      const firstPictureId = usesFiles ? await firstPicture(trx, null, html, writing) : null
      const text = { title, content, tags, cover, firstPictureId }
      const id = change.newId ?? uuidv7()
      const changes = firstChanges(change)
      const written = { id, milestoneId, authorId: caller.userId, ...text, state, changes }
      const save = { writerId: caller.userId, cause: 'save' as const, wordCount: rendering.wordCount, now }
      const revision = firstRevision(text, save)
      const activity = activityOfWriting(caller, access, { state, now })
      const savedWith = { revision, activity, rendering, draft: draft.atOnce }
      const heardIn = state === 'published' ? access.projectId : null
      const created = await insertEntry(trx, { ...written, happened, now, heardIn }, savedWith)
      if (!created) throw idTaken()
      const { listeners, ...row } = created
      if (schedule) await setSchedule(trx, id, schedule)
      const files = { access, caller, html, coverFile, revisionId: revision.revision }
      if (usesFiles) await recordFiles({ ...deps, trx }, row, files)
      else index(indexSourceOf(access, row, html))
      await tellOfSave({ trx, publish, now }, { caller, access }, row, {
        isNew: true,
        isTextNew: true,
        html,
        listeners,
      })
      await draft.end()
      publish(eventOf(caller, access, isSeen(row)))
      return {
        saved: await presentSaved(
          { ...deps, db: trx },
          row,
          asStored(rendering),
          caller,
          access,
          jsonOf(schedule),
        ),
      }
    },
  )
  return 'saved' in saved ? saved.saved : readAgain(deps, caller, saved)
}

/** Where an entry is that was created before. */
export type Location = { milestoneId: string; entryId: string }

/** Returns where the entry is that the caller has created with this id before. Throws `id_taken`. */
export async function findSent(
  db: Db,
  caller: Caller,
  taker: Kind | null,
  change: Change,
): Promise<Location | undefined> {
  const entryId = change.newId ?? ''
  const found = await findCreated(taker, 'entry', async () => {
    const row = await findEntryOfAuthor(db, entryId, caller.userId)
    return row && (await may(db, caller, 'project:view', row.projectId)) ? row : undefined
  })
  if (!found) return undefined
  change.wasDone(found)
  return { milestoneId: found.milestoneId, entryId }
}

/** Returns an entry that was saved before. Throws `not_found`. */
export const readAgain = async (deps: WritingDeps, caller: Caller, location: Location) =>
  renderEntry(deps, await findForReading(deps, caller, location))

/** Tells the other members of a published entry, if it is new to them or mentions them. */
export const tellOfSave = (
  context: Parameters<typeof tellOfEntry>[0],
  { caller, access }: { caller: Caller; access: { projectId: string } },
  row: SavedRow,
  news: EntryNews,
) =>
  isSeen(row)
    ? tellOfEntry(context, { projectId: access.projectId, actorId: caller.userId }, row, news)
    : undefined

export const jsonOf = (schedule: Schedule | null) =>
  schedule && { at: schedule.at.toISOString(), zone: schedule.zone }

/** Whether people other than its author see an entry. */
export const isSeen = ({ state }: Pick<EntryRecord, 'state'>) => state === 'published'

/** Unpublished entries publish an event only to their author. */
export const eventOf = ({ userId }: Caller, { projectId }: { projectId: string }, seen: boolean) =>
  seen ? { project: projectId } : { person: userId, project: projectId }

/** Moves an entry to the trash, and returns the id of the deletion. Throws `not_found` or `forbidden`. */
export function deleteEntry(
  deps: AppDeps,
  caller: Caller,
  { milestoneId, entryId }: EntryRef,
  change: Change,
): Promise<string> {
  return changeProjects(deps, caller, 'content:edit', [{ milestoneId }], async (trx, [access], publish) => {
    const entry = await findEntryForSave(trx, milestoneId, entryId, caller.userId)
    if (!entry) throw notFound('Entry')
    if (isSeen(entry)) requirePublishing(caller, access)
    // Deleted, and restored since.
    if (change.change !== null && hasChange(entry, change)) return change.change
    publish(eventOf(caller, access, isSeen(entry)))
    const { projectId } = access
    const subject = isSeen(entry) ? entry.title : null
    const mark = { id: change.change, subject, deletedBy: caller.userId, now: deps.clock() }
    return moveToTrash(trx, { projectId, milestoneId, entryId }, mark)
  })
}
