import { sql, type Transaction } from 'kysely'
import type { Db, Schema } from '#server/database/rows.ts'
import { giveUpFile } from './removal-store.ts'
import { lockFiles } from './use-store.ts'

/** Gives up an imported file unless something uses it; returns whether nothing does. */
export const giveUpImported = (trx: Transaction<Schema>, id: string): Promise<boolean> => giveUpFile(trx, id)

/** Sets when an imported file was uploaded, and when a picture was taken, as another server knew: its bytes no longer tell. */
export async function dateImported(
  db: Db,
  { id, uploaderId }: { id: string; uploaderId: string },
  { createdAt, takenAt }: { createdAt?: string | undefined; takenAt?: string | undefined },
): Promise<void> {
  await sql`
    update files set created_at = coalesce(${createdAt ?? null}::timestamptz, created_at), taken_at = coalesce(${takenAt ?? null}, taken_at)
    where id = ${id} and uploader_id = ${uploaderId} and state = 'ready'`.execute(db)
}

type VersionUse = { fileId: string; revisionId: string; as: 'text' | 'cover' }

/** Records the files that imported versions of entries use, among those that the import has stored in their project. */
export async function useFilesInVersions(
  trx: Transaction<Schema>,
  { projectId, uploaderId }: { projectId: string; uploaderId: string },
  uses: VersionUse[],
): Promise<void> {
  if (uses.length === 0) return
  const ids = uses.map(({ fileId }) => fileId)
  await lockFiles(trx, null, [...new Set(ids)])
  await sql`
    insert into file_uses (file_id, revision_id, used_as)
    select f.id, v.revision_id, v.used_as
    from unnest(${ids}::uuid[], ${uses.map(({ revisionId }) => revisionId)}::uuid[], ${uses.map(({ as }) => as)}::text[])
      as v (file_id, revision_id, used_as)
    join files f on f.id = v.file_id
    where f.project_id = ${projectId} and f.uploader_id = ${uploaderId} and f.state <> 'removing'
    on conflict do nothing`.execute(trx)
}
