import { type APIRequestContext, type Browser, test as base, expect, type Page } from '@playwright/test'
import { account, type Member, member } from './member.ts'

type Fixtures = {
  /** A person with an account of their own, signed in on `page`. */
  me: Member
  /** Makes an account for another person, who is at no browser here. */
  colleague: (name: string) => Promise<Member>
  /** One of them, with projects of their own. */
  owner: Member
  /** Fails the test on any breach of the content security policy or uncaught error in the page. */
  cleanConsole: void
}

/** A journey in a real browser against the built product. */
export const test = base.extend<Fixtures>({
  baseURL: async ({}, use) => {
    const url = process.env.MILEPOST_URL
    if (!url) throw new Error('MILEPOST_URL is not set: e2e/server.ts did not run')
    await use(url)
  },
  cleanConsole: [
    async ({ page }, use) => {
      const faults: string[] = []
      page.on('pageerror', (error) => faults.push(String(error)))
      page.on('console', (message) => {
        if (/Content Security Policy|hydrat/i.test(message.text())) faults.push(message.text())
      })
      await use()
      // What is still held back or on its way when a journey ends is nobody's fault.
      if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' })
      expect(faults).toEqual([])
    },
    { auto: true },
  ],
  me: async ({ page, baseURL }, use) => {
    await use(await member(page, baseURL ?? ''))
  },
  colleague: async ({ playwright, baseURL }, use) => {
    const requests: APIRequestContext[] = []
    await use(async (name) => {
      const request = await playwright.request.newContext({ baseURL: baseURL ?? '' })
      requests.push(request)
      return account(request, baseURL ?? '', name)
    })
    for (const request of requests) await request.dispose()
  },
  owner: async ({ colleague }, use) => use(await colleague('Grace Hopper')),
})

export { expect }

/** A phone and a desktop, the two widths that every screen is designed for. */
export const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } } as const

/** Nothing on the page is wider than the window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [content, visible] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ])
  expect(content).toBeLessThanOrEqual(visible ?? 0)
}

/** Waits until the open page is hydrated. */
export async function waitForHydration(page: Page): Promise<void> {
  await page.locator('html[data-hydrated]').waitFor({ state: 'attached' })
}

/** Opens a page and waits until it is hydrated: from then on a link leads on within the page. */
export async function openApp(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await waitForHydration(page)
}

type Outcome = 'continue' | 'abort' | { status?: number; json: object }

/** Holds the calls to an address back until the function that it answers lets them go on, fail or be answered. */
export async function holdBack(
  page: Page,
  url: string | RegExp,
  method?: string,
): Promise<(outcome?: Outcome) => void> {
  const held = Promise.withResolvers<Outcome>()
  await page.route(url, async (route) => {
    if (method && route.request().method() !== method) return route.continue()
    const outcome = await held.promise
    if (outcome === 'continue') return route.continue()
    await (outcome === 'abort' ? route.abort() : route.fulfill(outcome))
  })
  return (outcome = 'continue') => held.resolve(outcome)
}

/** Stops the clock of the page, which `page.clock.runFor` moves on and `page.clock.resume` lets go. */
export async function stopTime(page: Page): Promise<void> {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 1000)
}

/** A page of somebody who has never been here. */
export async function visitor(
  browser: Browser,
  options: { javaScriptEnabled?: boolean; baseURL?: string } = {},
): Promise<Page> {
  const context = await browser.newContext({ baseURL: process.env.MILEPOST_URL ?? '', ...options })
  return context.newPage()
}
