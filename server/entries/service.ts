import { v7 as uuidv7 } from 'uuid'
import type { Entry, EntryChange, EntryFields, RenderedEntry } from '#contract/entries.ts'
import type { Rendering } from '#markdown/render.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import { withStoredImage } from '#server/files/entry-image/service.ts'
import { requireAccess } from '#server/permissions/access.ts'
import { changeProject } from '#server/permissions/change.ts'
import type { Caller } from '#server/platform/calls.ts'
import { notFound, refuseStale } from '#server/platform/errors.ts'
import type { Upload } from '#server/platform/http/uploads.ts'
import { entryPresenter, withReading } from './present.ts'
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
  insertEntry,
  listNewestOfProject,
  type RenderingSummary,
  updateEntryRow,
} from './store.ts'

type EntryRef = { milestoneId: string; entryId: string }

/** What is written: the fields and, where one came, the file of an image. */
type Writing = { fields: EntryFields; upload: Upload | null }

type Newest = Entry & { html?: string }

/**
 * The newest entries of a project that the caller may view, newest first, and of as many of them the HTML as stays
 * within `htmlMax` characters in all. Throws `not_found`.
 */
export function listNewestEntries(
  deps: AppDeps,
  caller: Caller | null,
  projectId: string,
  { limit, htmlMax }: { limit: number; htmlMax: number },
): Promise<Newest[]> {
  return inSnapshot(deps.db, async (db) => {
    const access = await requireAccess(db, caller, 'project:view', { projectId })
    const rows = await listNewestOfProject(db, projectId, limit)
    const htmlOf = await listHtml(
      db,
      rows.map(({ id }) => id),
      htmlMax,
    )
    const present = entryPresenter(deps, caller, access)
    return rows.map((row) => {
      const html = htmlOf.get(row.id)
      return { ...present(row), ...(html !== undefined && { html }) }
    })
  })
}

/** An entry's rows, and the presenter for this caller. */
type Found = { row: EntryRecord; stored: RenderingRecord | undefined; present: (row: EntryRecord) => Entry }

/** An entry that the caller may view, for `readFound`. Throws `not_found`. */
export function findForReading(
  deps: Pick<AppDeps, 'db' | 'links'>,
  caller: Caller | null,
  ref: EntryRef,
): Promise<Found> {
  return inSnapshot(deps.db, async (db) => {
    const access = await requireAccess(db, caller, 'project:view', { milestoneId: ref.milestoneId })
    const row = await findEntry(db, ref.milestoneId, ref.entryId)
    if (!row) throw notFound('Entry')
    const stored = await findRendering(db, row.id)
    return { row, stored, present: entryPresenter(deps, caller, access) }
  })
}

/** An entry with its content as HTML, which may have to be rendered first: call it with no transaction open. */
export async function readFound(deps: AppDeps, { row, stored, present }: Found): Promise<RenderedEntry> {
  return withReading(present(row), await renderForReading(deps, row, stored))
}

/** One entry that the caller may view. Throws `not_found`. */
export async function readEntry(deps: AppDeps, caller: Caller | null, ref: EntryRef): Promise<RenderedEntry> {
  return readFound(deps, await findForReading(deps, caller, ref))
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
  return withStoredImage(deps, caller, upload, (image) =>
    changeProject(deps, caller, 'content:edit', { milestoneId }, async (trx, access) => {
      const row = await insertEntry(trx, { ...fields, image, id: uuidv7(), milestoneId, now: deps.clock() })
      await saveRendering(trx, row, rendering)
      const entry = entryPresenter(deps, caller, access)({ ...row, rendering: summaryOf(rendering) })
      return withReading(entry, rendering)
    }),
  )
}

/**
 * Changes an entry; fields that are left out keep their values, and a new image replaces the old one. Throws `not_found`, `forbidden`, `unavailable`, `quota_exceeded`,
 * `stale` where `ifMatch` is old, or what is wrong with the image.
 */
export async function updateEntry(
  deps: AppDeps,
  caller: Caller,
  ref: EntryRef,
  { fields, upload, removeImage }: { fields: EntryChange; upload: Upload | null; removeImage: boolean },
  ifMatch: number | undefined,
): Promise<RenderedEntry> {
  const { milestoneId, entryId } = ref
  const { content } = fields
  if (upload) await requireRoomForImage(deps, caller, milestoneId)
  const rendering =
    content === undefined ? null : await renderForWriter(deps, caller, milestoneId, { content })
  const saved = await withStoredImage(deps, caller, upload, (uploaded) =>
    changeProject(deps, caller, 'content:edit', { milestoneId }, async (trx, access) => {
      const present = entryPresenter(deps, caller, access)
      const current = await findEntry(trx, milestoneId, entryId)
      if (!current) throw notFound('Entry')
      refuseStale(ifMatch, present(current))
      const image = uploaded ?? (removeImage ? null : undefined)
      const row = await updateEntryRow(trx, entryId, { ...fields, image }, deps.clock())
      if (rendering) await saveRendering(trx, row, rendering)
      else await carryRendering(trx, row)
      return rendering && withReading(present({ ...row, rendering: summaryOf(rendering) }), rendering)
    }),
  )
  return saved ?? readEntry(deps, caller, ref)
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
  await changeProject(deps, caller, 'content:edit', { milestoneId }, async (trx) => {
    if (!(await deleteEntryRow(trx, milestoneId, entryId))) throw notFound('Entry')
  })
}
