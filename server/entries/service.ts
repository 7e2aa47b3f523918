import { v7 as uuidv7 } from 'uuid'
import type {
  Entry,
  EntryBetween,
  EntryChange,
  EntryFields,
  EntryLocation,
  RenderedEntry,
} from '#contract/entries.ts'
import { isOutage, OutcomeUnknown } from '#server/database/outage.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps, CreatingDeps } from '#server/deps.ts'
import { withStoredImage } from '#server/files/entry-image/service.ts'
import { lockFilesOfEntry, moveFilesWithEntry, showFilesOfEntries } from '#server/files/uses.ts'
import { bytesOf, type Cause, recordCreation, recordSave, trimHistory } from '#server/history/record.ts'
import { changeProjects, may, requireAccess } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/calls.ts'
import { forbidden, notFound, refuseStale } from '#server/platform/errors.ts'
import type { Upload } from '#server/platform/http/uploads.ts'
import { moveToTrash } from '#server/trash/mark.ts'
import { recordChange, recordWriting } from './activity.ts'
import { entryPresenter, readerOf, withRenderedContent } from './present.ts'
import { renderForReading, withFiles } from './rendering.ts'
import {
  findRendering,
  listHtml,
  moveRenderingToVersion,
  type RenderingRecord,
  saveRendering,
} from './rendering-store.ts'
import { changed, endingDraft, happenedOf, presentSaved, recordFiles, renderForWriter } from './saving.ts'
import {
  type EntryRecord,
  findEntry,
  findLocation,
  findNeighbours,
  findTimeZone,
  insertEntry,
  listLastPublished,
  updateEntryRow,
} from './store.ts'

type EntryRef = { milestoneId: string; entryId: string }

/** The fields of a call, and the file of an image if there is one. */
type Writing = { fields: EntryFields & { draft?: string | undefined }; upload: Upload | null }

type Published = Entry & { html?: string }

/**
 * Returns the entries of a project that were published last, the last one first, and the HTML of as many of them as have
 * at most `htmlMax` characters in total. Throws `not_found`.
 */
export function listLastEntries(
  deps: AppDeps,
  caller: Caller | null,
  projectId: string,
  { limit, htmlMax }: { limit: number; htmlMax: number },
): Promise<Published[]> {
  return inSnapshot(deps.db, async (db) => {
    const access = await requireAccess(db, caller, 'project:view', { projectId })
    const rows = await listLastPublished(db, projectId, limit)
    const stored = await listHtml(
      db,
      rows.map(({ id }) => id),
      htmlMax,
    )
    const htmlOf = await showFilesOfEntries({ ...deps, db }, stored, {
      reader: access.isPublic ? null : caller,
      plain: true,
    })
    const present = entryPresenter(deps, caller, access)
    return rows.map((row) => {
      const html = htmlOf.get(row.id)
      return { ...present(row), ...(html !== undefined && { html }) }
    })
  })
}

/** The rows of an entry, and the presenter for this caller. */
type Found = {
  row: EntryRecord
  stored: RenderingRecord | undefined
  present: (row: EntryRecord) => Entry
  /** The person for whom the URLs of its files are signed. */
  reader: Caller | null
}

/** Finds an entry that the caller may view, for `renderEntry`. Throws `not_found`. */
export function findForReading(
  deps: Pick<AppDeps, 'db' | 'links'>,
  caller: Caller | null,
  ref: EntryRef,
): Promise<Found> {
  return inSnapshot(deps.db, async (db) => {
    const access = await requireAccess(db, caller, 'project:view', { milestoneId: ref.milestoneId })
    const row = await findEntry(db, ref.milestoneId, ref.entryId, caller?.userId ?? null)
    if (!row) throw notFound('Entry')
    const stored = await findRendering(db, row.id)
    const reader = readerOf(row, caller, access.isPublic)
    return { row, stored, present: entryPresenter(deps, caller, access), reader }
  })
}

/** Returns an entry with its content as HTML, which may have to be rendered: call it without an open transaction. */
export async function renderEntry(
  deps: AppDeps,
  { row, stored, present, reader }: Found,
): Promise<RenderedEntry> {
  const reading = await renderForReading(deps, row, stored)
  return withRenderedContent(present(row), await withFiles(deps, row, reading, reader))
}

