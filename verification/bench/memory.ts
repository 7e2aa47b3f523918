import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CLUSTER, databaseDirectory } from '#server/database/embedded/data-directory.ts'
import { processTreeMegabytes, residentMegabytes } from '#testing/memory.ts'
import { portOf, repeat } from './requests.ts'
import { type Row, spread } from './row.ts'
import { writer } from './workload.ts'

const FIRST = 5_000
const ALL = 100_000
const BLOCK = 1_000
const SAMPLES = 6

/** Of a thousand requests, 960 are for the landing page and 40 for a page of entries. */
const API_SHARE = 40

/** The resident memory of a server after many requests, compared to that after few. */
export const memoryGrowth: Row = {
  name: 'memory-growth',
  what: 'resident memory after 100,000 requests ÷ after 5,000',
  aim: { atMost: 1.05 },
  async measure(stage) {
    const server = await stage.server({ DATABASE_URL: await stage.database() })
    const { milestoneId, headers } = await writer(server.url, 20)
    const port = portOf(server.url)
    const page = { port, path: '/', headers: { 'accept-encoding': 'br' } }
    const call = { port, path: `/api/milestones/${milestoneId}/entries?page=1&limit=24`, headers }
    const load = async (count: number) => {
      for (let done = 0; done < count; done += BLOCK) {
        await repeat(page, BLOCK - API_SHARE, 200)
        await repeat(call, API_SHARE, 200)
      }
    }
    await load(FIRST)
    const before = await sampleMemory(server.pid)
    await load(ALL - FIRST)
    const after = await sampleMemory(server.pid)
    const low = after.low / before.high
    const high = after.high / before.low
    const format = (megabytes: number) => `${megabytes.toFixed(0)} MB`
    return {
      value: after.median / before.median,
      low,
      high,
      ours: format(after.median),
      baseline: format(before.median),
    }
  },
}

/** Samples for some seconds, so that garbage collection shows as spread. */
async function sampleMemory(pid: number) {
  const samples = []
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    await sleep(1_000)
    samples.push(await residentMegabytes(pid))
  }
  return spread(samples)
}

const REST_MS = 10_000

/** The memory of the server and its embedded database after a few writes and reads, and ten seconds without requests. */
export const memoryAtRest: Row = {
  name: 'memory-at-rest',
  what: 'memory at rest, server and embedded database together',
  unit: ' MB',
  aim: { atMost: 250 },
  async measure(stage) {
    const server = await stage.server({})
    await writer(server.url, 5)
    for (const page of ['/', '/dashboard']) await (await fetch(server.url + page)).text()
    const pidFile = path.join(databaseDirectory(server.dataDir), CLUSTER, 'postmaster.pid')
    const postmaster = Number.parseInt(await readFile(pidFile, 'utf8'), 10)
    await sleep(REST_MS)

    const samples = []
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      samples.push({
        node: await processTreeMegabytes(server.pid),
        postgres: await processTreeMegabytes(postmaster),
      })
      await sleep(1_000)
    }
    const { median, low, high } = spread(samples.map(({ node, postgres }) => node + postgres))
    const part = (values: number[]) => spread(values).median.toFixed(0)
    const ours = `${part(samples.map(({ node }) => node))} + ${part(samples.map(({ postgres }) => postgres))} MB`
    return { value: median, low, high, ours, baseline: '' }
  },
}
