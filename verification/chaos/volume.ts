import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { writeZip } from '#server/export/zip.ts'
import { createAccount } from '#testing/account.ts'
import { withTemporaryDirectory } from '#testing/cleanup.ts'
import { startDatabase } from '#testing/database.ts'
import { processTreeMegabytes, residentMegabytes } from '#testing/memory.ts'
import { startServer } from '#testing/start-server.ts'
import { fillByCopy } from '#verification/bench/growth-fill.ts'
import { assert } from './assertions.ts'
import { fileOf, sent, settled } from './import.ts'

const GIGABYTES = Number(process.env.VOLUME_GIGABYTES ?? 2.6)
/** A little less than a file may have. */
const FILE = 24_000_000
const MILESTONES = Number(process.env.VOLUME_MILESTONES ?? 10)
const ENTRIES_EACH = 100
/** By how much the server may grow, and with its child processes, which are not there before. */
const GROWTH_MEGABYTES = 200
const ALL_MEGABYTES = 500
const POLL_MS = 500
/** After this time without a byte proxies give up. */
const PROXY_SECONDS = 60

/** Imports and exports more than fits into the memory, and takes a project of many entries as a site and as a book. */
export async function volume(report: (text: string) => void): Promise<void> {
  await withTemporaryDirectory(async (folder) => {
    const database = await startDatabase()
    const { url, pid, stop } = await startServer({ DATABASE_URL: database.url })
    try {
      report(await largeArchive(folder, url, pid))
      for (const text of await manyEntries(database.url, url, pid)) report(text)
    } finally {
      await stop()
      await database.remove()
    }
  })
}

async function largeArchive(folder: string, url: string, pid: number): Promise<string> {
  const archive = path.join(folder, 'journal.zip')
  const count = Math.ceil((GIGABYTES * 1e9) / FILE)
  await pipeline(Readable.from(writeZip(folderOfFiles(count))), createWriteStream(archive))
  const account = await createAccount(url)
  const incoming = await watched(pid, async () => {
    const planned = await settled(account, await sent({ account, url }, archive))
    const { entries, files } = planned.plan?.counts ?? {}
    assert(entries === count && files === count, `the plan has ${entries} entries and ${files} files`)
    const params = { importId: planned._id }
    await account.call('runImport', { params, body: {} })
    const done = await settled(account, await account.call('readImport', { params }))
    assert(done.state === 'done', `the import ended as ${done.state}: ${done.problem}`)
    assert(done.report?.made.files === count, `${done.report?.made.files} of ${count} files came`)
  })
  const outgoing = await watched(pid, async () => {
    const { url: link } = await account.call('prepareExport', { body: {} })
    return download(url + link)
  })
  assert(outgoing.result.bytes >= count * FILE, `the archive had ${outgoing.result.bytes} bytes`)
  const size = ((await stat(archive)).size / 1e9).toFixed(1)
  return `an archive of ${size} GB with ${count} files: brought in ${incoming.text}, taken out in ${outgoing.text}`
}

async function* folderOfFiles(count: number) {
  const bytes = randomBytes(FILE)
  for (let at = 0; at < count; at += 1) {
    const day = new Date(Date.UTC(2020, 0, 1 + at)).toISOString().slice(0, 10)
    yield fileOf(`Canoe/day-${at}.md`, Buffer.from(`---\ndate: ${day}\n---\n\n[The plan](files/${at}.bin)\n`))
    yield fileOf(`Canoe/files/${at}.bin`, Buffer.concat([Buffer.from([0, at]), bytes.subarray(2)]))
  }
}

async function manyEntries(databaseUrl: string, url: string, pid: number): Promise<string[]> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await fillByCopy(client, { accounts: 1, projects: 1, milestones: MILESTONES, entries: ENTRIES_EACH })
    const { rows } = await client.query(
      `insert into reader_settings (project_id, downloads) select id, true from projects where title = 'Project 0'
        returning project_id as id`,
    )
    const texts: string[] = []
    for (const format of ['site', 'epub']) {
      const { result, text } = await watched(pid, () =>
        download(`${url}/api/world/${rows[0].id}/downloads/${format}`),
      )
      texts.push(
        `${format} of ${MILESTONES * ENTRIES_EACH} entries: ${(result.bytes / 1e6).toFixed(0)} MB in ${text}, begun after ${result.firstAfter.toFixed(1)} s`,
      )
    }
    return texts
  } finally {
    await client.end()
  }
}

/** Reads everything, and returns the number of bytes and the seconds until the first. */
async function download(from: string): Promise<{ bytes: number; firstAfter: number }> {
  const began = performance.now()
  const response = await fetch(from)
  assert(response.ok && response.body !== null, `${from} returned ${response.status}`)
  const firstAfter = (performance.now() - began) / 1_000
  assert(firstAfter < PROXY_SECONDS, `${from} began only after ${firstAfter.toFixed(0)} s`)
  let bytes = 0
  for await (const chunk of response.body) bytes += chunk.length
  return { bytes, firstAfter }
}

/** Runs something, and throws if the server or its child processes grow by more than they may. */
async function watched<T>(pid: number, run: () => Promise<T>): Promise<{ result: T; text: string }> {
  const measure = async () => ({ server: await residentMegabytes(pid), all: await processTreeMegabytes(pid) })
  const idle = await measure()
  const peak = { ...idle }
  const over = new AbortController()
  const watching = (async () => {
    for (; !over.signal.aborted; await sleep(POLL_MS)) {
      // A child process may just have ended.
      const now = await measure().catch(() => idle)
      peak.server = Math.max(peak.server, now.server)
      peak.all = Math.max(peak.all, now.all)
    }
  })()
  const began = performance.now()
  try {
    const result = await run()
    const seconds = Math.round((performance.now() - began) / 1_000)
    const growth = { server: Math.round(peak.server - idle.server), all: Math.round(peak.all - idle.all) }
    const text = `${seconds} s, the server with at most ${growth.server} MB more, with its child processes ${growth.all} MB`
    assert(growth.server <= GROWTH_MEGABYTES && growth.all <= ALL_MEGABYTES, `too much memory: ${text}`)
    return { result, text }
  } finally {
    over.abort()
    await watching
  }
}
