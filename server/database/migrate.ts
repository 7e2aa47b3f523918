import { setTimeout as wait } from 'node:timers/promises'
import { callbackify } from 'node:util'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Migration as KyselyMigration, Migrator } from 'kysely/migration'
import { type ClientBase, Pool, type PoolConfig } from 'pg'
import { CannotStart, TemporaryFailure } from '#server/cannot-start.ts'
import { KEEP_ALIVE, removeTimeLimits } from './connect.ts'
import type { MigrationDeps } from './migration-deps.ts'
import { migrations, runMigration } from './migrations.ts'
import { isCollision, isOutage } from './outage.ts'
import { remedyFor } from './remedy.ts'
import { settleSession } from './session.ts'

const PAUSE_MS = 5_000
const LOCK_NOT_AVAILABLE = '55P03'

export type Waiting = {
  /**
   * Called once if other connections use tables that a migration changes, with the names of the connections that use any
   * table.
   */
  onWait?: (connections: string[]) => void
  /** Defaults to a second more than the server's `deadlock_timeout`. */
  lockTimeoutMs?: number
  /** Waits between two attempts. */
  pause?: () => Promise<unknown>
  /** Aborts the wait. */
  stop?: AbortSignal
}

/**
 * Migrates the database to the newest level, or to the migration `last`, in one transaction. If several processes start
 * concurrently, one migrates and the others wait. Uses its own connection without time limits, because a migration may take
 * longer than a request may. If another connection uses a table for long, as a backup does, the migration is rolled back and
 * tried again after a pause, until it gets the table. Throws the reason of `stop` if it is stopped meanwhile. `deps`: what
 * migrations need besides the database.
 */
export async function migrate(
  config: PoolConfig,
  last?: string,
  deps: MigrationDeps = {},
  { onWait, lockTimeoutMs, stop, pause = () => pauseUnlessAborted(stop) }: Waiting = {},
): Promise<void> {
  const pool = new Pool({
    ...config,
    ...KEEP_ALIVE,
    application_name: 'milepost migration',
    max: 1,
    verify: callbackify(async (client: ClientBase) => {
      await settleSession(client)
      await removeTimeLimits(client)
      await setLockTimeout(client, lockTimeoutMs)
    }),
  })
  // A query on a broken connection fails by itself. Without a listener, a connection that breaks while idle or closing
  // would end the process.
  pool.on('error', () => undefined)
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => withDeps(deps) } })
    for (let isReported = false; ; isReported = true) {
      await refuseNewer(db) // which may have migrated during the pause
      const { error } = await (last ? migrator.migrateTo(last) : migrator.migrateToLatest())
      if (!error) return
      if (!isLockTimeout(error) && !isCollision(error)) throw notMigrated(error)
      if (!isReported) onWait?.(await listTableUsers(db))
      await pause()
    }
  } finally {
    await db.destroy()
  }
}

function withDeps(deps: MigrationDeps): Record<string, KyselyMigration> {
  return Object.fromEntries(migrations.map((name) => [name, { up: (db) => runMigration(name, db, deps) }]))
}

const pauseUnlessAborted = (signal: AbortSignal | undefined) =>
  wait(PAUSE_MS, undefined, signal && { signal }).catch(() => signal?.throwIfAborted())

/**
 * Sets the maximum wait for a table. Other readers of the table queue behind the migration meanwhile, so it is short. But after
 * `deadlock_timeout` PostgreSQL cancels an autovacuum that holds up the migration, which would otherwise wait for its end.
 */
async function setLockTimeout(client: ClientBase, ms: number | undefined): Promise<void> {
  await client.query(
    `select set_config('lock_timeout', coalesce($1, setting::int + 1000)::text, false)
    from pg_settings where name = 'deadlock_timeout'`,
    [ms],
  )
}

const isLockTimeout = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE

/** Returns the names of the other connections that hold locks of tables. */
async function listTableUsers(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct concat(coalesce(nullif(application_name, ''), 'unnamed'), ' (process ', pid, ')') as name
    from pg_locks join pg_stat_activity using (pid)
    where locktype = 'relation' and granted and datname = current_database() and pid <> pg_backend_pid()
      and relation >= 16384 order by name`.execute(db)
  return rows.map(({ name }) => name)
}

async function refuseNewer(db: Kysely<unknown>) {
  const { rows } = await sql<{
    there: boolean
  }>`select to_regclass('kysely_migration') is not null as there`.execute(db)
  if (!rows[0]?.there) return
  const done = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  refuseUnknown(done.rows.map(({ name }) => name))
}

/** Throws CannotStart if a database has a migration that this version does not know. */
export function refuseUnknown(changes: string[]): void {
  const unknown = changes.find((name) => !migrations.includes(name))
  if (unknown)
    throw new CannotStart(
      `The database was last used by a newer Milepost (it has the change "${unknown}"): start that version or a later one.`,
    )
}

function notMigrated(cause: unknown) {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const Failure = isOutage(cause) ? TemporaryFailure : CannotStart
  return new Failure(`The database could not be brought up to date: ${reason}${remedyFor(cause)}.`, { cause })
}
