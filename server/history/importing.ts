import type { Transaction } from 'kysely'
import type { EntryState } from '#contract/entries.ts'
import type { EntryRevisionRow } from '#server/database/rows/history.ts'
import type { Schema } from '#server/database/rows.ts'
import { coverChoice } from '#server/files/present.ts'
import { derivedId } from '#server/platform/changes/changes.ts'
import { findVersionOf, insertVersions, updateVersion } from './importing-store.ts'
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

const authorsOf = ({ authors }: Pick<ImportedFacts, 'authors'>) => ({
  author_ids: authors.map(({ id }) => id ?? NOBODY),
  author_names: authors.map(({ name }) => name),
})

/** Adds earlier versions to the history of an entry, and returns their ids by version. Those that are there stay as they are. */
export async function importVersions(
  trx: Transaction<Schema>,
  entryId: string,
  versions: ImportedVersion[],
): Promise<ReadonlyMap<number, string>> {
  const current = await findVersionOf(trx, entryId)
  const earlier = versions.filter(({ version }) => current !== undefined && version < current)
  if (earlier.length === 0) return new Map()
  const rows = earlier.map((one) => ({
    id: importedVersionId(entryId, one.firstVersion),
    entry_id: entryId,
    first_version: one.firstVersion,
    version: one.version,
    title: one.title,
    content: one.content,
    tags: one.tags,
    happened_at: one.happened.at,
    happened_on: one.happened.on,
    happened_zone: one.happened.zone,
    cover_file_id: null,
    no_cover: false,
    ...coverChoice(one.coverFile),
    state: one.state,
    word_count: one.wordCount,
    ...authorsOf(one),
    name: one.name,
    cause: one.cause,
    bytes: bytesOf(one),
    begun_at: one.begunAt,
    created_at: one.createdAt,
  }))
  const added = await insertVersions(trx, entryId, rows)
  return new Map(added.map(({ version, id }) => [version, id]))
}

/** Sets what another server knew of the present text of an entry, which an import has just created. */
export async function importFacts(
  trx: Transaction<Schema>,
  entryId: string,
  facts: ImportedFacts,
): Promise<void> {
  const { author_ids: ids, author_names: names } = authorsOf(facts)
  await updateVersion(trx, importedVersionId(entryId, facts.firstVersion), { ...facts, ids, names })
}
