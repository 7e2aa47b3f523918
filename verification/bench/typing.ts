import { chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { type Account, signUp } from '#testing/account.ts'
import { createJournal } from '#testing/journal.ts'
import { type Row, spread } from './row.ts'
import type { Stage } from './stage.ts'

const PICTURES = 60
const CHARACTERS = 199_000
const SLOWDOWN = 2
const ROUNDS = 6
/** The draft is stored after two seconds. */
const SETTLE_MS = 4_000
/** Typed before the draft is stored. */
const KEYS = 'The last strip closes'
const PARAGRAPH =
  'It **rose** overnight, see [the recipe](https://example.com/rye), and _smelled_ of summer.\n\n'

declare global {
  interface Window {
    keyTimes?: number[]
  }
}

/** How long each key takes that is typed into the longest text, with pictures, and into a short one. */
export const typing: Row = {
  name: 'typing',
  what: `a key in a text of 200 kB with ${PICTURES} pictures, processor slowed ${SLOWDOWN} times`,
  unit: ' ms',
  aim: { atMost: 16 },
  async measure(stage) {
    const server = await stage.server({ DATABASE_URL: await stage.database() })
    const page = await openPage(stage, server.url)
    const owner = await signUp(page, server.url)
    const journal = await createJournal(owner)
    const id = await upload(owner, server.url, journal.projectId)
    const ours = await keysIn(page, await edit(owner, journal, longText(id)))
    const baseline = await keysIn(page, await edit(owner, journal, PARAGRAPH))
    const { median, low, high } = spread(ours)
    const format = (value: number) => `${value.toFixed(1)} ms`
    return { value: median, low, high, ours: format(median), baseline: format(spread(baseline).median) }
  },
}

async function openPage(stage: Stage, baseURL: string): Promise<Page> {
  const browser = await chromium.launch({
    ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  stage.ends(() => browser.close())
  return browser.newPage({ baseURL, viewport: { width: 1_440, height: 900 } })
}

async function upload(owner: Account, url: string, projectId: string): Promise<string> {
  const bytes = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#b5763a' } })
    .jpeg()
    .toBuffer()
  const files = [{ name: 'loaf.jpg', size: bytes.length, type: 'image/jpeg' }]
  const [file] = await owner.call('reserveFiles', { params: { projectId }, body: { files } })
  if (!file) throw new Error('no file was reserved')
  const response = await fetch(`${url}/api/files/${file._id}/content`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(bytes),
  })
  if (!response.ok) throw new Error(`the upload returned ${response.status}`)
  return file._id
}

/** Galleries of three pictures between paragraphs, at equal distances. */
function longText(id: string): string {
  const gallery = `${`![A loaf](/files/${id} "Day one")\n`.repeat(3)}\n`
  const galleries = PICTURES / 3
  const paragraphs = Math.floor((CHARACTERS / galleries - gallery.length) / PARAGRAPH.length)
  return (PARAGRAPH.repeat(paragraphs) + gallery).repeat(galleries)
}

type Journal = Awaited<ReturnType<typeof createJournal>>

/** Creates an entry with this text, and returns the path of the composer of it. */
async function edit(owner: Account, { projectPath, milestoneId }: Journal, content: string): Promise<string> {
  const body = { title: 'Rye', content, tags: [] }
  const { _id } = await owner.call('createEntry', { params: { milestoneId }, body })
  return `${projectPath}?edit=${_id}&milestone=${milestoneId}`
}

/** Types into the first paragraph of the text in several rounds, and returns the mean milliseconds of a key in each. */
async function keysIn(page: Page, path: string): Promise<number[]> {
  await page.goto(path)
  const content = page.getByRole('dialog').getByLabel('Content')
  await content.focus()
  await page.keyboard.press('ControlOrMeta+Home')
  await page.waitForTimeout(SETTLE_MS)
  await content.evaluate(timeKeys)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  const rounds: number[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    await page.keyboard.type(KEYS, { delay: 60 })
    const times = await page.evaluate(() => window.keyTimes?.splice(0) ?? [])
    if (times.length !== KEYS.length) throw new Error(`${times.length} of ${KEYS.length} keys were timed`)
    rounds.push(times.reduce((sum, time) => sum + time, 0) / times.length)
    await page.waitForTimeout(SETTLE_MS)
  }
  await devtools.detach()
  return rounds.slice(1)
}

/** Runs in the page: records the time from a key until everything that it causes at once is done, before the next task. */
function timeKeys(content: Element) {
  const times: number[] = []
  window.keyTimes = times
  const after = new MessageChannel()
  let begun = 0
  after.port1.addEventListener('message', () => times.push(performance.now() - begun))
  after.port1.start()
  window.addEventListener(
    'keydown',
    () => {
      begun = performance.now()
    },
    true,
  )
  content.addEventListener('input', () => after.port2.postMessage(null))
}
