import type { Transaction } from 'kysely'
import type { EntryChange, RenderedEntry } from '#contract/entries.ts'
import { RENDERER_VERSION, type Rendering } from '#markdown/rendering.ts'
import { changeProjects } from '#server/change-project.ts'
import { isOutage, OutcomeUnknown } from '#server/database/outage.ts'
import type { Schema } from '#server/database/rows.ts'
import { coverChoice } from '#server/files/present.ts'
import { firstPicture, moveFilesWithEntry, refuseFilesOfOtherOwner } from '#server/files/uses.ts'
import { bytesOf, type Cause, nextRevision, trimHistory } from '#server/history/record.ts'
import { type LockedAccess, type ProjectAccess, requirePublishing } from '#server/permissions/access.ts'
import { type Caller, clientOf } from '#server/platform/api/calls.ts'
import { forbidden, notFound, refuseStale } from '#server/platform/api/errors.ts'
import { type Change, hasChange } from '#server/platform/changes/changes.ts'
import type { Events } from '#server/platform/events/events.ts'
import { activityOfChange, recordDeparture } from './activity.ts'
import { entryPresenter } from './present.ts'
import type { EntryRef } from './reading.ts'
import {
  asStored,
  changed,
  endingDraft,
  happenedOf,
  indexSourceOf,
  lockFilesOfSave,
  presentSaved,
  recordFiles,
} from './saving.ts'
import { findEntryForSave, updateEntryRow } from './saving-store.ts'
import { type Schedule, setSchedule, takeSchedule } from './schedule-store.ts'
import { eventOf, isSeen, jsonOf, type Location, readAgain, tellOfSave, type WritingDeps } from './service.ts'
import { storedStateOf } from './stored-state.ts'

type CurrentEntry = NonNullable<Awaited<ReturnType<typeof findEntryForSave>>>
type UpdatedRow = Awaited<ReturnType<typeof writeUpdate>>['row']

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
  update: EntryUpdate,
  ifMatch: number | undefined,
  change: Change,
): Promise<RenderedEntry> {
  const { milestoneId, entryId } = ref
  const { fields, due } = update
  const { content, milestone: target = milestoneId } = fields
  // Before the transaction, which must not wait for the renderer.
  const rendering = content === undefined ? null : await deps.renderer.render(clientOf(caller), content)
  let wasMade = false
  const source = { milestoneId, draft: fields.draft }
  const refs = target === milestoneId ? [source] : [source, { milestoneId: target }]
  const saved = await changeProjects(
    deps,
    caller,
    'content:edit',
    refs,
    async (trx, accesses, publish, { allow, index }) => {
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
      const stored = storedStateOf(fields, now)
      requireState(caller, accesses, current, stored)
      const draft = endingDraft(trx, caller, fields.draft, accesses, publish)
      const updating = { deps, trx, caller, from, to, current, target, rendering, now }
      const { row, added, usesFiles } = await writeUpdate(updating, update, { ...stored, draft, change })
      const grown = { added: added.bytes, grown: bytesOf(row) - bytesOf(current) }
      allow(to, (usage) => trimHistory(trx, deps, { projectId: to.projectId, entryId, ...grown }, usage))
      if (!usesFiles) index(indexSourceOf(to, row, (rendering ?? row.kept)?.html))
      await tellOfUpdate(updating, row, publish)
      await draft.end()
      for (const access of accesses) publish(eventOf(caller, access, isSeen(current) || isSeen(row)))
      return presentUpdated(updating, row, stored.schedule)
    },
  )
  if (saved) return saved
  // The rendering is missing or outdated, or the change was made before.
  return readSaved(deps, caller, { milestoneId: wasMade ? milestoneId : target, entryId })
}

/** An entry that is being updated, with the caller's access to where it is and where it will be. */
type Updating = {
  deps: WritingDeps
  trx: Transaction<Schema>
  caller: Caller
  from: LockedAccess
  to: LockedAccess
  current: CurrentEntry
  /** The milestone in which it will be. */
  target: string
  /** Of the new text; null if that is unchanged. */
  rendering: Rendering | null
  now: Date
}

