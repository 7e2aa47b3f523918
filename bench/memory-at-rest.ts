import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CLUSTER, homeIn } from '#server/database/embedded/data-directory.ts'
import { spread } from './cpu.ts'
import { familyMegabytes } from './memory.ts'
import type { Row } from './row.ts'
import { writer } from './writer.ts'

const REST_MS = 10_000
const SAMPLES = 6

/** The server and its embedded database after somebody wrote a little and read the pages, left alone for ten seconds. */
export const memoryAtRest: Row = {
  name: 'memory-at-rest',
  what: 'memory at rest, server and embedded database together',
  unit: ' MB',
  aim: { atMost: 250 },
  async measure(stage) {
    const server = await stage.server({})
    await writer(server.url, 5)
    for (const page of ['/', '/dashboard']) await (await fetch(server.url + page)).text()
    const pidFile = path.join(homeIn(server.dataDir), CLUSTER, 'postmaster.pid')
    const postmaster = Number.parseInt(await readFile(pidFile, 'utf8'), 10)
    await sleep(REST_MS)

    const samples = []
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      samples.push({ node: await familyMegabytes(server.pid), postgres: await familyMegabytes(postmaster) })
      await sleep(1_000)
    }
    const { median, low, high } = spread(samples.map(({ node, postgres }) => node + postgres))
    const part = (values: number[]) => spread(values).median.toFixed(0)
    const ours = `${part(samples.map(({ node }) => node))} + ${part(samples.map(({ postgres }) => postgres))} MB`
    return { value: median, low, high, ours, yardstick: '' }
  },
}
