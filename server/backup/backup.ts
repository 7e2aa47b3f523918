import type { Client, PoolConfig } from 'pg'
import { CannotStart } from '#server/cannot-start.ts'
import { holdBackupLock } from '#server/database/backup-lock.ts'
import { refuseUnknown } from '#server/database/migrate.ts'
import { keysOfFile } from '#server/files/storage-keys.ts'
import { derive } from '#server/platform/secrets.ts'
import type { Files } from '#server/platform/storage/files.ts'
import { FORMAT, type Manifest, part } from './archive-format.ts'
import { type ArchiveWriter, createArchive } from './archive-writer.ts'
import type { Progress } from './progress.ts'
import {
  beginSnapshot,
  copyOut,
  findFiles,
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
  /** The current token secret, and whether it is stored in the data directory and therefore backed up. */
  secret: { text: string; ofFile: boolean } | undefined
  /** The version of Milepost. */
  version: string
  progress: Progress
  /** Aborts the backup, with a reason. */
  stop: AbortSignal
}

/** `missing`: how many files the storage lacks, and `missingKeys` their keys. */
export type BackedUp = { rows: number; jobs: number } & Counts

const NIL = '00000000-0000-0000-0000-000000000000'
const JOBS_AT_ONCE = 500
const FILES_AT_ONCE = 100
/** The number of bytes of a file that are held in memory at a time. */
const PIECE = 4 * 1024 * 1024

/**
 * Writes all rows, the files that they reference and the unfinished jobs to a new archive, as of one moment. Others may
 * continue to write. Throws CannotStart, and then leaves no archive.
 */
export async function backUp(deps: BackupDeps, file: string): Promise<BackedUp> {
  const archive = await createArchive(file)
  try {
    return await onConnection(deps, 'milepost backup', async (client) => {
      if (!(await holdBackupLock(client)))
        throw new CannotStart('Another backup of this database runs: let it finish first.')
      await beginSnapshot(client)
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
  progress.begins('the files')
  const counts: Counts = { files: 0, missing: 0, missingKeys: [] }
  for (const table of ['images', 'files'] as const)
    if (manifest.tables.some(({ name }) => name === table))
      await addFiles(client, table, deps.files, add, counts)
  await archive.finish({ rows, jobs, files: counts.files })
  return { rows: Object.values(rows).reduce((sum, count) => sum + count, 0), jobs, ...counts }
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

type Counts = { files: number; missing: number; missingKeys: string[] }

function countMissing(counts: Counts, key: string) {
  counts.missing += 1
  counts.missingKeys.push(key)
}

/** Adds files of any size one by one, in pieces. None is deleted during the backup (server/database/backup-lock.ts). */
async function addFiles(
  client: Client,
  table: 'images' | 'files',
  from: Files,
  add: Add,
  counts: Counts,
): Promise<void> {
  let after = NIL
  for (;;) {
    const rows = await findFiles(client, table, after, FILES_AT_ONCE)
    const last = rows.at(-1)
    if (!last) return
    for (const key of rows.flatMap(keysOfFile))
      if (await addInPieces(from, key, add)) counts.files += 1
      else countMissing(counts, key)
    after = last.id
  }
}

async function addInPieces(from: Files, key: string, add: Add): Promise<boolean> {
  const found = await explained(key, from.read(key))
  if (!found) return false
  const pieces = found.bytes[Symbol.asyncIterator]()
  let held: Buffer[] = []
  let size = 0
  for (let number = 0; ; ) {
    const { value, done } = await explained(key, pieces.next())
    if (value) held.push(value)
    size += value?.length ?? 0
    if (done ? size > 0 || number === 0 : size >= PIECE) {
      number += 1
      const bytes = Buffer.concat(held)
      await add(done && number === 1 ? part.file(key) : part.piece(key, number), bytes)
      held = []
      size = 0
    }
    if (done) return true
  }
}

async function explained<T>(key: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    const reason = error instanceof Error ? error.message || error.name : String(error)
    throw new CannotStart(`The file ${key} could not be read: ${reason.replace(/\.$/, '')}.`, {
      cause: error,
    })
  }
}

type Reference = { from: string; to: string }

/** Sorts tables so that each follows those that it references; otherwise keeps their order. */
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