/** Returns an entry that the caller may view, with its neighbors. Throws `not_found`. */
export async function readEntry(deps: AppDeps, caller: Caller | null, ref: EntryRef): Promise<EntryBetween> {
  const { found, ...neighbours } = await inSnapshot(deps.db, async (db) => {
    const found = await findForReading({ ...deps, db }, caller, ref)
    const { id, milestone_id: milestoneId, happened_at: happenedAt } = found.row
    const beside = { id, milestoneId, happenedAt, reader: caller?.userId ?? null }
    return { found, ...(await findNeighbours(db, beside)) }
  })
  return { ...(await renderEntry(deps, found)), ...neighbours }
}

/**
 * Returns the milestone and project of an entry that the caller may view. Throws the same `not_found` for a hidden entry
 * and for one that does not exist.
 */
export function locateEntry(deps: AppDeps, caller: Caller | null, entryId: string): Promise<EntryLocation> {
  return inSnapshot(deps.db, async (db) => {
    const found = await findLocation(db, entryId, caller?.userId ?? null)
    if (!found || !(await may(db, caller, 'project:view', found.project))) throw notFound('Entry')
    return { _id: entryId, ...found }
  })
}

/** Throws the errors of the change before an image is read; the change checks again. */
async function requireRoomForImage(deps: AppDeps, caller: Caller, milestoneId: string): Promise<void> {
  const { projectId } = await requireAccess(deps.db, caller, 'content:edit', { milestoneId })
  await deps.quotas.requireRoom(deps.db, caller, projectId)
}

/** Creates an entry. Throws `not_found`, `forbidden`, `unavailable`, `quota_exceeded`, or an error of the image. */
export async function createEntry(
  deps: CreatingDeps,
  caller: Caller,
  milestoneId: string,
  { fields, upload }: Writing,
): Promise<RenderedEntry> {
  if (upload) await requireRoomForImage(deps, caller, milestoneId)
  const rendering = await renderForWriter(deps, caller, milestoneId, fields)
  const { title, content, tags, coverFile, state = 'published' } = fields
  return withStoredImage(deps, caller, upload, (image) =>
    changeProjects(deps, caller, 'content:edit', [{ milestoneId }], async (trx, [access], publish) => {
      const now = deps.clock()
      // Browsers send the time zone of the author; for programs it may come from the account.
      const zone = fields.happenedZone ?? (await findTimeZone(trx, caller.userId))
      const text = { title, content, tags, coverFile }
      const written = { id: uuidv7(), milestoneId, authorId: caller.userId, ...text, state }
      const draft = await endingDraft(trx, caller, fields.draft, publish)
      await lockFilesOfEntry(trx, null, { html: rendering.html, coverFile, also: draft.files })
      const happened = happenedOf({ ...fields, happenedZone: zone }, now)
      const row = await insertEntry(trx, { ...written, happened, image, now })
      const save = { writerId: caller.userId, cause: 'save' as const, wordCount: rendering.wordCount, now }
      const { revisionId } = await recordCreation(trx, row, save)
      await saveRendering(trx, row, rendering)
      await recordFiles({ ...deps, trx }, row, {
        access,
        caller,
        html: rendering.html,
        coverFile,
        revisionId,
      })
      await recordWriting(trx, caller, access, row)
      await draft.end()
      publish(eventOf(caller, access, isSeen(row)))
      return presentSaved({ ...deps, db: trx }, row, rendering, caller, access)
    }),
  )
}

type Change = { fields: EntryChange; upload: Upload | null; removeImage: boolean; cause: Cause }

/**
 * Updates an entry. Omitted fields are unchanged, a new image replaces the old one, and another milestone
 * moves the entry, which requires the same right in both projects. Throws `not_found`, `forbidden`, `unavailable`,
 * `quota_exceeded`, `stale` if `ifMatch` is outdated, or an error of the image.
 */
