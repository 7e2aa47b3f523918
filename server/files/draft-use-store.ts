import { sql, type Transaction } from 'kysely'
import type { FileUseRow } from '#server/database/rows/files.ts'
import type { Schema } from '#server/database/rows.ts'

export const listUsesOfDraft = (trx: Transaction<Schema>, draftId: string) =>
  trx.selectFrom('file_uses').select(['file_id', 'used_as']).where('draft_id', '=', draftId).execute()

/** Locks the files that the draft uses or will use, ordered by id, and returns those that it may use. */
export async function lockUsableByDraft(
  trx: Transaction<Schema>,
  { draftId, writerId, entryId }: { draftId: string; writerId: string; entryId: string | null },
  ids: string[],
): Promise<string[]> {
  await sql`
    select from files
    where id = any(${ids}::uuid[]) or id in (select file_id from file_uses where draft_id = ${draftId})
    order by id for update`.execute(trx)
  const { rows } = await sql<{ id: string }>`
    select id from files f
    where id = any(${ids}::uuid[]) and state <> 'removing' and (uploader_id = ${writerId} or exists (
      select from file_uses u
      where u.file_id = f.id and (u.draft_id = ${draftId} or u.entry_id = ${entryId}::uuid)))`.execute(trx)
  return rows.map(({ id }) => id)
}

export async function deleteUsesOfDraft(
  trx: Transaction<Schema>,
  draftId: string,
  uses: Pick<FileUseRow, 'file_id' | 'used_as'>[],
): Promise<void> {
  await trx
    .deleteFrom('file_uses')
    .where('draft_id', '=', draftId)
    .where(
      sql<boolean>`(file_id, used_as) in (select * from unnest(
        ${uses.map(({ file_id }) => file_id)}::uuid[], ${uses.map(({ used_as }) => used_as)}::text[]))`,
    )
    .execute()
}

export async function insertUsesOfDraft(
  trx: Transaction<Schema>,
  draftId: string,
  uses: { id: string; as: FileUseRow['used_as'] }[],
): Promise<void> {
  await trx
    .insertInto('file_uses')
    .values(uses.map(({ id, as }) => ({ file_id: id, draft_id: draftId, used_as: as })))
    .execute()
}
