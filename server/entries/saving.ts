import type { Transaction } from 'kysely'
import { dayIn } from '#contract/date-formats.ts'
import type { EntryFields, RenderedEntry } from '#contract/entries.ts'
import type { Rendering } from '#markdown/rendering.ts'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { endDraft, lockDraftToEnd } from '#server/drafts/service.ts'
import { findCover, keepFilesOfRevision, recordCover, recordTextFiles } from '#server/files/uses.ts'
import { requireAccess } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/calls.ts'
import type { Events } from '#server/platform/events/events.ts'
import { entryPresenter, readerOf, withRenderedContent } from './present.ts'
import { withFiles } from './rendering.ts'
import type { Happened } from './saving-store.ts'
import { type EntryRecord, findAuthorPicture, type RenderingSummary } from './store.ts'

/** Runs before the transaction, which must not wait for the renderer. Checks access, which the transaction checks again. */
export async function renderForWriter(
  { db, renderer }: AppDeps,
  caller: Caller,
  milestoneId: string,
  { content }: Pick<EntryFields, 'content'>,
): Promise<Rendering> {
  await requireAccess(db, caller, 'content:edit', { milestoneId })
  return renderer.render(caller.userId, content)
}

/** The calendar day is that of the author's time zone, and is stored: it is the same for readers in other time zones. */
export function happenedOf({ happenedAt, happenedZone = 'UTC' }: Partial<EntryFields>, now: Date): Happened {
  const at = happenedAt === undefined ? now : new Date(happenedAt)
  return { at, on: dayIn(happenedZone, at), zone: happenedZone }
}

/** Locks the draft that a save ends, if any, before the files; `end` deletes it once the entry uses its files. */
export async function endingDraft(
  trx: Transaction<Schema>,
  caller: Caller,
  draftId: string | undefined,
  publish: Events['publish'],
) {
  if (draftId === undefined) return { files: [], end: async () => {} }
  const files = await lockDraftToEnd(trx, caller, draftId)
  const end = async () => {
    await endDraft(trx, caller, draftId)
    publish({ person: caller.userId, drafts: true })
  }
  return { files, end }
}

type Recording = {
  access: { projectId: string }
  caller: Caller
  html: string | undefined
  coverFile: string | null | undefined
  /** The revision of the save, which uses the same files. */
  revisionId: string | null
}

/** Records the files that an entry uses; an undefined text or cover has not changed. */
export async function recordFiles(
  { trx, fileSettings }: Pick<AppDeps, 'fileSettings'> & { trx: Transaction<Schema> },
  { id: entryId, cover_file_id: cover }: Pick<EntryRecord, 'id' | 'cover_file_id'>,
  { access: { projectId }, caller: { userId: writerId }, html, coverFile, revisionId }: Recording,
): Promise<void> {
  const writing = { projectId, writerId }
  if (html !== undefined)
    await recordTextFiles(trx, entryId, html, { ...writing, limits: fileSettings.fileLimits })
  if (coverFile !== undefined) await recordCover(trx, { entryId }, coverFile, writing)
  if (revisionId !== null) await keepFilesOfRevision(trx, { entryId, revisionId }, { html, coverFile: cover })
}

type SavedRow = Omit<EntryRecord, 'rendering' | 'cover' | 'author_picture'>
type Saving = Pick<AppDeps, 'links' | 'fileSettings'> & { db: Transaction<Schema> }

/** Presents an entry that was just saved, in the same transaction. */
export async function presentSaved(
  deps: Saving,
  row: SavedRow,
  rendering: Rendering,
  caller: Caller,
  access: { isPublic: boolean },
): Promise<RenderedEntry> {
  const cover = await findCover(deps.db, row.cover_file_id)
  const author_picture = await findAuthorPicture(deps.db, row.author_id)
  const saved = { ...row, rendering: summaryOf(rendering), cover, author_picture }
  const reader = readerOf(row, caller, access.isPublic)
  return withRenderedContent(
    entryPresenter(deps, caller, access)(saved),
    await withFiles(deps, saved, rendering, reader),
  )
}

type Changing = Partial<Pick<EntryRecord, 'title' | 'content' | 'tags' | 'state'>> & {
  happened: Happened | undefined
  coverFile: string | null | undefined
}

/** Returns the fields of an entry after a change; undefined fields are unchanged. */
export function changed(
  current: EntryRecord,
  { title, content, tags, state, happened, coverFile }: Changing,
) {
  return {
    title: title ?? current.title,
    content: content ?? current.content,
    tags: tags ?? current.tags,
    state: state ?? current.state,
    cover_file_id: coverFile === undefined ? current.cover_file_id : coverFile,
    happened_at: happened?.at ?? current.happened_at,
    happened_on: happened?.on ?? current.happened_on,
    happened_zone: happened?.zone ?? current.happened_zone,
  }
}

const summaryOf = ({ excerpt, wordCount, renderedAs }: Rendering): RenderingSummary => ({
  excerpt,
  word_count: wordCount,
  rendered_as: renderedAs,
})
