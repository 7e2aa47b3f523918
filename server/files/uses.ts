import type { Transaction } from 'kysely'
import type { FileLimits } from '#contract/files.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { AppError, invalid } from '#server/platform/api/errors.ts'
import { mayReferToFiles, referencesIn, showFiles } from './files-in-html.ts'
import { type Cover, type FileLinks, urlsFor } from './present.ts'
import { findFile } from './store.ts'
import {
  copyUses,
  copyUsesOf,
  type EntriesOf,
  findFirstPicture,
  listFilesOfEntries,
  listFilesOfRevision,
  lockFiles,
  moveFiles,
  replaceUses,
  usesFilesOfOtherOwner,
} from './use-store.ts'

/** The writer and the project. */
type Writing = { projectId: string; writerId: string }

/**
 * Locks the files that a change of an entry (null: a new one) concerns: those that it uses, those that its new text and cover
 * use, and with `also` those of a draft that will be deleted. Call it before anything else refers to them. Throws `invalid` if
 * there is no such cover.
 */
export async function lockFilesOfEntry(
  trx: Transaction<Schema>,
  entryId: string | null,
  {
    html = '',
    coverFile,
    also = [],
  }: { html?: string | undefined; coverFile?: string | null | undefined; also?: string[] },
): Promise<void> {
  const ids = [...new Set(referencesIn(html)), ...(coverFile ? [coverFile] : []), ...also]
  await lockFiles(trx, entryId === null ? null : { entryId }, ids)
  // The row of the entry cannot refer to a file that does not exist; `recordCover` checks the rest.
  if (coverFile && !(await findFile(trx, coverFile))) throw invalidCover()
}

const invalidCover = () =>
  invalid([{ path: 'coverFile', message: 'The cover must be a picture of this project' }])

/**
 * Records the files that the text of an entry uses, found in its rendered HTML. Ignores references to files that the writer may
 * not use here. Throws `too_large` if there are too many.
 */
export async function recordTextFiles(
  trx: Transaction<Schema>,
  entryId: string,
  html: string,
  { limits, ...writing }: Writing & { limits: FileLimits },
): Promise<void> {
  const references = referencesIn(html)
  // Repeated references count each time, because the HTML of a file is much longer than its reference.
  if (references.length > limits.perEntry)
    throw new AppError(
      'too_large',
      `An entry may have at most ${limits.perEntry} files; this text refers to ${references.length}`,
    )
  await replaceUses(trx, { entryId, as: 'text' }, { ...writing, ids: [...new Set(references)] })
}

/**
 * Returns the first picture of a text among the files that its entry (null: a new one) may use; null without one. Call it after
 * `lockFilesOfEntry`.
 */
export async function firstPicture(
  trx: Transaction<Schema>,
  entryId: string | null,
  html: string,
  { projectId, writerId }: Writing,
): Promise<string | null> {
  const ids = referencesIn(html)
  return ids.length === 0 ? null : findFirstPicture(trx, entryId, { projectId, writerId, ids })
}

/** Records the cover of an entry or a project. Throws `invalid` unless it is a picture that the author may use here. */
export async function recordCover(
  trx: Transaction<Schema>,
  user: { entryId: string } | { projectId: string },
  fileId: string | null,
  writing: Writing,
): Promise<void> {
  const file = fileId === null ? undefined : await findFile(trx, fileId)
  const ids = fileId === null ? [] : [fileId]
  const use = 'entryId' in user ? { ...user, as: 'cover' as const } : user
  if ('projectId' in user) await lockFiles(trx, user, ids)
  const used = await replaceUses(trx, use, { ...writing, ids })
  if (fileId !== null && (used.length === 0 || file?.kind !== 'image')) throw invalidCover()
}

