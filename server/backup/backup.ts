import { buffer } from 'node:stream/consumers'
import type { Client, PoolConfig } from 'pg'
import { CannotStart } from '#server/cannot-start.ts'
import { holdBackupLock } from '#server/database/backup-lock.ts'
import { refuseUnknown } from '#server/database/migrate.ts'
import { derive } from '#server/identity/secrets.ts'
import { imageKeys } from '#server/media/service.ts'
import type { Files } from '#server/platform/files/files.ts'
import { FORMAT, type Manifest, part } from './archive-format.ts'
import { type ArchiveWriter, createArchive } from './archive-writer.ts'
import type { Progress } from './progress.ts'
import {
  beginView,
  copyOut,
  findImages,
  findJobs,
  findMigrations,
  findQueues,
  findReferences,
  findTables,
  onConnection,
  readServerVersion,
} from './store.ts'

export type BackupDeps = {
  config: PoolConfig
  files: Files
  /** The token secret in use, and whether it lies in the data folder, and so belongs to what is backed up. */
  secret: { text: string; ofFile: boolean } | undefined
  /** The version of Milepost. */
  version: string
  progress: Progress
  /** Ends the backup, with its reason. */
  stop: AbortSignal
}

export type BackedUp = { rows: number; jobs: number; files: number; missing: number }

const NIL = '00000000-0000-0000-0000-000000000000'
const JOBS_AT_ONCE = 500
const IMAGES_AT_ONCE = 8

/**
 * Writes all rows, the files that they name and the work that they promise into a new archive, as they are at one
 * moment; others may go on writing. Throws CannotStart, and then leaves no archive.
 */
export async function backUp(deps: BackupDeps, file: string): Promise<BackedUp> {
  const archive = await createArchive(file)
  try {
    return await onConnection(deps, 'milepost backup', async (client) => {
      if (!(await holdBackupLock(client)))
        throw new CannotStart('Another backup of this database runs: let it finish first.')
      await beginView(client)
      return write(client, archive, deps)
    })
  } finally {
    await archive.abandon()
  }
}

async function write(client: Client, archive: ArchiveWriter, deps: BackupDeps): Promise<BackedUp> {
  const { progress, stop } = deps
  const add = async (name: string, bytes: Buffer) => {
    stop.throwIfAborted()
    await archive.add(name, bytes)
    progress.passed(bytes.length)
  }
  const manifest = await describe(client, deps)
  await add(part.manifest, Buffer.from(JSON.stringify(manifest, null, 2)))
  if (deps.secret?.ofFile) await add(part.secret, Buffer.from(deps.secret.text))

  const rows: Record<string, number> = {}
  for (const table of manifest.tables) {
    progress.begins(`the table ${table.name}`)
    let number = 0
    rows[table.name] = await copyOut(client, table, (chunk) => add(part.rows(table.name, ++number), chunk))
  }
  const jobs = await addJobs(client, manifest.queues, add)
  progress.begins('the images')
  const hasImages = manifest.tables.some(({ name }) => name === 'images')
  const { files, missing } = hasImages ? await addFiles(client, deps.files, add) : { files: 0, missing: 0 }
  await archive.finish({ rows, jobs, files })
  return { rows: Object.values(rows).reduce((sum, count) => sum + count, 0), jobs, files, missing }
}

async function describe(client: Client, { secret, version }: BackupDeps): Promise<Manifest> {
  const had = await findMigrations(client)
  const last = had.at(-1)
  if (last === undefined) throw new CannotStart('There is no Milepost in this database yet.')
  refuseUnknown(had)
  return {
    format: FORMAT,
    milepost: version,
    migration: last,
    postgresql: await readServerVersion(client),
    madeAt: new Date().toISOString(),
    ...(secret && { secretId: derive(secret.text).id }),
    tables: inOrderOfReference(await findTables(client), await findReferences(client)),
    queues: await findQueues(client),
  }
}

type Add = (name: string, bytes: Buffer) => Promise<void>

async function addJobs(client: Client, queues: string[], add: Add): Promise<number> {
  let total = 0
  for (const queue of queues) {
    let after = NIL
    for (let number = 1; ; number++) {
      const jobs = await findJobs(client, queue, after, JOBS_AT_ONCE)
      const last = jobs.at(-1)
      if (!last) break
      await add(part.jobs(queue, number), Buffer.from(JSON.stringify(jobs)))
      total += jobs.length
      after = last.id
    }
  }
  return total
}

/** No file goes before the backup ends (server/database/backup-lock.ts): one that is missing was lost before it. */
async function addFiles(client: Client, from: Files, add: Add): Promise<{ files: number; missing: number }> {
  const counts = { files: 0, missing: 0 }
  let after = NIL
  for (;;) {
    const ids = await findImages(client, after, IMAGES_AT_ONCE)
    const last = ids.at(-1)
    if (!last) return counts
    const found = await Promise.all(
      ids.flatMap(imageKeys).map(async (key) => ({ key, bytes: await whole(from, key) })),
    )
    for (const { key, bytes } of found) {
      if (bytes) await add(part.file(key), bytes)
      counts[bytes ? 'files' : 'missing'] += 1
    }
    after = last
  }
}

async function whole(from: Files, key: string): Promise<Buffer | null> {
  try {
    const found = await from.read(key)
    return found && (await buffer(found.bytes))
  } catch (error) {
    const reason = error instanceof Error ? error.message || error.name : String(error)
    throw new CannotStart(`The file ${key} could not be read: ${reason.replace(/\.$/, '')}.`, {
      cause: error,
    })
  }
}

type Reference = { from: string; to: string }

/** Puts each table behind those that it refers to, and keeps their order otherwise. */
export function inOrderOfReference<T extends { name: string }>(tables: T[], references: Reference[]): T[] {
  const ordered: T[] = []
  const waiting = new Set(tables)
  while (waiting.size > 0) {
    const isFree = ({ name }: T) =>
      references.every(({ from, to }) => from !== name || [...waiting].every((other) => other.name !== to))
    const next = [...waiting].find(isFree)
    if (!next) throw new Error('the tables refer to each other in a circle')
    waiting.delete(next)
    ordered.push(next)
  }
  return ordered
}
