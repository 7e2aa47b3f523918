import type { Transaction } from 'kysely'
import type { EntryState } from '#contract/entries.ts'
import type { EntryRevisionRow } from '#server/database/rows/history.ts'
import type { Schema } from '#server/database/rows.ts'
import { coverChoice } from '#server/files/present.ts'
import { derivedId } from '#server/platform/changes/changes.ts'
import { findVersionOf, insertVersions } from './importing-store.ts'
import { bytesOf } from './record.ts'
import { NOBODY } from './store.ts'

/** What another server knew of a version besides its text. Authors who have no account here have no id. */
export type ImportedFacts = {
  firstVersion: number
  version: number
  authors: { id: string | null; name: string }[]
  name: string | null
  cause: EntryRevisionRow['cause']
  wordCount: number | null
  begunAt: Date
  createdAt: Date
}

export type ImportedVersion = ImportedFacts & {
  title: string
  content: string
  tags: string[]
  state: EntryState
  happened: { at: Date; on: string; zone: string }
  coverFile: string | null | undefined
}

/** The id of a version that an import has created. It follows from the entry, so that one created later is known by its id. */
export const importedVersionId = (entryId: string, firstVersion: number): string =>
  derivedId('version', entryId, String(firstVersion))

/** Adds earlier versions to the history of an entry, and returns their ids by version. Those that are there stay as they are. */
export async function importVersions(
  trx: Transaction<Schema>,
  entryId: string,
  versions: ImportedVersion[],
): Promise<ReadonlyMap<number, string>> {
  const current = await findVersionOf(trx, entryId)
  const earlier = versions.filter(({ version }) => current !== undefined && version < current)
  if (earlier.length === 0) return new Map()
  const rows = earlier.map(({ happened, coverFile, ...one }) =>
    importedRevision(entryId, {
      ...one,
      happened_at: happened.at,
      happened_on: happened.on,
      happened_zone: happened.zone,
      ...(coverChoice(coverFile) ?? { cover_file_id: null, no_cover: false }),
    }),
  )
  const added = await insertVersions(trx, entryId, rows)
  return new Map(added.map(({ version, id }) => [version, id]))
}

type RevisionText = Pick<
  EntryRevisionRow,
  'title' | 'content' | 'tags' | 'state' | 'happened_at' | 'happened_zone' | 'cover_file_id' | 'no_cover'
> & { happened_on: string }

/** Returns the row of a version as another server knew it. */
export const importedRevision = (entryId: string, { authors, ...one }: RevisionText & ImportedFacts) => ({
  id: importedVersionId(entryId, one.firstVersion),
  entry_id: entryId,
  first_version: one.firstVersion,
  version: one.version,
  title: one.title,
  content: one.content,
  tags: one.tags,
  happened_at: one.happened_at,
  happened_on: one.happened_on,
  happened_zone: one.happened_zone,
  cover_file_id: one.cover_file_id,
  no_cover: one.no_cover,
  state: one.state,
  word_count: one.wordCount,
  author_ids: authors.map(({ id }) => id ?? NOBODY),
  author_names: authors.map(({ name }) => name),
  name: one.name,
  cause: one.cause,
  bytes: bytesOf(one),
  begun_at: one.begunAt,
  created_at: one.createdAt,
})