export async function updateEntry(
  deps: AppDeps,
  caller: Caller,
  ref: EntryRef,
  { fields, upload, removeImage, cause }: Change,
  ifMatch: number | undefined,
): Promise<RenderedEntry> {
  const { milestoneId, entryId } = ref
  const { title, content, tags, state, milestone: target = milestoneId } = fields
  if (upload) await requireRoomForImage(deps, caller, milestoneId)
  const rendering =
    content === undefined ? null : await renderForWriter(deps, caller, milestoneId, { content })
  const refs = target === milestoneId ? [{ milestoneId }] : [{ milestoneId }, { milestoneId: target }]
  const saved = await withStoredImage(deps, caller, upload, (uploaded) =>
    changeProjects(deps, caller, 'content:edit', refs, async (trx, accesses, publish, allow) => {
      const current = await findEntry(trx, milestoneId, entryId, caller.userId)
      if (!current) throw notFound('Entry')
      const [from, to = from] = accesses
      if (!from || !to) throw new Error('a change without access')
      refuseStale(ifMatch, entryPresenter(deps, caller, from)(current))
      if (state === 'draft' && isSeen(current) && current.author_id !== caller.userId)
        throw forbidden('Only the author of an entry can make it a draft again')
      const now = deps.clock()
      const happened = fields.happenedAt === undefined ? undefined : happenedOf(fields, now)
      const image = uploaded ?? (removeImage ? null : undefined)
      // An image that a form sends or removes replaces the cover.
      const coverFile = fields.coverFile === undefined && image !== undefined ? null : fields.coverFile
      const draft = await endingDraft(trx, caller, fields.draft, publish)
      await lockFilesOfEntry(trx, entryId, { html: rendering?.html, coverFile, also: draft.files })
      const change = { title, content, tags, state, happened, image, coverFile, milestoneId: target }
      const wordCount = rendering?.wordCount ?? current.rendering?.word_count ?? null
      const save = { writerId: caller.userId, cause, wordCount, now }
      const added = await recordSave(trx, current, changed(current, change), save)
      const row = {
        ...(await updateEntryRow(trx, entryId, { ...change, historyBytes: added.bytes }, now)),
        author_name: current.author_name,
      }
      if (rendering) await saveRendering(trx, row, rendering)
      else await moveRenderingToVersion(trx, row)
      if (to.projectId !== from.projectId) await moveFilesWithEntry(trx, entryId, to.projectId)
      const files = { html: rendering?.html, coverFile, revisionId: added.revisionId }
      await recordFiles({ ...deps, trx }, row, { access: to, caller, ...files })
      const grown = bytesOf(row) - bytesOf(current)
      allow(to, await trimHistory(trx, deps, { projectId: to.projectId, entryId, added: added.bytes, grown }))
      await recordChange(trx, caller, { from, to }, { before: current, after: row, cause })
      await draft.end()
      for (const access of accesses) publish(eventOf(caller, access, isSeen(current) || isSeen(row)))
      return rendering && presentSaved({ ...deps, db: trx }, row, rendering, caller, to)
    }),
  )
  if (saved) return saved
  try {
    return await renderEntry(deps, await findForReading(deps, caller, { milestoneId: target, entryId }))
  } catch (error) {
    // The change is saved, so repeating the call would be wrong.
    throw isOutage(error) ? new OutcomeUnknown(error) : error
  }
}

/** Whether people other than its author see an entry. */
const isSeen = ({ state }: Pick<EntryRecord, 'state'>) => state === 'published'

/** Drafts publish an event only to their author. */
const eventOf = ({ userId }: Caller, { projectId }: { projectId: string }, seen: boolean) =>
  seen ? { project: projectId } : { person: userId, project: projectId }

/** Moves an entry to the trash, and returns the id of the deletion. Throws `not_found` or `forbidden`. */
export function deleteEntry(
  deps: AppDeps,
  caller: Caller,
  { milestoneId, entryId }: EntryRef,
): Promise<string> {
  return changeProjects(deps, caller, 'content:edit', [{ milestoneId }], async (trx, [access], publish) => {
    const entry = await findEntry(trx, milestoneId, entryId, caller.userId)
    if (!entry) throw notFound('Entry')
    publish(eventOf(caller, access, isSeen(entry)))
    const { projectId } = access
    const subject = isSeen(entry) ? entry.title : null
    const mark = { subject, deletedBy: caller.userId, now: deps.clock() }
    return moveToTrash(trx, { projectId, milestoneId, entryId }, mark)
  })
}
