import { callbackify } from 'node:util'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Migration as KyselyMigration, Migrator } from 'kysely/migration'
import { Pool, type PoolConfig } from 'pg'
import { CannotStart, TemporaryFailure } from '#server/cannot-start.ts'
import { KEEP_ALIVE, removeTimeLimits } from './connect.ts'
import type { MigrationDeps } from './migration-deps.ts'
import { migrations } from './migrations.ts'
import { isOutage } from './outage.ts'

/**
 * Migrates the database to the newest level, or to the migration `last`, each in a transaction. If several processes start
 * concurrently, one migrates and the others wait. Uses its own connection without time limits, because a migration may take
 * longer than a request may. `deps`: what migrations need besides the database.
 */
export async function migrate(config: PoolConfig, last?: string, deps: MigrationDeps = {}): Promise<void> {
  const pool = new Pool({
    ...config,
    ...KEEP_ALIVE,
    application_name: 'milepost migration',
    max: 1,
    verify: callbackify(removeTimeLimits),
  })
  // A query on a broken connection fails by itself. Without a listener, a connection that breaks while idle or closing
  // would end the process.
  pool.on('error', () => undefined)
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    await refuseNewer(db)
    const migrator = new Migrator({ db, provider: { getMigrations: async () => withDeps(deps) } })
    const { error } = await (last ? migrator.migrateTo(last) : migrator.migrateToLatest())
    if (error) throw notMigrated(error)
  } finally {
    await db.destroy()
  }
}

function withDeps(deps: MigrationDeps): Record<string, KyselyMigration> {
  return Object.fromEntries(
    Object.entries(migrations).map(([name, { up }]) => [name, { up: (db) => up(db, deps) }]),
  )
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
  const unknown = changes.find((name) => !(name in migrations))
  if (unknown)
    throw new CannotStart(
      `The database was last used by a newer Milepost (it has the change "${unknown}"): start that version or a later one.`,
    )
}

function notMigrated(cause: unknown) {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const Failure = isOutage(cause) ? TemporaryFailure : CannotStart
  return new Failure(`The database could not be brought up to date: ${reason}.`, { cause })
}
