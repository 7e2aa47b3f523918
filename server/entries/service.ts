import { v7 as uuidv7 } from 'uuid'
import type { EntryChange, EntryFields, RenderedEntry } from '#contract/entries.ts'
import { RENDERER_VERSION } from '#markdown/rendering.ts'
import { changeProjects } from '#server/change-project.ts'
import { isOutage, OutcomeUnknown } from '#server/database/outage.ts'
import type { Db } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { coverChoice } from '#server/files/present.ts'
import { firstPicture, moveFilesWithEntry, refuseFilesOfOtherOwner } from '#server/files/uses.ts'
import { bytesOf, type Cause, firstRevision, nextRevision, trimHistory } from '#server/history/record.ts'
import { may, type ProjectAccess, requirePublishing } from '#server/permissions/access.ts'
import { type Caller, clientOf } from '#server/platform/api/calls.ts'
import { forbidden, notFound, refuseStale } from '#server/platform/api/errors.ts'
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
import { activityOfChange, activityOfWriting, recordDeparture } from './activity.ts'
import { entryPresenter } from './present.ts'
import { type EntryRef, findForReading, renderEntry } from './reading.ts'
import {
  asStored,
  changed,
  endingDraft,
  happenedOf,
  lockFilesOfSave,
  presentSaved,
  recordFiles,
} from './saving.ts'
import {
  findEntryForSave,
  findEntryOfAuthor,
  insertEntry,
  type SavedRow,
  updateEntryRow,
} from './saving-store.ts'
import { type Schedule, setSchedule, takeSchedule } from './schedule-store.ts'
import type { EntryRecord } from './store.ts'
import { storedStateOf } from './stored-state.ts'

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
  const saved = await changeProjects(deps, caller, 'content:edit', refs, async (trx, [access], publish) => {
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
  })
  return 'saved' in saved ? saved.saved : readAgain(deps, caller, saved)
}

/** Where an entry is that was created before. */
type Location = { milestoneId: string; entryId: string }

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

/** What a save of an entry needs. */
export type WritingDeps = Pick<
  AppDeps,
  'db' | 'events' | 'quotas' | 'clock' | 'renderer' | 'fileSettings' | 'links' | 'log'
>

/** `removeImage`: removes the chosen cover, but not the choice of none. */
export type EntryUpdate = {
  fields: EntryChange
  removeImage?: boolean
  cause: Cause
  /** Only if the entry is still scheduled for this time; otherwise nothing changes. */
  due?: Date
}

/**
 * Updates an entry. Omitted fields are unchanged, and another milestone moves the entry, which requires the same right in both
 * projects. Throws `not_found`, `forbidden`, `unavailable`, `quota_exceeded`, or `stale` if `ifMatch` is outdated.
 */
