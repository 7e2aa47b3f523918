import { setTimeout as pause } from 'node:timers/promises'
import type { Client, PoolConfig } from 'pg'
import { CannotStart } from '#server/cannot-start.ts'
import { migrate, refuseUnknown, type Waiting } from '#server/database/migrate.ts'
import type { Files } from '#server/platform/storage/files.ts'
import type { Manifest } from './archive-format.ts'
import type { Progress } from './progress.ts'
import { fillFrom, openQueues, type Restored } from './restore-parts.ts'
import {
  countOtherConnections,
  dropEverything,
  hasPeople,
  missingColumns,
  restoreIndexesAndTriggers,
  truncateTables,
} from './restore-store.ts'
import { findMigrations, fixTextFormat, onConnection } from './store.ts'

export type RestoreDeps = {
  config: PoolConfig
  /** Called once the database was found to be empty. */
  openFiles: () => Promise<Files>
  /** Replaces the token secret by that of the archive. Called immediately before the commit. */
  storeSecret: (secret: string) => Promise<void>
  progress: Progress
  /** Called once if other connections use tables that the schema of the archive changes. */
  onWait?: Waiting['onWait']
  /** Aborts the restore, with a reason. */
  stop: AbortSignal
}

/** How long connections of a Milepost that has just ended may linger. */
const LINGER_MS = 3_000

/**
 * Restores an archive to an empty database and its files. All rows are written in one transaction, and the files and the token
 * secret before it commits. The secret is last, so that a restore that fails earlier leaves the current one. `manifest` is the
 * result of `verifyArchive`. Throws CannotStart, and then leaves the database without accounts.
 */
export async function restore(
  deps: RestoreDeps,
  { file, manifest }: { file: string; manifest: Manifest },
): Promise<Restored> {
  return onConnection(deps, 'milepost restore', async (client) => {
    await requireNobody(client)
    await prepareSchema(client, deps, manifest)
    const jobs = await openQueues(client, manifest.queues)
    const files = await deps.openFiles()
    await client.query('begin')
    await fixTextFormat(client)
    await requireEmpty(client)
    const indexes = await truncateTables(client)
    const { secret, ...restored } = await fillFrom(file, { ...deps, client, jobs, manifest, files })
    deps.progress.begins('the indexes')
    await restoreIndexesAndTriggers(client, indexes)
    deps.stop.throwIfAborted()
    if (secret !== undefined) await deps.storeSecret(secret)
    await client.query('commit')
    return restored
  })
}

async function requireNobody(client: Client) {
  const deadline = Date.now() + LINGER_MS
  while ((await countOtherConnections(client)) > 0) {
    if (Date.now() > deadline)
      throw new CannotStart('A Milepost runs on this database: stop it, and all others on it, first.')
    await pause(100)
  }
}

/** Migrates an empty database to the schema of the archive. */
async function prepareSchema(
  client: Client,
  { config, onWait, stop }: RestoreDeps,
  manifest: Manifest,
): Promise<void> {
  const had = await findMigrations(client)
  refuseUnknown(had)
  await client.query('begin')
  await requireEmpty(client)
  if (had.some((name) => name > manifest.migration)) await dropEverything(client)
  await client.query('commit')
  await migrate(config, manifest.migration, {}, { stop, ...(onWait && { onWait }) })
  for (const table of manifest.tables) {
    const missing = await missingColumns(client, table)
    if (missing.length > 0)
      throw new CannotStart(
        `The archive holds ${table.name} with ${missing.join(', ')}, which this Milepost does not know: it was made by another one.`,
      )
  }
}

/** Throws CannotStart if the database has accounts. */
export async function requireEmpty(client: Client): Promise<void> {
  if (await hasPeople(client))
    throw new CannotStart(
      'There are people in this database, and a restore needs an empty one: set DATA_DIR or DATABASE_URL to another.',
    )
}
