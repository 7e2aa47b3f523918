import { appendFile, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Client } from 'pg'
import { type JobInsert, PgBoss } from 'pg-boss'
import { z } from 'zod'
import { CannotStart } from '#server/cannot-start.ts'
import { incomingFile } from '#server/files/incoming.ts'
import { UPLOAD_TYPE } from '#server/files/storage-keys.ts'
import { createQueue } from '#server/platform/jobs.ts'
import type { Files } from '#server/platform/storage/files.ts'
import type { Ending, Manifest, Part } from './archive-format.ts'
import { readArchive } from './archive-reader.ts'
import type { Progress } from './progress.ts'
import { type CopyIn, copyIn } from './store.ts'

export type Restored = { rows: number; jobs: number; files: number }

/** `secret`: the token secret of the archive, if it contains one. */
type Filled = Restored & { secret: string | undefined }

export type FillDeps = {
  client: Client
  jobs: JobsIn | undefined
  files: Files
  manifest: Manifest
  progress: Progress
  stop: AbortSignal
}

const FILES_AT_ONCE = 8
const IMAGE = /^images\/[0-9a-f]{2}\/[0-9a-f-]{36}-[a-z]+\.webp$/
const UPLOAD = /^uploads\/[0-9a-f]{2}\/[0-9a-f-]{36}-\d{1,9}-[a-z\d]+$/
const job = z.array(z.looseObject({ id: z.uuid() }))

/** Restores all parts of an archive. Resolves only after the archive has been verified a second time. */
export async function fillFrom(file: string, deps: FillDeps): Promise<Filled> {
  const rows = createRows(deps)
  const files = createFiles(deps.files)
  let jobs = 0
  let secret: string | undefined
  const take = async ({ name, bytes }: Part) => {
    const [kind = '', subject = ''] = name.split('/')
    if (kind !== 'rows') await rows.end()
    deps.progress.begins(kind === 'rows' ? `the table ${subject}` : `the ${kind}`)
    if (kind === 'rows') await rows.add(subject, bytes)
    else if (kind === 'jobs') jobs += await addJobs(deps.jobs, subject, bytes)
    else if (kind === 'secret') secret = bytes.toString()
    else if (kind === 'files') await files.add(name.slice('files/'.length), bytes)
    else if (kind === 'pieces') await files.addPiece(path.dirname(name.slice('pieces/'.length)), bytes)
    deps.progress.passed(bytes.length)
  }

  const parts = readArchive(file)
  for (;;) {
    deps.stop.throwIfAborted()
    const next = await parts.next()
    if (next.done) {
      await rows.end()
      await files.end()
      return { ...requireAll({ rows: rows.taken, jobs, files: files.taken() }, next.value), secret }
    }
    await take(next.value)
  }
}

/** The parts of one table are consecutive, and are written by one COPY. */
function createRows({ client, manifest }: FillDeps) {
  const taken: Record<string, number> = {}
  let open: { name: string; copy: CopyIn } | undefined
  const end = async () => {
    if (open) taken[open.name] = await open.copy.end()
    open = undefined
  }
  return {
    taken,
    end,
    async add(name: string, bytes: Buffer) {
      if (open?.name !== name) {
        await end()
        const table = manifest.tables.find((one) => one.name === name)
        if (!table) throw new CannotStart(`The archive has rows of ${name}, which it does not list.`)
        open = { name, copy: copyIn(client, table) }
      }
      await open.copy.write(bytes)
    },
  }
}

function createFiles(files: Files) {
  let waiting: Promise<void>[] = []
  let taken = 0
  /** The file whose pieces are being read, and the path at which they are joined. */
  let whole: { key: string; file: string } | undefined
  const store = async (key: string, put: Promise<void>) => {
    try {
      await put
    } catch (error) {
      const reason = error instanceof Error ? error.message || error.name : String(error)
      throw new CannotStart(`The file ${key} could not be stored: ${reason.replace(/\.$/, '')}.`, {
        cause: error,
      })
    }
  }
  const endWhole = async () => {
    if (!whole) return
    const { key, file } = whole
    whole = undefined
    await store(key, files.putFile(key, file, UPLOAD_TYPE))
    await rm(file, { force: true })
  }
  const end = async () => {
    await endWhole()
    const all = waiting
    waiting = []
    await Promise.all(all)
  }
  const requireKey = (key: string) => {
    if (!IMAGE.test(key) && !UPLOAD.test(key))
      throw new CannotStart(`The archive has a file ${key}, which Milepost does not know.`)
  }
  return {
    taken: () => taken,
    end,
    async add(key: string, bytes: Buffer) {
      requireKey(key)
      await endWhole()
      const put = store(key, files.put(key, bytes, UPLOAD_TYPE))
      // A failure is reported at the latest when the next files are awaited.
      put.catch(() => undefined)
      taken += 1
      if (waiting.push(put) >= FILES_AT_ONCE) await end()
    },
    async addPiece(key: string, bytes: Buffer) {
      requireKey(key)
      if (whole?.key !== key) {
        await endWhole()
        whole = { key, file: incomingFile(files.incoming) }
        taken += 1
      }
      await store(key, appendFile(whole.file, bytes, { mode: 0o600 }))
    },
  }
}

async function addJobs(jobs: JobsIn | undefined, queue: string, bytes: Buffer): Promise<number> {
  const found = job.parse(JSON.parse(bytes.toString()))
  await jobs?.add(queue, found)
  return found.length
}

function requireAll(
  found: { rows: Record<string, number>; jobs: number; files: number },
  said: Ending,
): Restored {
  const wrong = Object.entries(said.rows).find(([table, count]) => (found.rows[table] ?? 0) !== count)
  if (wrong) throw new CannotStart(`The archive has not the ${wrong[1]} rows of ${wrong[0]} that it names.`)
  if (found.jobs !== said.jobs || found.files !== said.files)
    throw new CannotStart('Some jobs or files that the archive lists are missing from it.')
  const rows = Object.values(found.rows).reduce((sum, count) => sum + count, 0)
  return { rows, jobs: found.jobs, files: found.files }
}

export type JobsIn = {
  /** Adds the jobs in the connection's transaction. */
  add(queue: string, jobs: JobInsert[]): Promise<void>
}

/** Creates the queues, before the transaction that adds jobs to them. */
export async function openQueues(client: Client, queues: string[]): Promise<JobsIn | undefined> {
  if (queues.length === 0) return undefined
  const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) }
  const boss = new PgBoss({ db, schema: 'jobs', schedule: false, supervise: false })
  await boss.start()
  for (const queue of queues) await createQueue(boss, queue)
  await boss.stop()
  return {
    async add(queue, jobs) {
      await boss.insert(queue, jobs)
    },
  }
}
