import type { Transaction } from 'kysely'
import type { Rendering } from '#markdown/rendering.ts'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { mayReferToFiles, referencesIn } from '#server/files/files-in-html.ts'
import { coverChoice } from '#server/files/present.ts'
import { firstPicture, keepFilesOfRevisions, lockFilesOfEntry } from '#server/files/uses.ts'
import { importedRevision } from '#server/history/importing.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { notFound } from '#server/platform/api/errors.ts'
import { idTaken } from '#server/platform/changes/changes.ts'
import { areMilestonesOf, type ImportedEntry, insertImported } from './importing-store.ts'
import { recordFiles } from './saving.ts'

export { removeUntouched } from './importing-store.ts'

type Rendered = ImportedEntry & { rendering: Rendering }

const usesFiles = ({ rendering, coverFile }: Rendered) =>
  mayReferToFiles(rendering.html) || (coverFile ?? null) !== null

/**
 * Adds entries as they were elsewhere, to live milestones of a project that is locked, without an activity: nobody is told. Throws
 * `not_found` and `id_taken`, and `too_large` or `invalid` for files that an entry may not have.
 */
export async function importEntries(
  deps: Pick<AppDeps, 'fileSettings'>,
  trx: Transaction<Schema>,
  { caller, access }: { caller: Caller; access: { projectId: string } },
  entries: Rendered[],
): Promise<void> {
  const milestones = [...new Set(entries.map(({ milestoneId }) => milestoneId))]
  if (!(await areMilestonesOf(trx, access.projectId, milestones))) throw notFound('Milestone')
  const withFiles = entries.filter(usesFiles)
  await lockFilesOf(trx, withFiles)
  const rows = []
  for (const entry of entries) rows.push(await rowsOf(trx, { caller, access }, entry))
  if (!(await insertImported(trx, rows))) throw idTaken()
  for (const { id, rendering, coverFile } of withFiles) {
    const row = { id, cover_file_id: coverChoice(coverFile)?.cover_file_id ?? null }
    const files = { access, caller, html: rendering.html, coverFile, revisionId: null }
    await recordFiles({ ...deps, trx }, row, files)
  }
  const revisions = rows.map(({ revision }) => ({ entryId: revision.entry_id, revisionId: revision.id }))
  const using = new Set(withFiles.map(({ id }) => id))
  await keepFilesOfRevisions(
    trx,
    revisions.filter(({ entryId }) => using.has(entryId)),
  )
}

/** Locks the files of all these entries at once, so that others who lock some of them wait instead of meeting halfway. */
async function lockFilesOf(trx: Transaction<Schema>, entries: Rendered[]): Promise<void> {
  if (entries.length === 0) return
  const covers = entries.flatMap(({ coverFile }) => coverFile ?? [])
  const shown = entries.flatMap(({ rendering }) => referencesIn(rendering.html))
  await lockFilesOfEntry(trx, null, { also: [...shown, ...covers] })
  for (const coverFile of covers) await lockFilesOfEntry(trx, null, { coverFile })
}

async function rowsOf(
  trx: Transaction<Schema>,
  { caller, access }: { caller: Caller; access: { projectId: string } },
  entry: Rendered,
) {
  const { id, title, content, tags, state, happened, coverFile, author, version, createdAt, rendering } =
    entry
  const writing = { ...access, writerId: caller.userId }
  const common = {
    title,
    content,
    tags,
    state,
    happened_at: happened.at,
    happened_on: happened.on,
    happened_zone: happened.zone,
    ...(coverChoice(coverFile) ?? { cover_file_id: null, no_cover: false }),
  }
  const facts = entry.latest ?? {
    firstVersion: version,
    version,
    authors: author.id === null ? [] : [{ id: author.id, name: author.name ?? '' }],
    name: null,
    cause: 'save' as const,
    begunAt: createdAt,
    createdAt,
  }
  const row = {
    id,
    milestone_id: entry.milestoneId,
    ...common,
    author_id: author.id,
    author_name: author.name,
    first_picture_id: await firstPicture(trx, null, rendering.html, writing),
    published_at: state === 'published' ? (entry.publishedAt ?? createdAt) : entry.publishedAt,
    version,
    created_at: createdAt,
    updated_at: entry.updatedAt,
  }
  const revision = importedRevision(id, { ...common, ...facts, wordCount: rendering.wordCount })
  return { entry: row, revision, rendering: { id, version, rendering } }
}
