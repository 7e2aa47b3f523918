import { sql, type Transaction } from 'kysely'
import type { FileRow } from '#server/database/rows/files.ts'
import type { Db, Schema } from '#server/database/rows.ts'

/** The columns of a file that other modules read. */
export const fileColumns = [
  'id',
  'project_id',
  'uploader_id',
  'name',
  'kind',
  'type',
  'size',
  'state',
  'width',
  'height',
  'animated',
  'taken_at',
  'blur',
  'widths',
  'attempt',
] as const

export type FileRecord = NonNullable<Awaited<ReturnType<typeof findFile>>>

export type NewFile = Pick<FileRow, 'id' | 'name' | 'kind' | 'type' | 'size'>

/** Inserts reserved files, not used yet, except those whose id is taken. */
export function insertFiles(
  trx: Transaction<Schema>,
  {
    projectId,
    uploaderId,
    changes,
    now,
  }: { projectId: string; uploaderId: string; changes: string[]; now: Date },
  files: NewFile[],
) {
  return trx
    .insertInto('files')
    .values(
      files.map((file) => ({
        ...file,
        bytes: file.size,
        project_id: projectId,
        uploader_id: uploaderId,
        changes,
        unused_since: sql`now()`,
        created_at: now,
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(fileColumns)
    .execute()
}

/** Returns those of the files that a person has reserved, unless they are being removed. */
export function listFilesOfUploader(db: Db, uploaderId: string, ids: string[]) {
  return db
    .selectFrom('files')
    .select(fileColumns)
    .select('changes')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('uploader_id', '=', uploaderId)
    .where('state', '<>', 'removing')
    .where('project_id', 'is not', null)
    .execute()
}

/** Returns how many files a person has reserved but not uploaded. */
export async function countWaiting(db: Db, uploaderId: string): Promise<number> {
  const { waiting } = await db
    .selectFrom('files')
    .select(sql<number>`count(*)::integer`.as('waiting'))
    .where('uploader_id', '=', uploaderId)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return waiting
}

/** Returns a file unless it is being removed. */
export function findFile(db: Db, id: string) {
  return db
    .selectFrom('files')
    .select(fileColumns)
    .where('id', '=', id)
    .where('state', '<>', 'removing')
    .executeTakeFirst()
}

/** Begins an attempt to store the bytes of a waiting file, and returns its number; undefined if the file is already ready. */
export async function beginAttempt(db: Db, id: string): Promise<number | undefined> {
  const row = await db
    .updateTable('files')
    .set({ attempt: sql`attempt + 1` })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .returning('attempt')
    .executeTakeFirst()
  return row?.attempt
}

type Ready = Pick<FileRow, 'bytes'> & { tint: number | null } & Omit<
    FileRecord,
    'id' | 'project_id' | 'uploader_id' | 'name' | 'state'
  >

/** Makes a waiting file of a project ready; undefined if another attempt was first, or the file has left the project. */
export function completeFile(trx: Transaction<Schema>, id: string, projectId: string, ready: Ready) {
  return trx
    .updateTable('files')
    .set({ ...ready, state: 'ready' })
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .where('state', '=', 'waiting')
    .returning(fileColumns)
    .executeTakeFirst()
}
