import { sql, type Transaction } from 'kysely'
import type { Db, Schema } from '#server/database/rows.ts'

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

export type VersionUse = { fileId: string; revisionId: string; as: 'text' | 'cover' }

export async function insertUsesOfVersions(
  trx: Transaction<Schema>,
  { projectId, uploaderId }: { projectId: string; uploaderId: string },
  uses: VersionUse[],
): Promise<void> {
  await sql`
    insert into file_uses (file_id, revision_id, used_as)
    select f.id, v.revision_id, v.used_as
    from unnest(${uses.map(({ fileId }) => fileId)}::uuid[], ${uses.map(({ revisionId }) => revisionId)}::uuid[], ${uses.map(({ as }) => as)}::text[])
      as v (file_id, revision_id, used_as)
    join files f on f.id = v.file_id
    where f.project_id = ${projectId} and f.uploader_id = ${uploaderId} and f.state <> 'removing'
    on conflict do nothing`.execute(trx)
}
