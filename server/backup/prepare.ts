import type { Client, PoolConfig } from 'pg'
import { CannotStart } from '#server/cannot-start.ts'
import { migrate, refuseUnknown } from '#server/database/migrate.ts'
import type { Manifest } from './manifest.ts'
import { findMigrations } from './store.ts'
import { dropEverything, hasPeople, missingColumns } from './target-store.ts'

/** Brings the schema of an empty database to what the archive's was. */
export async function prepareSchema(client: Client, config: PoolConfig, manifest: Manifest): Promise<void> {
  const had = await findMigrations(client)
  refuseUnknown(had)
  await client.query('begin')
  await demandEmpty(client)
  if (had.some((name) => name > manifest.migration)) await dropEverything(client)
  await client.query('commit')
  await migrate(config, manifest.migration)
  for (const table of manifest.tables) {
    const missing = await missingColumns(client, table)
    if (missing.length > 0)
      throw new CannotStart(
        `The archive holds ${table.name} with ${missing.join(', ')}, which this Milepost does not know: it was made by another one.`,
      )
  }
}

/** Throws CannotStart where anybody was in the database. */
export async function demandEmpty(client: Client): Promise<void> {
  if (await hasPeople(client))
    throw new CannotStart(
      'There are people in this database, and a restore needs an empty one: set DATA_DIR or DATABASE_URL to another.',
    )
}
