import { randomInt } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import sharp from 'sharp'
import { IMPORT_PART_MAX, type ImportRecord } from '#contract/imports.ts'
import { writeZip } from '#server/export/zip.ts'
import { type Account, createAccount } from '#testing/account.ts'
import { withTemporaryDirectory } from '#testing/cleanup.ts'
import { startDatabase } from '#testing/database.ts'
import { processTreeMegabytes } from '#testing/memory.ts'
import { type RunningServer, startServer } from '#testing/start-server.ts'
import { assert } from './assertions.ts'

const ENTRIES = Number(process.env.IMPORT_ENTRIES ?? 2_000)
/** One entry in five has a picture. */
const EVERY = 5
const KILLS = Number(process.env.IMPORT_KILLS ?? 2)
const POLL_MS = 1_000
/** By how much the server may grow, with its child processes, which are not there before. */
const GROWTH_MEGABYTES = 200

/** Kills the server during an import and during its undoing: nothing is missing, nothing is there twice, and nothing stays. */
export async function importing(report: (text: string) => void): Promise<void> {
  await withTemporaryDirectory(async (folder) => {
    const archive = path.join(folder, 'journal.zip')
    await pipeline(Readable.from(writeZip(folderOfMarkdown())), createWriteStream(archive))
    const database = await startDatabase()
    try {
      await killed(archive, database.url, report)
    } finally {
      await database.remove()
    }
  })
}

async function* folderOfMarkdown() {
  const create = { width: 320, height: 240, channels: 3, background: 'grey' } as const
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  for (let at = 0; at < ENTRIES; at += 1) {
    const day = new Date(Date.UTC(2015, 0, 1 + Math.floor(at / 3)))
    const picture = at % EVERY === 0 ? `\n![A plank](pictures/${at}.jpg)\n` : ''
    const text = `---\ntitle: Day ${at}\ndate: ${day.toISOString().slice(0, 10)}\n---\n\nStrips, glue and patience, number ${at}.\n${picture}`
    yield fileOf(`Canoe/${day.getUTCFullYear()}/day-${at}.md`, Buffer.from(text))
    if (picture) {
      const bytes = await sharp({ create: { ...create, noise } })
        .jpeg()
        .toBuffer()
      yield fileOf(`Canoe/${day.getUTCFullYear()}/pictures/${at}.jpg`, bytes)
    }
  }
}

/** A stored file of an archive. */
export const fileOf = (name: string, bytes: Buffer) => ({
  path: name,
  mtime: new Date('2026-02-03T04:05:06Z'),
  size: bytes.length,
  bytes: Readable.from([bytes]),
  isCompressed: false,
})

async function killed(archive: string, databaseUrl: string, report: (text: string) => void) {
  const { url, dataDir, ...first } = await startServer({ DATABASE_URL: databaseUrl })
  const settings = { PORT: new URL(url).port, DATABASE_URL: databaseUrl, DATA_DIR: dataDir }
  let server: RunningServer = { url, dataDir, ...first }
  const database = new Client({ connectionString: databaseUrl })
  await database.connect()
  try {
    const account = await createAccount(url)
    const planned = await settled(account, await sent({ account, url }, archive))
    assert(planned.plan?.counts.entries === ENTRIES, `the plan has ${planned.plan?.counts.entries} entries`)
    const params = { importId: planned._id }
    let peak = 0
    const restart = async () => {
      await server.end('SIGKILL')
      server = await startServer(settings)
    }
    /** Waits until the import is no longer worked on, or `isEnough`. */
    async function waitUntil(isEnough: (current: ImportRecord) => boolean) {
      let current = await account.call('readImport', { params })
      while (isWorking(current) && !isEnough(current)) {
        await sleep(POLL_MS)
        current = await account.call('readImport', { params })
        // A child process may just have ended.
        peak = Math.max(peak, await processTreeMegabytes(server.pid).catch(() => 0))
      }
      return current
    }
    /** Kills the server so often on the way, and returns the import once its work has ended. */
    async function survive(kills: number) {
      for (const share of killsOf(kills)) {
        await waitUntil(({ done }) => done >= share * ENTRIES)
        await restart()
      }
      return waitUntil(() => false)
    }

    const idle = await processTreeMegabytes(server.pid)
    const began = performance.now()
    await account.call('runImport', { params, body: {} })
    const done = await survive(KILLS)
    const seconds = Math.round((performance.now() - began) / 1_000)
    assert(
      done.state === 'done' && done.problem === null,
      `the import ended as ${done.state}: ${done.problem}`,
    )
    const titles = 'select count(*)::integer as n, count(distinct title)::integer as titles from entries'
    const { rows } = await database.query(titles)
    assert(rows[0].n === ENTRIES && rows[0].titles === ENTRIES, `there are ${rows[0].n} entries`)
    const pictures = await countOf(database, 'files')
    assert(pictures === Math.ceil(ENTRIES / EVERY), `there are ${pictures} pictures`)

    await account.call('undoImport', { params })
    const undone = await survive(1)
    assert(undone.state === 'undone', `undoing ended as ${undone.state}: ${undone.problem}`)
    for (const table of ['projects', 'milestones', 'entries'])
      assert((await countOf(database, table)) === 0, `something of the import is left in ${table}`)
    const growth = Math.round(peak - idle)
    assert(growth <= GROWTH_MEGABYTES, `the server and its child processes took ${growth} MB more`)
    report(
      `${ENTRIES} entries and ${pictures} pictures came once each in ${seconds} s with ${KILLS} kills; undone with one kill, nothing was left; the server and its child processes took at most ${growth} MB more than before`,
    )
  } finally {
    await database.end()
    await server.end('SIGKILL')
    await first.stop()
  }
}

const isWorking = ({ state }: ImportRecord) => ['inspecting', 'running', 'undoing'].includes(state)

/** Returns after which share of the work the server is killed. */
const killsOf = (count: number) =>
  Array.from({ length: count }, () => randomInt(1, 90) / 100).toSorted((a, b) => a - b)

/** Sends an archive in parts, from its file, and returns the import. */
export async function sent(
  { account, url }: { account: Account; url: string },
  archive: string,
): Promise<ImportRecord> {
  const { size } = await stat(archive)
  let current: ImportRecord = await account.call('createImport', { body: { name: 'journal.zip', size } })
  const file = await open(archive)
  try {
    while (current.state === 'uploading') {
      const part = Buffer.alloc(Math.min(IMPORT_PART_MAX, size - current.received))
      await file.read(part, 0, part.length, current.received)
      const response = await fetch(`${url}/api/imports/${current._id}/parts/${current.received}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${account.token}`, 'content-type': 'application/octet-stream' },
        body: new Uint8Array(part),
      })
      assert(response.ok, `a part was refused with ${response.status}`)
      current = (await response.json()) as ImportRecord
    }
    return current
  } finally {
    await file.close()
  }
}

/** Waits until an import is no longer worked on. */
export async function settled(account: Account, begun: ImportRecord): Promise<ImportRecord> {
  let current = begun
  while (isWorking(current)) {
    await sleep(POLL_MS)
    current = await account.call('readImport', { params: { importId: begun._id } })
  }
  return current
}

async function countOf(database: Client, table: string): Promise<number> {
  const { rows } = await database.query(
    `select count(*)::integer as n from ${database.escapeIdentifier(table)}`,
  )
  return rows[0].n
}
