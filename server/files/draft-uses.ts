import { sql, type Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'

const reference = /\/files\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/gi
/** The maximum number of files that a draft keeps, which exceeds that of an entry. */
const FILES_MAX = 1_000

type Written = { content: string; coverFile?: string | null | undefined }

/**
 * Records the files that a draft refers to: its writer's uploads, files of its entry, and files that it used before. Finds the
 * references in the Markdown, because a draft is rendered only when it is saved. A false match keeps a file a little longer.
 * The draft must be locked.
 */
export async function recordFilesOfDraft(
  trx: Transaction<Schema>,
  { draftId, writerId, entryId }: { draftId: string; writerId: string; entryId: string | null },
  { content, coverFile }: Written,
): Promise<void> {
  const wanted = [
    ...referencesIn(content).map((id) => ({ id, as: 'text' as const })),
    ...(coverFile ? [{ id: coverFile, as: 'cover' as const }] : []),
  ]
  const before = await usesOf(trx, draftId)
  const keys = new Set(before.map(({ file_id, used_as }) => `${used_as} ${file_id}`))
  if (wanted.length === keys.size && wanted.every(({ id, as }) => keys.has(`${as} ${id}`))) return
  const ids = [...new Set(wanted.map(({ id }) => id))]
  const usable = new Set(await lockUsable(trx, { draftId, writerId, entryId }, ids))
  const used = wanted.filter(({ id }) => usable.has(id))
  const stays = new Set(used.map(({ id, as }) => `${as} ${id}`))
  const gone = before.filter(({ file_id, used_as }) => !stays.has(`${used_as} ${file_id}`))
  if (gone.length > 0)
    await trx
      .deleteFrom('file_uses')
      .where('draft_id', '=', draftId)
      .where(
        sql<boolean>`(file_id, used_as) in (select * from unnest(
          ${gone.map(({ file_id }) => file_id)}::uuid[], ${gone.map(({ used_as }) => used_as)}::text[]))`,
      )
      .execute()
  const added = used.filter(({ id, as }) => !keys.has(`${as} ${id}`))
  if (added.length > 0)
    await trx
      .insertInto('file_uses')
      .values(added.map(({ id, as }) => ({ file_id: id, draft_id: draftId, used_as: as })))
      .execute()
}

/** Returns the ids of the files that a draft uses. Lock them before deleting the draft. */
function referencesIn(content: string): string[] {
  const ids = new Set<string>()
  for (const [, id = ''] of content.matchAll(reference)) if (ids.size < FILES_MAX) ids.add(id.toLowerCase())
  return [...ids]
}

const usesOf = (trx: Transaction<Schema>, draftId: string) =>
  trx.selectFrom('file_uses').select(['file_id', 'used_as']).where('draft_id', '=', draftId).execute()

/** Locks the files that the draft uses or will use, ordered by id, and returns those that it may use. */
async function lockUsable(
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
