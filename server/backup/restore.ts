import { setTimeout as pause } from 'node:timers/promises'
import type { Client, PoolConfig } from 'pg'
import { CannotStart } from '#server/cannot-start.ts'
import type { Files } from '#server/platform/files/files.ts'
import { onConnection } from './connection.ts'
import { fillFrom, type Restored } from './fill.ts'
import { openQueues } from './jobs.ts'
import type { Manifest } from './manifest.ts'
import { demandEmpty, prepareSchema } from './prepare.ts'
import type { Progress } from './progress.ts'
import { withoutLimits } from './store.ts'
import { clear, countMileposts, settle } from './target-store.ts'

export type RestoreDeps = {
  config: PoolConfig
  /** Opened once the database was found empty. */
  openFiles: () => Promise<Files>
  /** Takes the token secret of the archive. */
  keepSecret: (secret: string) => Promise<void>
  progress: Progress
  /** Ends the restore, with its reason. */
  stop: AbortSignal
}

/** How long connections of a Milepost that has just ended may linger. */
const PATIENCE_MS = 3_000

/**
 * Puts all that an archive holds into an empty database and its files: all rows in one transaction, the files before
 * its end. `manifest` is what `verifyArchive` answered; the database is then as far migrated as it says. Throws
 * CannotStart, and then leaves the database without people.
 */
export async function restore(
  deps: RestoreDeps,
  { file, manifest }: { file: string; manifest: Manifest },
): Promise<Restored> {
  return onConnection(deps, 'milepost restore', async (client) => {
    await demandNobody(client)
    await prepareSchema(client, deps.config, manifest)
    const jobs = await openQueues(client, manifest.queues)
    const files = await deps.openFiles()
    await client.query('begin')
    await withoutLimits(client)
    await demandEmpty(client)
    const indexes = await clear(client)
    const restored = await fillFrom(file, { ...deps, client, jobs, manifest, files })
    deps.progress.begins('the indexes')
    await settle(client, indexes)
    deps.stop.throwIfAborted()
    await client.query('commit')
    return restored
  })
}

async function demandNobody(client: Client) {
  const deadline = Date.now() + PATIENCE_MS
  while ((await countMileposts(client)) > 0) {
    if (Date.now() > deadline)
      throw new CannotStart('A Milepost runs on this database: stop it, and all others on it, first.')
    await pause(100)
  }
}
