import { setTimeout as sleep } from 'node:timers/promises'
import { spread } from './cpu.ts'
import { residentMegabytes } from './memory.ts'
import { portOf, repeat } from './requests.ts'
import type { Row } from './row.ts'
import { writer } from './writer.ts'

const FIRST = 5_000
const ALL = 100_000
const BLOCK = 1_000
const SAMPLES = 6

/** Of a thousand requests 960 ask for the landing page, 40 for a page of entries. */
const API_SHARE = 40

/** What a server holds in memory after many requests beside what it held after few. */
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
    const before = await held(server.pid)
    await load(ALL - FIRST)
    const after = await held(server.pid)
    const low = after.low / before.high
    const high = after.high / before.low
    const tell = (megabytes: number) => `${megabytes.toFixed(0)} MB`
    return {
      value: after.median / before.median,
      low,
      high,
      ours: tell(after.median),
      yardstick: tell(before.median),
    }
  },
}

/** Looked at for some seconds: a collection of garbage in between shows as its spread. */
async function held(pid: number) {
  const samples = []
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    await sleep(1_000)
    samples.push(await residentMegabytes(pid))
  }
  return spread(samples)
}
