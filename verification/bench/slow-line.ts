import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { type Account, signUp } from '#testing/account.ts'
import { createJournal } from '#testing/journal.ts'
import { processTreeMegabytes, residentMegabytes } from '#testing/memory.ts'
import type { Row } from './row.ts'
import type { Stage } from './stage.ts'

const PICTURES = 20
const [WIDTH, HEIGHT] = [4_000, 3_000]
/** A typical home connection: 4 Mbit/s up and 16 Mbit/s down. */
const LINE = { latency: 60, uploadThroughput: 4_000_000 / 8, downloadThroughput: 16_000_000 / 8 }
/** The page is reloaded after this number of pictures has arrived. */
const BEFORE_RELOAD = 6
const ARRIVAL_MS = 10 * 60_000

/** An entry with twenty camera pictures on a slow connection: when its text is saved, and whether all pictures arrive. */
export const slowLine: Row = {
  name: 'slow-line',
  what: 'until an entry with 20 pictures of 12 megapixels is saved at 4 Mbit/s; then a reload midway',
  unit: ' s',
  aim: { atMost: 2 },
  async measure(stage) {
    const server = await stage.server({ DATABASE_URL: await stage.database() })
    const files = await pictures(await stage.folder())
    const page = await openPage(stage, server.url)
    const owner = await signUp(page, server.url)
    const { listPath, ...journal } = await createJournal(owner)
    const target = { ...journal, origin: server.url }
    await page.goto(listPath)
    await page.getByRole('button', { name: 'Add your first entry' }).click()
    await page.getByLabel('Title').fill('Twenty loaves')
    await page.getByLabel('Pictures').waitFor({ state: 'attached' })
    const memory = watchMemory(server.pid)
    stage.ends(memory.stop)
    await slowDown(page)

    await page.getByLabel('Pictures').setInputFiles(files)
    const begun = performance.now()
    await page.getByRole('button', { name: 'Create Entry' }).click()
    await page.getByText('Entry created successfully').waitFor()
    const saved = (performance.now() - begun) / 1000
    await arrival(owner, target, BEFORE_RELOAD)
    await page.reload()
    const arrived = await arrival(owner, target, PICTURES)
    const seconds = (performance.now() - begun) / 1000
    const { before, server: peak, all } = await memory.end()
    return {
      value: saved,
      low: saved,
      high: saved,
      ours: `${arrived} of ${PICTURES} after ${seconds.toFixed(0)} s`,
      baseline: `server ${before.toFixed(0)} to ${peak.toFixed(0)} MB, ${all.toFixed(0)} with decoders`,
    }
  },
}

/** Creates pictures with as much detail as photographs: about 2 MB each. */
async function pictures(folder: string): Promise<string[]> {
  const files = []
  for (let n = 0; n < PICTURES; n += 1) {
    const file = path.join(folder, `loaf-${n + 1}.jpg`)
    const noise = { type: 'gaussian' as const, mean: 90 + n * 5, sigma: 12 }
    await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#b5763a', noise } })
      .blur(1)
      .jpeg({ quality: 85 })
      .toFile(file)
    files.push(file)
  }
  return files
}

async function openPage(stage: Stage, baseURL: string): Promise<Page> {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '' })
  stage.ends(() => browser.close())
  return (await browser.newContext({ baseURL })).newPage()
}

async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', { offline: false, ...LINE })
}

type Target = { milestoneId: string; projectId: string; origin: string }

/** Waits until a number of pictures of the only entry have arrived; returns how many have. */
async function arrival(
  owner: Account,
  { milestoneId, projectId, origin }: Target,
  count: number,
): Promise<number> {
  const entries = (await owner.call('listEntries', { params: { milestoneId } })) as { content: string }[]
  const ids = Array.from(entries[0]?.content.matchAll(/\/files\/([0-9a-f-]+)/g) ?? [], ([, id]) => id)
  const url = `/api/projects/${projectId}/files?ids=${ids.join(',')}`
  const end = performance.now() + ARRIVAL_MS
  for (;;) {
    const listed = await fetch(origin + url, { headers: { authorization: `Bearer ${owner.token}` } })
    const files = (await listed.json()) as { state: string }[]
    const ready = files.filter(({ state }) => state === 'ready').length
    if (ready >= count || performance.now() > end) return ready
    await sleep(500)
  }
}

/** Samples the memory of a server twice a second, with and without its child processes. */
function watchMemory(pid: number) {
  const samples: { server: number; all: number }[] = []
  const timer = setInterval(() => {
    Promise.all([residentMegabytes(pid), processTreeMegabytes(pid)]).then(
      ([server, all]) => samples.push({ server, all }),
      () => undefined, // a decoder exited meanwhile
    )
  }, 500)
  const stop = async () => clearInterval(timer)
  return {
    stop,
    async end() {
      await stop()
      const most = (of: 'server' | 'all') => Math.max(...samples.map((sample) => sample[of]))
      return { before: samples[0]?.server ?? Number.NaN, server: most('server'), all: most('all') }
    },
  }
}
