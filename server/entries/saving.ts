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
import { type EntryRecord, findAuthorPicture, type Happened, type RenderingSummary } from './store.ts'

/** Before the transaction, which must not wait for it; access is required here and again there. */
export async function renderForWriter(
  { db, renderer }: AppDeps,
  caller: Caller,
  milestoneId: string,
  { content }: Pick<EntryFields, 'content'>,
): Promise<Rendering> {
  await requireAccess(db, caller, 'content:edit', { milestoneId })
  return renderer.render(caller.userId, content)
}

/** The calendar day is what the author's clock shows, and is stored: no reader's time zone moves it. */
export function happenedOf({ happenedAt, happenedZone = 'UTC' }: Partial<EntryFields>, now: Date): Happened {
  const at = happenedAt === undefined ? now : new Date(happenedAt)
  return { at, on: dayIn(happenedZone, at), zone: happenedZone }
}

/** The draft that a save ends, if any: locked before files are, and deleted once the entry uses those that it used. */
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
  /** That of the save, which keeps the same files. */
  revisionId: string | null
}

/** Records what an entry uses now; of its text and its cover what is undefined has not changed. */
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

/** An entry as it was just saved, in the same transaction. */
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

/** What the text of an entry will be after a change, in which what is undefined stays. */
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
