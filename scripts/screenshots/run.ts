import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { type Browser, chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import type { Entry } from '#contract/entries.ts'
import type { Milestone } from '#contract/milestones.ts'
import type { Project } from '#contract/projects.ts'
import { renewToken, signIn } from '#testing/account.ts'
import { cleanUpOnSignal, temporaryDirectory } from '#testing/cleanup.ts'
import { startServer } from '#testing/start-server.ts'

const FOLDER = new URL('../../docs/screenshots/', import.meta.url)
const BYTES_MAX = 200 * 1_024
const DESKTOP = { width: 1_440, height: 900 }
const PHONE = { width: 390, height: 844 }

/** The paths of the screens of one public project, and of its entry with the most features. */
type Paths = { project: string; composer: string; publicProject: string; publicEntry: string }

type Screen = {
  path: (paths: Paths) => string
  theme: 'light' | 'dark'
  size?: typeof DESKTOP
  isSignedIn?: true
  /** Waits for the content that the picture has to show. */
  shows: (page: Page) => Promise<unknown>
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).waitFor()

const screens: Record<string, Screen> = {
  dashboard: {
    path: () => '/dashboard',
    theme: 'light',
    isSignedIn: true,
    shows: (page) => page.getByRole('heading', { name: 'A cedar-strip canoe for the lake' }).waitFor(),
  },
  project: {
    path: ({ project }) => project,
    theme: 'dark',
    isSignedIn: true,
    async shows(page) {
      await page.locator('main img').first().waitFor()
      await page.locator('main').getByText('Loading', { exact: true }).waitFor({ state: 'detached' })
    },
  },
  composer: {
    path: ({ composer }) => composer,
    theme: 'light',
    isSignedIn: true,
    shows: (page) => page.getByRole('dialog').getByLabel('Content').waitFor(),
  },
  'public-project': { path: ({ publicProject }) => publicProject, theme: 'light', shows: heading },
  'public-entry': { path: ({ publicEntry }) => publicEntry, theme: 'dark', shows: heading },
  phone: { path: ({ publicEntry }) => publicEntry, theme: 'light', size: PHONE, shows: heading },
}

cleanUpOnSignal(console.log)
const server = await startWithDemo()
const browser = await chromium.launch({
  ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
  args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu'],
})
try {
  await mkdir(FOLDER, { recursive: true })
  const { paths, ...account } = await signInAndFind(server)
  for (const [name, screen] of Object.entries(screens)) {
    const bytes = await encode(await capture(browser, { ...account, url: server.url, paths }, screen))
    await writeFile(new URL(`${name}.webp`, FOLDER), bytes)
    console.log(`${name}.webp  ${Math.ceil(bytes.length / 1_024)} kB`)
  }
} finally {
  await browser.close()
  await server.stop()
}

type Demo = { url: string; cookie: string; token: string; paths: Paths }

async function capture(
  chrome: Browser,
  { url, cookie, token, paths }: Demo,
  screen: Screen,
): Promise<Buffer> {
  const { theme, size = DESKTOP, isSignedIn, path, shows } = screen
  const context = await chrome.newContext({
    viewport: size,
    deviceScaleFactor: size === PHONE ? 2 : 1.5,
    colorScheme: theme,
    reducedMotion: 'reduce',
  })
  try {
    if (isSignedIn) {
      await context.addCookies(
        cookie.split('; ').map((pair) => {
          const [name = '', value = ''] = pair.split(/=(.*)/s)
          return { name, value, url }
        }),
      )
      await context.addInitScript((value) => localStorage.setItem('token', value), token)
    }
    const page = await context.newPage()
    await page.goto(url + path(paths))
    await page.mouse.move(1, 1)
    await page.locator('html[data-ready]').waitFor({ state: 'attached' })
    await shows(page)
    await page.evaluate(decodeVisible)
    return await page.screenshot({ caret: 'hide' })
  } finally {
    await context.close()
  }
}

/** Waits for the fonts and for the pictures in the viewport. Those below it load lazily. */
async function decodeVisible(): Promise<void> {
  await document.fonts.ready
  // The editor has images without a source, beside its widgets.
  const isVisible = (image: HTMLImageElement) => {
    const { top, bottom } = image.getBoundingClientRect()
    return image.currentSrc !== '' && bottom > 0 && top < innerHeight
  }
  await Promise.all([...document.images].filter(isVisible).map((image) => image.decode()))
}

/** Encodes with the best quality that is small enough. */
async function encode(png: Buffer): Promise<Buffer> {
  for (const quality of [90, 80, 70, 60]) {
    const bytes = await sharp(png).webp({ quality, effort: 6 }).toBuffer()
    if (bytes.length <= BYTES_MAX) return bytes
  }
  throw new Error('a screenshot is larger than 200 kB')
}

/** Fills a separate data directory with the demo and starts the built product on it. */
async function startWithDemo() {
  const { directory, remove } = await temporaryDirectory()
  const env = { ...process.env, DATA_DIR: directory, DATABASE_URL: '' }
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/demo.ts'], { env })
  const [, email = '', password = ''] = /Sign in as (\S+) with the password (\S+)/.exec(stdout) ?? []
  const { url, stop } = await startServer({ DATA_DIR: directory, DATABASE_URL: '' })
  return { url, email, password, stop: () => stop().then(remove) }
}

async function signInAndFind({ url, email, password }: { url: string; email: string; password: string }) {
  const signedIn = await signIn(url, { email, password })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
  const { token } = await renewToken(url, { cookie })
  const read = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${url}/api${path}`, { headers: { authorization: `Bearer ${token}` } })
    if (!response.ok) throw new Error(`${path} returned ${response.status}`)
    return (await response.json()) as T
  }
  const project = (await read<Project[]>('/projects')).find(({ title }) => title.includes('canoe'))
  if (!project) throw new Error('the demo has no project about a canoe')
  const milestones = await read<Milestone[]>(`/projects/${project._id}/milestones`)
  const lists = await Promise.all(milestones.map(({ _id }) => read<Entry[]>(`/milestones/${_id}/entries`)))
  const entry = lists.flat().find(({ title }) => title === 'The last strip closes the hull')
  if (!entry) throw new Error('the demo has no entry to show')
  const selected = `/projects/${project._id}?selected=${entry.milestone}`
  const paths: Paths = {
    project: selected,
    composer: `${selected}&edit=${entry._id}&milestone=${entry.milestone}`,
    publicProject: `/world/${project._id}?milestone=${entry.milestone}`,
    publicEntry: `/world/${project._id}/entries/${entry._id}`,
  }
  return { cookie, token, paths }
}
