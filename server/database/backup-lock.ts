import { sql } from 'kysely'
import type { ClientBase } from 'pg'
import type { Db } from './rows.ts'

/** Keys of the advisory lock that a backup holds: 'back' and 'up' as numbers. */
export const BACKUP_LOCK = [0x6261636b, 0x7570] as const

const TIMEOUT_MS = 3_000

/**
 * Locks against other backups while the connection lives; returns false if another backup holds the lock. Take it before the
 * backup's snapshot begins, so that the snapshot cannot reference files that are deleted later.
 */
export async function holdBackupLock(client: ClientBase): Promise<boolean> {
  const deadline = Date.now() + TIMEOUT_MS
  for (;;) {
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1, $2) as held', [
      ...BACKUP_LOCK,
    ])
    if (rows[0]?.held) return true
    // A process that deletes files shares the lock for a moment.
    if (Date.now() > deadline) return false
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Returns whether a backup runs. If not, none begins before the end of this transaction. */
export async function backupRuns(trx: Db): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock_shared(${BACKUP_LOCK[0]}::int, ${BACKUP_LOCK[1]}::int) as free`.execute(
    trx,
  )
  return !rows[0]?.free
}
