import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, test as base, expect, type Page } from '@playwright/test'
import { type Member, member } from './member.ts'

type Fixtures = {
  /** A person with an account of their own, signed in on `page`. */
  me: Member
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
})

export { expect }

/** A phone and a desktop, the two widths that every screen is designed for. */
export const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } } as const

/** axe finds nothing on the page as it stands, in both themes. */
export async function expectAccessible(page: Page): Promise<void> {
  const wasDark = await page.evaluate(() => document.documentElement.classList.contains('dark'))
  for (const dark of [wasDark, !wasDark]) {
    await page.evaluate((on) => document.documentElement.classList.toggle('dark', on), dark)
    await page.evaluate(() =>
      Promise.allSettled(document.getAnimations().map((animation) => animation.finished)),
    )
    const { violations } = await new AxeBuilder({ page }).analyze()
    const found = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`,
    )
    expect(found, dark ? 'in the dark theme' : 'in the light theme').toEqual([])
  }
  await page.evaluate((on) => document.documentElement.classList.toggle('dark', on), wasDark)
}

/** Nothing on the page is wider than the window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [content, visible] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ])
  expect(content).toBeLessThanOrEqual(visible ?? 0)
}

/** Holds the calls to an address back until the function that it answers lets them go on, or fail. */
export async function holdBack(
  page: Page,
  url: string,
  method?: string,
): Promise<(outcome?: 'continue' | 'abort') => void> {
  const held = Promise.withResolvers<'continue' | 'abort'>()
  await page.route(url, async (route) => {
    if (method && route.request().method() !== method) return route.continue()
    await ((await held.promise) === 'abort' ? route.abort() : route.continue())
  })
  return (outcome = 'continue') => held.resolve(outcome)
}

/** A page of somebody who has never been here. */
export async function visitor(
  browser: Browser,
  options: { javaScriptEnabled?: boolean; baseURL?: string } = {},
): Promise<Page> {
  const context = await browser.newContext({ baseURL: process.env.MILEPOST_URL ?? '', ...options })
  return context.newPage()
}