type Writing = ReturnType<typeof storedStateOf> & { draft: ReturnType<typeof endingDraft>; change: Change }

/** Writes the row of an entry with its revision, its activity and its files. */
async function writeUpdate(
  { deps, trx, caller, from, to, current, target, rendering, now }: Updating,
  { fields, removeImage, cause }: EntryUpdate,
  { state, schedule, draft, change }: Writing,
) {
  const { id: entryId } = current
  const { title, content, tags } = fields
  const html = rendering?.html
  const zones = [to.timeZone, current.happened_zone]
  const happened = isDated(fields) ? happenedOf(fields, now, zones) : undefined
  const cover = coverOf({ fields, removeImage }, current)
  const coverFile = cover?.cover_file_id
  const usesFiles = await lockFilesOfSave(trx, current, { html, coverFile, draft: draft.files })
  const writing = { ...to, writerId: caller.userId }
  const firstPictureId = html === undefined ? undefined : await firstPicture(trx, entryId, html, writing)
  const values = { title, content, tags, firstPictureId, state, happened, cover, milestoneId: target }
  const next = changed(current, values)
  const wordCount = rendering?.wordCount ?? current.rendering?.word_count ?? null
  const added = await nextRevision(trx, current, next, { writerId: caller.userId, cause, wordCount, now })
  const activity = activityOfChange(caller, to, { before: current, after: next, cause, now })
  const savedWith = { revision: added.values, activity, rendering, draft: draft.atOnce }
  const written = { ...values, historyBytes: added.bytes, change: change.change }
  const updated = await updateEntryRow(trx, entryId, written, savedWith)
  const row = { ...updated, author_name: current.author_name }
  if (schedule !== undefined) await setSchedule(trx, entryId, schedule)
  const isMoved = to.projectId !== from.projectId
  if (isMoved) await moveFilesWithEntry(trx, entryId, to.projectId)
  const files = { access: to, caller, html, coverFile, revisionId: added.values.revision }
  if (usesFiles) await recordFiles({ ...deps, trx }, row, files)
  if (isMoved) await refuseFilesOfOtherOwner(trx, { entryId }, to.projectId)
  return { row, added, usesFiles }
}

/** Tells members of an updated entry, and those whom it leaves. */
async function tellOfUpdate(updating: Updating, row: UpdatedRow, publish: Events['publish']): Promise<void> {
  const { trx, caller, from, to, current, rendering, now } = updating
  const isNew = current.published_at === null
  const news = {
    isNew,
    isTextNew: isNew || row.content !== current.content,
    html: (rendering ?? row.kept)?.html,
  }
  await tellOfSave({ trx, publish, now }, { caller, access: to }, row, news)
  await recordDeparture(trx, caller, { from, to }, { before: current, after: row, now })
}

/** Presents an updated entry; null if its stored rendering is missing or outdated. */
async function presentUpdated(
  { deps, trx, caller, to, current, rendering }: Updating,
  row: UpdatedRow,
  schedule: Schedule | null | undefined,
): Promise<RenderedEntry | null> {
  const stored = rendering ? asStored(rendering) : row.kept
  if (!stored || !(rendering || (row.kept && row.kept.renderer >= RENDERER_VERSION))) return null
  const shown = schedule === undefined ? current.schedule : jsonOf(schedule)
  return presentSaved({ ...deps, db: trx }, row, stored, caller, to, shown)
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
  current: CurrentEntry,
  { state, schedule }: ReturnType<typeof storedStateOf>,
): void {
  if (state === 'draft' && isSeen(current) && current.author_id !== caller.userId)
    throw forbidden('Only the author of an entry can make it a draft again')
  if (isSeen(current) || current.schedule || schedule || state === 'published')
    for (const access of accesses) requirePublishing(caller, access)
}

const isDated = ({ happenedAt, happenedOn }: EntryChange) =>
  happenedAt !== undefined || happenedOn !== undefined
