import { type Browser, chromium, type Page } from '@playwright/test'
import type { Project } from '#contract/projects.ts'
import { renewToken, signIn } from '#testing/account.ts'

const SLOWDOWN = 4
const LONGEST_MS = 200

declare global {
  interface Window {
    /** The longest time from an interaction to the paint that followed it, in milliseconds. */
    longestInteraction?: number
  }
}

type Demo = { url: string; email: string; password: string }

/** Typical interactions, each on its own page once that is idle. */
const interactions: Record<
  string,
  { path: (projectId: string) => string; act: (page: Page) => Promise<void> }
> = {
  'Filter projects': {
    path: () => '/dashboard',
    act: (page) => page.getByLabel('Search projects').pressSequentially('canoe of the lake'),
  },
  'Open a dialog': {
    path: () => '/dashboard',
    async act(page) {
      await page.getByRole('button', { name: 'New Project' }).click()
      await page.getByRole('dialog').getByLabel('Project Title').pressSequentially('A greenhouse')
    },
  },
  'Share a project': {
    path: (projectId) => `/projects/${projectId}`,
    async act(page) {
      await page.getByRole('main').getByRole('button', { name: 'Share', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Copy link' }).click()
    },
  },
  'Write an entry': {
    path: () => '/dashboard',
    async act(page) {
      await page.getByRole('button', { name: 'Write', exact: true }).click()
      const content = page.getByRole('dialog').getByLabel('Content')
      await content.click()
      await content.pressSequentially('The **last** strip closes the hull, at a quarter to six.')
    },
  },
}

/** Prints the longest interaction of each kind with a throttled CPU, and returns whether all are short enough. */
export async function measureInteractions(demo: Demo): Promise<boolean> {
  console.log(`\nInteraction to next paint, processor slowed ${SLOWDOWN} times (aim: under ${LONGEST_MS} ms)`)
  const browser = await chromium.launch({
    ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  try {
    const account = await readAccount(demo)
    const results: boolean[] = []
    for (const [name, { path, act }] of Object.entries(interactions)) {
      const longest = await longestOf(browser, { ...account, url: demo.url }, path(account.projectId), act)
      console.log(`${name.padEnd(24)}${longest} ms`)
      results.push(longest < LONGEST_MS)
    }
    return results.every(Boolean)
  } finally {
    await browser.close()
  }
}

type SignedIn = { url: string; cookie: string; token: string }

async function longestOf(
  browser: Browser,
  { url, cookie, token }: SignedIn,
  path: string,
  act: (page: Page) => Promise<void>,
): Promise<number> {
  const context = await browser.newContext({ permissions: ['clipboard-write'] })
  const cookies = cookie.split('; ').map((pair) => {
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    return { name, value, url }
  })
  await context.addCookies(cookies)
  await context.addInitScript((value) => localStorage.setItem('token', value), token)
  await context.addInitScript(observeInteractions)
  try {
    const page = await context.newPage()
    await page.goto(url + path)
    await page.locator('html[data-ready]').waitFor({ state: 'attached' })
    await page.getByText('canoe').filter({ visible: true }).first().waitFor()
    await page.waitForTimeout(1_000) // until it is idle; the event stream keeps the network busy
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
    await act(page)
    await page.waitForTimeout(1_000) // the last paint is reported a little later
    return await page.evaluate(() => Math.round(window.longestInteraction ?? 0))
  } finally {
    await context.close()
  }
}

function observeInteractions() {
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as PerformanceEventTiming[]) {
      if (entry.interactionId)
        window.longestInteraction = Math.max(window.longestInteraction ?? 0, entry.duration)
    }
  })
  // The default omits interactions shorter than 104 ms.
  const options: PerformanceObserverInit & { durationThreshold: number } = {
    type: 'event',
    durationThreshold: 16,
    buffered: true,
  }
  observer.observe(options)
}

async function readAccount({ url, ...credentials }: Demo) {
  const signedIn = await signIn(url, credentials)
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
  const { token } = await renewToken(url, { cookie })
  const response = await fetch(`${url}/api/projects`, { headers: { authorization: `Bearer ${token}` } })
  const projects = (await response.json()) as Project[]
  const projectId = projects.find(({ title }) => title.includes('canoe'))?._id
  if (projectId === undefined) throw new Error('the demo has no project about a canoe')
  return { cookie, token, projectId }
}
