import type { Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { dayIn } from '#contract/day.ts'
import type { Entry, EntryBetween, EntryChange, EntryFields, RenderedEntry } from '#contract/entries.ts'
import type { Rendering } from '#markdown/rendering.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import { withStoredImage } from '#server/files/entry-image/service.ts'
import {
  findCover,
  lockFilesOfEntry,
  recordCover,
  recordTextFiles,
  showFilesOfEntries,
  takeFilesAlong,
} from '#server/files/uses.ts'
import { requireAccess } from '#server/permissions/access.ts'
import { changeProjects } from '#server/permissions/change.ts'
import type { Caller } from '#server/platform/calls.ts'
import { forbidden, notFound, refuseStale } from '#server/platform/errors.ts'
import type { Upload } from '#server/platform/http/uploads.ts'
import { entryPresenter, readerOf, withReading } from './present.ts'
import { renderForReading } from './rendering.ts'
import {
  carryRendering,
  findRendering,
  listHtml,
  type RenderingRecord,
  saveRendering,
} from './rendering-store.ts'
import {
  deleteEntryRow,
  type EntryRecord,
  findEntry,
  findNeighbours,
  type Happened,
  insertEntry,
  listLastPublished,
  type RenderingSummary,
  updateEntryRow,
} from './store.ts'

type EntryRef = { milestoneId: string; entryId: string }

/** What is written: the fields and, where one came, the file of an image. */
type Writing = { fields: EntryFields; upload: Upload | null }

type Published = Entry & { html?: string }

/**
 * The entries of a project that were published last, the last one first, and of as many of them the HTML as stays
 * within `htmlMax` characters in all. Throws `not_found`.
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

/** An entry's rows, and the presenter for this caller. */
type Found = {
  row: EntryRecord
  stored: RenderingRecord | undefined
  present: (row: EntryRecord) => Entry
  /** For whom the addresses of its files are made. */
  reader: Caller | null
}

/** An entry that the caller may view, for `readFound`. Throws `not_found`. */
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

/** An entry with its content as HTML, which may have to be rendered first: call it with no transaction open. */
export async function readFound(
  deps: AppDeps,
  { row, stored, present, reader }: Found,
): Promise<RenderedEntry> {
  const reading = await renderForReading(deps, row, stored)
  return withReading(present(row), await withFiles(deps, row, reading, reader))
}

/** What an entry is shown as, with its files for this reader. */
async function withFiles<Shown extends { html: string }>(
  deps: Pick<AppDeps, 'links'> & { db: Db },
  { id }: Pick<EntryRecord, 'id'>,
  reading: Shown,
  reader: Caller | null,
): Promise<Shown> {
  const shown = await showFilesOfEntries(deps, new Map([[id, reading.html]]), { reader })
  return { ...reading, html: shown.get(id) ?? reading.html }
}

/** One entry that the caller may view, with those beside it. Throws `not_found`. */
export async function readEntry(deps: AppDeps, caller: Caller | null, ref: EntryRef): Promise<EntryBetween> {
  const { found, ...neighbours } = await inSnapshot(deps.db, async (db) => {
    const found = await findForReading({ ...deps, db }, caller, ref)
    const { id, milestone_id: milestoneId, happened_at: happenedAt } = found.row
    const beside = { id, milestoneId, happenedAt, reader: caller?.userId ?? null }
    return { found, ...(await findNeighbours(db, beside)) }
  })
  return { ...(await readFound(deps, found)), ...neighbours }
}

/** Throws what the change would, before an image is taken in; the change checks it again. */
async function requireRoomForImage(deps: AppDeps, caller: Caller, milestoneId: string): Promise<void> {
  const { projectId } = await requireAccess(deps.db, caller, 'content:edit', { milestoneId })
  await deps.quotas.requireRoom(deps.db, caller, projectId)
}

/** Writes an entry. Throws `not_found`, `forbidden`, `unavailable`, `quota_exceeded`, or what is wrong with the image. */
export async function createEntry(
  deps: AppDeps,
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
      const text = { title, content, tags, coverFile }
      const written = { id: uuidv7(), milestoneId, authorId: caller.userId, ...text, state }
      await lockFilesOfEntry(trx, null, { html: rendering.html, coverFile })
      const row = await insertEntry(trx, { ...written, happened: happenedOf(fields, now), image, now })
      await saveRendering(trx, row, rendering)
      await recordFiles({ ...deps, trx }, row.id, { access, caller, html: rendering.html, coverFile })
      publish(eventOf(caller, access, isSeen(row)))
      return presentSaved({ ...deps, db: trx }, row, rendering, caller, access)
    }),
  )
}

/**
 * Changes an entry; fields that are left out keep their values, a new image replaces the old one, and another milestone
 * moves the entry there, with the same rights required in both projects. Throws `not_found`, `forbidden`, `unavailable`,
 * `quota_exceeded`, `stale` where `ifMatch` is old, or what is wrong with the image.
 */
