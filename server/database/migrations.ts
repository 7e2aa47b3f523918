import { readdirSync } from 'node:fs'
import type { Kysely } from 'kysely'
import type { MigrationDeps } from './migration-deps.ts'

type Migration = { up: (db: Kysely<unknown>, deps: MigrationDeps) => Promise<void> }

/** A migration's file; what systems and editors leave beside it has other names, such as `._0118_newest_entries.ts` of an archive from macOS. */
const NAME = /^(\d{4}_[a-z\d_]+)\.ts$/

/**
 * The names of all migrations, in order: the files of the folder. A released one is never edited. A new one needs rows in
 * `testing-samples.ts`, and the names of what it creates in the `feature.ts` of its room.
 */
export const migrations: readonly string[] = readdirSync(new URL('migrations/', import.meta.url))
  .flatMap((file) => NAME.exec(file)?.[1] ?? [])
  .toSorted()

/** Runs a migration, whose code is loaded then: most starts have none to run. */
export async function runMigration(name: string, db: Kysely<unknown>, deps: MigrationDeps): Promise<void> {
  const migration = (await import(`./migrations/${name}.ts`)) as Migration
  await migration.up(db, deps)
}