/** Returns a ready cover; null if there is none. */
export async function findCover(db: Db, fileId: string | null): Promise<Cover | null> {
  const file = fileId === null ? undefined : await findFile(db, fileId)
  if (file?.state !== 'ready' || file.kind !== 'image' || file.width === null || file.height === null)
    return null
  return { id: file.id, widths: file.widths, width: file.width, height: file.height }
}

/** Moves the files that only this entry uses to the project that the entry was moved to. */
export async function moveFilesWithEntry(
  trx: Transaction<Schema>,
  entryId: string,
  projectId: string,
): Promise<void> {
  await moveFiles(trx, { entryId }, projectId)
}

/** Moves the files that only entries of this milestone use to the project that the milestone was moved to. */
export async function moveFilesWithMilestone(
  trx: Transaction<Schema>,
  milestoneId: string,
  projectId: string,
): Promise<void> {
  await moveFiles(trx, { milestoneId }, projectId)
}

/**
 * Refuses moved entries that still show files which stayed behind and count for somebody else, who could not take them back
 * from there. Call it once the files of the entries are recorded. Throws `invalid`.
 */
export async function refuseFilesOfOtherOwner(
  trx: Transaction<Schema>,
  of: EntriesOf,
  projectId: string,
): Promise<void> {
  if (!(await usesFilesOfOtherOwner(trx, of, projectId))) return
  const [path, moved] =
    'entryId' in of ? ['milestone', 'this entry'] : ['project', 'an entry of this milestone']
  throw invalid([
    {
      path,
      message: `A file of ${moved} is used elsewhere in its project too, perhaps by an earlier version, and counts for the owner of that project. Take it out of ${'entryId' in of ? moved : 'that entry'} before you move it.`,
    },
  ])
}

/** Records that a revision of an entry uses the entry's current files. Does nothing if the entry has neither files nor a cover. */
export async function keepFilesOfRevision(
  trx: Transaction<Schema>,
  { entryId, revisionId }: { entryId: string; revisionId: string },
  { html, coverFile }: { html?: string | undefined; coverFile: string | null },
): Promise<void> {
  if (html === undefined || mayReferToFiles(html) || coverFile !== null)
    await copyUses(trx, entryId, revisionId)
}

/** Records that each of these revisions uses the current files of its entry. */
export async function keepFilesOfRevisions(
  trx: Transaction<Schema>,
  revisions: readonly { entryId: string; revisionId: string }[],
): Promise<void> {
  if (revisions.length === 0) return
  await copyUsesOf(
    trx,
    revisions.map(({ entryId }) => entryId),
    revisions.map(({ revisionId }) => revisionId),
  )
}

/** Inserts the files of a revision into its HTML, with URLs that this person can read. */
export async function showFilesOfRevision(
  { db, links }: Pick<AppDeps, 'links'> & { db: Db },
  { id, html }: { id: string; html: string },
  reader: { userId: string },
): Promise<string> {
  if (!mayReferToFiles(html)) return html
  const files = await listFilesOfRevision(db, id)
  return showFiles(html, files, { urlOf: urlsFor({ links }, reader), plain: false })
}

/** The reader of HTML; null for the public. */
export type Audience = { reader: { userId: string } | null; plain?: boolean; isBelowPicture?: boolean }

/** Inserts the files of entries into their HTML, by entry. */
export async function showFilesOfEntries(
  { db, links }: FileLinks & { db: Db },
  htmlOf: Map<string, string>,
  { reader, plain = false, isBelowPicture = false }: Audience,
): Promise<Map<string, string>> {
  const referring = [...htmlOf].filter(([, html]) => mayReferToFiles(html))
  if (referring.length === 0) return htmlOf
  const files = await listFilesOfEntries(
    db,
    referring.map(([entryId]) => entryId),
  )
  const showing = { urlOf: urlsFor({ links }, reader), plain, isBelowPicture }
  const shown = referring.map(
    ([entryId, html]) => [entryId, showFiles(html, files.get(entryId) ?? [], showing)] as const,
  )
  return new Map([...htmlOf, ...shown])
}