export async function updateEntry(
  deps: AppDeps,
  caller: Caller,
  ref: EntryRef,
  { fields, upload, removeImage }: { fields: EntryChange; upload: Upload | null; removeImage: boolean },
  ifMatch: number | undefined,
): Promise<RenderedEntry> {
  const { milestoneId, entryId } = ref
  const { title, content, tags, state, milestone: target = milestoneId } = fields
  if (upload) await requireRoomForImage(deps, caller, milestoneId)
  const rendering =
    content === undefined ? null : await renderForWriter(deps, caller, milestoneId, { content })
  const refs = target === milestoneId ? [{ milestoneId }] : [{ milestoneId }, { milestoneId: target }]
  const saved = await withStoredImage(deps, caller, upload, (uploaded) =>
    changeProjects(deps, caller, 'content:edit', refs, async (trx, accesses, publish) => {
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
      // The image that a form sends or takes away is the cover from then on.
      const coverFile = fields.coverFile === undefined && image !== undefined ? null : fields.coverFile
      await lockFilesOfEntry(trx, entryId, { html: rendering?.html, coverFile })
      const change = { title, content, tags, state, happened, image, coverFile, milestoneId: target }
      const row = {
        ...(await updateEntryRow(trx, entryId, change, now)),
        author_name: current.author_name,
      }
      if (rendering) await saveRendering(trx, row, rendering)
      else await carryRendering(trx, row)
      if (to.projectId !== from.projectId) await takeFilesAlong(trx, entryId, to.projectId)
      await recordFiles({ ...deps, trx }, entryId, { access: to, caller, html: rendering?.html, coverFile })
      for (const access of accesses) publish(eventOf(caller, access, isSeen(current) || isSeen(row)))
      return rendering && presentSaved({ ...deps, db: trx }, row, rendering, caller, to)
    }),
  )
  const moved = { milestoneId: target, entryId }
  return saved ?? readFound(deps, await findForReading(deps, caller, moved))
}

type Recording = {
  access: { projectId: string }
  caller: Caller
  html: string | undefined
  coverFile: string | null | undefined
}

/** Records what an entry uses now; of its text and its cover what is undefined has not changed. */
async function recordFiles(
  { trx, fileSettings }: Pick<AppDeps, 'fileSettings'> & { trx: Transaction<Schema> },
  entryId: string,
  { access: { projectId }, caller: { userId: writerId }, html, coverFile }: Recording,
): Promise<void> {
  const writing = { projectId, writerId }
  if (html !== undefined)
    await recordTextFiles(trx, entryId, html, { ...writing, limits: fileSettings.fileLimits })
  if (coverFile !== undefined) await recordCover(trx, { entryId }, coverFile, writing)
}

type SavedRow = Omit<EntryRecord, 'rendering' | 'cover'>
type Saving = Pick<AppDeps, 'links'> & { db: Transaction<Schema> }

/** An entry as it was just saved, in the same transaction. */
async function presentSaved(
  deps: Saving,
  row: SavedRow,
  rendering: Rendering,
  caller: Caller,
  access: { isPublic: boolean },
): Promise<RenderedEntry> {
  const cover = await findCover(deps.db, row.cover_file_id)
  const entry = entryPresenter(deps, caller, access)({ ...row, rendering: summaryOf(rendering), cover })
  return withReading(entry, await withFiles(deps, row, rendering, readerOf(row, caller, access.isPublic)))
}

/** Whether others than its author see an entry. */
const isSeen = ({ state }: Pick<EntryRecord, 'state'>) => state === 'published'

/** What only its author sees is an event for them alone. */
const eventOf = ({ userId }: Caller, { projectId }: { projectId: string }, seen: boolean) =>
  seen ? { project: projectId } : { person: userId, project: projectId }

/** The calendar day is what the author's clock shows, and is stored: no reader's time zone moves it. */
function happenedOf({ happenedAt, happenedZone = 'UTC' }: Partial<EntryFields>, now: Date): Happened {
  const at = happenedAt === undefined ? now : new Date(happenedAt)
  return { at, on: dayIn(happenedZone, at), zone: happenedZone }
}

/** Before the transaction, which must not wait for it; access is required here and again there. */
async function renderForWriter(
  { db, renderer }: AppDeps,
  caller: Caller,
  milestoneId: string,
  { content }: Pick<EntryFields, 'content'>,
): Promise<Rendering> {
  await requireAccess(db, caller, 'content:edit', { milestoneId })
  return renderer.render(caller.userId, content)
}

const summaryOf = ({ excerpt, wordCount, renderedAs }: Rendering): RenderingSummary => ({
  excerpt,
  word_count: wordCount,
  rendered_as: renderedAs,
})

/** Deletes an entry. Throws `not_found` or `forbidden`. */
export async function deleteEntry(
  deps: AppDeps,
  caller: Caller,
  { milestoneId, entryId }: EntryRef,
): Promise<void> {
  await changeProjects(deps, caller, 'content:edit', [{ milestoneId }], async (trx, [access], publish) => {
    const entry = await findEntry(trx, milestoneId, entryId, caller.userId)
    if (!entry) throw notFound('Entry')
    await deleteEntryRow(trx, entryId)
    publish(eventOf(caller, access, isSeen(entry)))
  })
}
