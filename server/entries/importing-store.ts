import { sql, type Transaction } from 'kysely'
import type { EntryState } from '#contract/entries.ts'
import type { Schema } from '#server/database/rows.ts'
import { type ImportedFacts, importedVersionId } from '#server/history/importing.ts'
import type { Happened } from './saving-store.ts'

export type ImportedEntry = {
  id: string
  milestoneId: string
  title: string
  content: string
  tags: string[]
  state: EntryState
  happened: Happened
  /** The name of an author who is not the caller; null if nobody knows. */
  author: { name: string | null } | 'caller'
  coverFile: string | null | undefined
  publishedAt: Date | null
  createdAt: Date
  updatedAt: Date
  version: number
  /** What the history there says of the present text. */
  latest?: ImportedFacts | undefined
}

/** Returns whether a project has this live milestone. */
export async function isMilestoneOf(
  trx: Transaction<Schema>,
  projectId: string,
  milestoneId: string,
): Promise<boolean> {
  const milestone = await trx
    .selectFrom('live_milestones')
    .select('id')
    .where('id', '=', milestoneId)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return milestone !== undefined
}

/** Sets what a save decides by itself. */
export async function asItWas(trx: Transaction<Schema>, entry: ImportedEntry): Promise<void> {
  const { id, author, publishedAt, updatedAt, version } = entry
  const isOther = author !== 'caller'
  const name = isOther ? author.name : null
  await sql`
    with rendered as (update entry_renderings set entry_version = ${version} where entry_id = ${id}),
      revised as (
        update entry_revisions set first_version = ${version}, version = ${version},
          author_ids = case when ${isOther} then '{}' else author_ids end,
          author_names = case when ${isOther} then '{}' else author_names end
        where entry_id = ${id})
    update entries set version = ${version}, updated_at = ${updatedAt},
      published_at = case when state = 'published' then ${publishedAt ?? entry.createdAt}::timestamptz else ${publishedAt}::timestamptz end,
      author_id = case when ${isOther} then null else author_id end,
      author_name = case when ${isOther} then ${name}::text else author_name end
    where id = ${id}`.execute(trx)
}

/** Returns whether an entry is still as it was imported; undefined if it is gone. */
export async function isUntouched(
  trx: Transaction<Schema>,
  id: string,
  importedAt: Date,
): Promise<boolean | undefined> {
  const row = await trx
    .selectFrom('entries as e')
    .leftJoin('entry_revisions as r', 'r.entry_id', 'e.id')
    .select(['r.id', 'r.first_version', 'r.created_at', 'e.deleted_at'])
    .select(sql<boolean>`count(*) over () = 1`.as('is_only'))
    .where('e.id', '=', id)
    .orderBy('r.version', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  // Imports once gave versions any id. A later one may be the only one left, because older ones are thinned out.
  const isOfImport = row.is_only && row.created_at !== null && row.created_at < importedAt
  const isImported = isOfImport || row.id === importedVersionId(id, row.first_version ?? 0)
  return isImported && row.deleted_at === null
}

/** Deletes an entry for ever. */
export async function removeImportedEntry(trx: Transaction<Schema>, id: string): Promise<void> {
  await trx.deleteFrom('entries').where('id', '=', id).execute()
}
