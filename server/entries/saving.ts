import type { Transaction } from 'kysely'
import type { EntryFields, RenderedEntry } from '#contract/entries.ts'
import { dayIn, noonIn, usableZone } from '#contract/parts/date-formats.ts'
import type { Rendering } from '#markdown/rendering.ts'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { deleteDraft } from '#server/drafts/service.ts'
import { mayReferToFiles } from '#server/files/files-in-html.ts'
import { type CoverChoice, shownCover } from '#server/files/present.ts'
import {
  findCover,
  keepFilesOfRevision,
  lockFilesOfEntry,
  recordCover,
  recordTextFiles,
} from '#server/files/uses.ts'
import type { LockedAccess } from '#server/permissions/access.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import type { Events } from '#server/platform/events/events.ts'
import type { IndexSource } from '#server/search/indexing.ts'
import { entryPresenter, readerOf, withRenderedContent } from './present.ts'
import { type RenderedContent, withFiles } from './rendering.ts'
import type { Happened, SavedRow } from './saving-store.ts'
import type { EntryRecord, RenderingSummary, ScheduleJson } from './store.ts'

/** The calendar day is that of the author's time zone, and is stored: it is the same for readers in other time zones. */
export function happenedOf(
  { happenedAt, happenedOn, happenedZone }: Partial<EntryFields>,
  now: Date,
  zones: (string | null | undefined)[],
): Happened {
  const zone = usableZone(happenedZone, ...zones)
  if (happenedAt !== undefined) {
    const at = new Date(happenedAt)
    const hasOwnDay = !happenedZone && !happenedAt.endsWith('Z')
    return { at, on: hasOwnDay ? happenedAt.slice(0, DAY_LENGTH) : dayIn(zone, at), zone }
  }
  const today = dayIn(zone, now)
  if (happenedOn === undefined || happenedOn === today) return { at: now, on: today, zone }
  return { at: noonIn(zone, happenedOn), on: happenedOn, zone }
}

const DAY_LENGTH = 'YYYY-MM-DD'.length

/**
 * The draft that a save ends, if any, which was locked with the access. The statement of the save deletes it `atOnce`; one with
 * files is deleted by `end`, once the entry uses them.
 */
export function endingDraft(
  trx: Transaction<Schema>,
  caller: Caller,
  draftId: string | undefined,
  accesses: readonly Pick<LockedAccess, 'draftFiles'>[],
  publish: Events['publish'],
) {
  if (draftId === undefined) return { files: [], atOnce: null, end: async () => {} }
  const files = accesses.flatMap(({ draftFiles }) => draftFiles ?? [])
  const isPlain = files.length === 0
  const end = async () => {
    if (!isPlain) await deleteDraft(trx, caller.userId, draftId)
    publish({ person: caller.userId, drafts: true })
  }
  return { files, atOnce: isPlain ? draftId : null, end }
}

type Recording = {
  access: { projectId: string }
  caller: Caller
  html: string | undefined
  coverFile: string | null | undefined
  /** The revision of the save, which uses the same files. */
  revisionId: string | null
}

type FilesOfSave = { html?: string | undefined; coverFile?: string | null | undefined; draft: string[] }

/** Locks the files of a save, and returns whether it has some: its entry, its text, its cover or its draft. */
export async function lockFilesOfSave(
  trx: Transaction<Schema>,
  before: (Pick<EntryRecord, 'id' | 'cover_file_id'> & { uses_files: boolean }) | null,
  { html = '', coverFile, draft }: FilesOfSave,
): Promise<boolean> {
  const usesFiles =
    before?.uses_files === true ||
    (before?.cover_file_id ?? null) !== null ||
    mayReferToFiles(html) ||
    (coverFile ?? null) !== null ||
    draft.length > 0
  if (usesFiles) await lockFilesOfEntry(trx, before?.id ?? null, { html, coverFile, also: draft })
  return usesFiles
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

/** Returns what the index of the search reads of a saved entry without files. */
export const indexSourceOf = (
  { projectId }: { projectId: string },
  row: SavedRow,
  html: string | undefined,
): IndexSource => ({
  id: row.id,
  kind: 'entry',
  project_id: projectId,
  milestone_id: row.milestone_id,
  author_id: row.author_id,
  is_draft: row.state === 'draft',
  happened_at: row.happened_at,
  happened_on: row.happened_on,
  has: [],
  title: row.title,
  tags: row.tags,
  text: row.content,
  html: html ?? null,
  files: [],
})

type Saving = Pick<AppDeps, 'links' | 'fileSettings'> & { db: Transaction<Schema> }

/** Presents an entry that was just saved, in the same transaction. */
export async function presentSaved(
  deps: Saving,
  row: SavedRow,
  rendering: RenderedContent & RenderingSummary,
  caller: Caller,
  access: { isPublic: boolean },
  schedule: ScheduleJson | null,
): Promise<RenderedEntry> {
  const saved = { ...row, schedule, rendering, cover: await findCover(deps.db, shownCover(row)) }
  const reader = readerOf(row, caller, access.isPublic)
  return withRenderedContent(
    entryPresenter(deps, caller, access)(saved),
    await withFiles(deps, saved, rendering, reader),
  )
}

type Changing = Partial<Pick<EntryRecord, 'title' | 'content' | 'tags' | 'state'>> & {
  happened: Happened | undefined
  cover: CoverChoice | undefined
  milestoneId: string
}

/** Returns the fields of an entry after a change; undefined fields are unchanged. */
export function changed(
  current: EntryRecord,
  { title, content, tags, state, happened, cover = current, milestoneId }: Changing,
) {
  return {
    title: title ?? current.title,
    content: content ?? current.content,
    tags: tags ?? current.tags,
    state: state ?? current.state,
    cover_file_id: cover.cover_file_id,
    no_cover: cover.no_cover,
    happened_at: happened?.at ?? current.happened_at,
    happened_on: happened?.on ?? current.happened_on,
    happened_zone: happened?.zone ?? current.happened_zone,
    milestone_id: milestoneId,
  }
}

/** Returns a new rendering like a stored one. */
export const asStored = ({ html, headings, excerpt, wordCount, renderedAs }: Rendering) => ({
  html,
  headings,
  excerpt,
  word_count: wordCount,
  rendered_as: renderedAs,
})
