import { type InsertObject, sql, type Transaction } from 'kysely'
import type { EntryState } from '#contract/entries.ts'
import type { Schema } from '#server/database/rows.ts'
import { type ImportedFacts, importedVersionId } from '#server/history/importing.ts'
import { renderingRow } from './rendering-store.ts'
import type { Happened } from './saving-store.ts'

export type ImportedEntry = {
  id: string
  milestoneId: string
  title: string
  content: string
  tags: string[]
  state: EntryState
  happened: Happened
  /** `id`: null for an author who has no account here; `name`: null if nobody knows it. */
  author: { id: string | null; name: string | null }
  coverFile: string | null | undefined
  publishedAt: Date | null
  createdAt: Date
  updatedAt: Date
  version: number
  /** What the history there says of the present text. */
  latest?: Omit<ImportedFacts, 'wordCount'> | undefined
}

/** Returns whether a project has all these live milestones. */
export async function areMilestonesOf(
  trx: Transaction<Schema>,
  projectId: string,
  ids: string[],
): Promise<boolean> {
  const found = await trx
    .selectFrom('live_milestones')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('project_id', '=', projectId)
    .execute()
  return found.length === ids.length
}

/** The rows of an entry: itself, the version of its present text, and its rendering. */
type ImportedRows = {
  entry: InsertObject<Schema, 'entries'>
  revision: InsertObject<Schema, 'entry_revisions'>
  rendering: Parameters<typeof renderingRow>[0]
}

/** Adds entries with their renderings and versions, a statement a table, whose triggers run once for all; returns false if an id is taken. */
export async function insertImported(trx: Transaction<Schema>, rows: ImportedRows[]): Promise<boolean> {
  const added = await trx
    .insertInto('entries')
    .values(rows.map(({ entry }) => entry))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .execute()
  if (added.length < rows.length) return false
  await trx
    .insertInto('entry_revisions')
    .values(rows.map(({ revision }) => revision))
    .execute()
  await trx
    .insertInto('entry_renderings')
    .values(rows.map(({ rendering }) => renderingRow(rendering)))
    .execute()
  return true
}

/** Deletes those of these entries for ever that are still as they were imported; returns them, and those that are gone. */
export async function removeUntouched(
  trx: Transaction<Schema>,
  ids: string[],
  importedAt: Date,
): Promise<string[]> {
  const present = await trx
    .selectFrom('entries as e')
    .leftJoin('entry_revisions as r', 'r.entry_id', 'e.id')
    .distinctOn('e.id')
    .select(['e.id', 'e.deleted_at', 'r.id as revision_id', 'r.first_version', 'r.created_at'])
    .select(sql<boolean>`count(*) over (partition by e.id) = 1`.as('is_only'))
    .where('e.id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('e.id')
    .orderBy('r.version', 'desc')
    .execute()
  const isUntouched = (row: (typeof present)[number]) => {
    // Imports once gave versions any id. A later one may be the only one left, because older ones are thinned out.
    const isOfImport = row.is_only && row.created_at !== null && row.created_at < importedAt
    const isImported = isOfImport || row.revision_id === importedVersionId(row.id, row.first_version ?? 0)
    return isImported && row.deleted_at === null
  }
  const touched = new Set(present.filter((row) => !isUntouched(row)).map(({ id }) => id))
  const removed = ids.filter((id) => !touched.has(id))
  await trx.deleteFrom('entries').where('id', '=', sql<string>`any(${removed}::uuid[])`).execute()
  return removed
}