export async function updateEntry(
  deps: WritingDeps,
  caller: Caller,
  ref: EntryRef,
  { fields, removeImage, cause, due }: EntryUpdate,
  ifMatch: number | undefined,
  change: Change,
): Promise<RenderedEntry> {
  const { milestoneId, entryId } = ref
  const { title, content, tags, milestone: target = milestoneId } = fields
  // Before the transaction, which must not wait for the renderer.
  const rendering = content === undefined ? null : await deps.renderer.render(clientOf(caller), content)
  const html = rendering?.html
  let wasMade = false
  const source = { milestoneId, draft: fields.draft }
  const refs = target === milestoneId ? [source] : [source, { milestoneId: target }]
  const saved = await changeProjects(
    deps,
    caller,
    'content:edit',
    refs,
    async (trx, accesses, publish, allow) => {
      const current = await findEntryForSave(trx, milestoneId, entryId, caller.userId)
      if (!current) throw notFound('Entry')
      const [from, to = from] = accesses
      if (!from || !to) throw new Error('a change without access')
      if (hasChange(current, change) || (due && !(await takeSchedule(trx, entryId, due)))) {
        wasMade = true
        return null
      }
      refuseStale(ifMatch, entryPresenter(deps, caller, from)(current))
      const now = deps.clock()
      const { state, schedule } = storedStateOf(fields, now)
      requireState(caller, accesses, current, { state, schedule })
      const zones = [to.timeZone, current.happened_zone]
      const happened = isDated(fields) ? happenedOf(fields, now, zones) : undefined
      const cover = coverOf({ fields, removeImage }, current)
      const coverFile = cover?.cover_file_id
      const draft = endingDraft(trx, caller, fields.draft, accesses, publish)
      const usesFiles = await lockFilesOfSave(trx, current, { html, coverFile, draft: draft.files })
      const writing = { ...to, writerId: caller.userId }
      const firstPictureId = html === undefined ? undefined : await firstPicture(trx, entryId, html, writing)
      const text = { title, content, tags, firstPictureId }
      const values = { ...text, state, happened, cover, milestoneId: target }
      const next = changed(current, values)
      const wordCount = rendering?.wordCount ?? current.rendering?.word_count ?? null
      const save = { writerId: caller.userId, cause, wordCount, now }
      const added = await nextRevision(trx, current, next, save)
      const activity = activityOfChange(caller, to, { before: current, after: next, cause, now })
      const savedWith = { revision: added.values, activity, rendering, draft: draft.atOnce }
      const written = { ...values, historyBytes: added.bytes, change: change.change }
      const updated = await updateEntryRow(trx, entryId, written, savedWith)
      const row = { ...updated, author_name: current.author_name }
      if (schedule !== undefined) await setSchedule(trx, entryId, schedule)
      if (to.projectId !== from.projectId) await moveFilesWithEntry(trx, entryId, to.projectId)
      const files = { access: to, caller, html, coverFile, revisionId: added.values.revision }
      if (usesFiles) await recordFiles({ ...deps, trx }, row, files)
      if (to.projectId !== from.projectId) await refuseFilesOfOtherOwner(trx, { entryId }, to.projectId)
      const grown = bytesOf(row) - bytesOf(current)
      const { projectId } = to
      allow(to, (usage) => trimHistory(trx, deps, { projectId, entryId, added: added.bytes, grown }, usage))
      const isNew = current.published_at === null
      const isTextNew = isNew || row.content !== current.content
      const stored = rendering ? asStored(rendering) : row.kept
      await tellOfSave({ trx, publish, now }, { caller, access: to }, row, {
        isNew,
        isTextNew,
        html: stored?.html,
      })
      await recordDeparture(trx, caller, { from, to }, { before: current, after: row, now })
      await draft.end()
      for (const access of accesses) publish(eventOf(caller, access, isSeen(current) || isSeen(row)))
      const shown = schedule === undefined ? current.schedule : jsonOf(schedule)
      const isCurrent = rendering || (row.kept && row.kept.renderer >= RENDERER_VERSION)
      return isCurrent && stored ? presentSaved({ ...deps, db: trx }, row, stored, caller, to, shown) : null
    },
  )
  if (saved) return saved
  // The rendering is missing or outdated, or the change was made before.
  return readSaved(deps, caller, { milestoneId: wasMade ? milestoneId : target, entryId })
}

/** Returns an entry whose change is saved: repeating the call would be wrong. Throws `not_found` or `outcome_unknown`. */
const readSaved = (deps: WritingDeps, caller: Caller, location: Location) =>
  readAgain(deps, caller, location).catch((error: unknown) => {
    throw isOutage(error) ? new OutcomeUnknown(error) : error
  })

/** Returns the cover that an update chooses; undefined if it is unchanged. */
const coverOf = (
  { fields, removeImage }: Pick<EntryUpdate, 'fields' | 'removeImage'>,
  { no_cover }: { no_cover: boolean },
) => coverChoice(fields.coverFile) ?? (removeImage ? { cover_file_id: null, no_cover } : undefined)

/** Throws `forbidden` or `insufficient_scope` if the caller may not give an entry this state. */
function requireState(
  caller: Caller,
  accesses: readonly ProjectAccess[],
  current: NonNullable<Awaited<ReturnType<typeof findEntryForSave>>>,
  { state, schedule }: ReturnType<typeof storedStateOf>,
): void {
  if (state === 'draft' && isSeen(current) && current.author_id !== caller.userId)
    throw forbidden('Only the author of an entry can make it a draft again')
  if (isSeen(current) || current.schedule || schedule || state === 'published')
    for (const access of accesses) requirePublishing(caller, access)
}

/** Tells the other members of a published entry, if it is new to them or mentions them. */
const tellOfSave = (
  context: Parameters<typeof tellOfEntry>[0],
  { caller, access }: { caller: Caller; access: { projectId: string } },
  row: SavedRow,
  news: EntryNews,
) =>
  isSeen(row)
    ? tellOfEntry(context, { projectId: access.projectId, actorId: caller.userId }, row, news)
    : undefined

const jsonOf = (schedule: Schedule | null) =>
  schedule && { at: schedule.at.toISOString(), zone: schedule.zone }

const isDated = ({ happenedAt, happenedOn }: EntryChange) =>
  happenedAt !== undefined || happenedOn !== undefined

/** Whether people other than its author see an entry. */
const isSeen = ({ state }: Pick<EntryRecord, 'state'>) => state === 'published'

/** Unpublished entries publish an event only to their author. */
const eventOf = ({ userId }: Caller, { projectId }: { projectId: string }, seen: boolean) =>
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
