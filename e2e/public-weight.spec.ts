import type { Page } from '@playwright/test'
import { createJournal } from '#testing/journal.ts'
import { expect, sizes, test, visitor, waitForHydration } from './fixtures/journey.ts'

const BYTES_MAX = 160 * 1024

/** Returns what a page fetched, by kind of file, without pictures. */
async function fetched(page: Page): Promise<{ bytes: number; scripts: number }> {
  await waitForFonts(page)
  return page.evaluate(() => {
    const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const [own] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const counted = resources.filter(({ initiatorType }) => initiatorType !== 'img')
    return {
      bytes: [...counted, own].reduce((sum, entry) => sum + (entry?.transferSize ?? 0), 0),
      scripts: resources.filter(({ name }) => new URL(name).pathname.endsWith('.js')).length,
    }
  })
}

/** Waits for the fonts, which a first visit fetches after the first paint. */
async function waitForFonts(page: Page): Promise<void> {
  await expect(page.locator('html[data-fonts]')).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready)
}

test('public pages on a phone are at most 160 kB, and load scripts at the first press', {
  tag: '@long',
}, async ({ owner, browser }) => {
  const content =
    '## A loaf\n\nIt *rose*, and it was **good**: $\\sqrt{m_0 c^2} \\le E$.\n\n```js\nbake()\n```'
  const { projectId, entries } = await createJournal(owner, [{ title: 'Loaf 1', content }], {
    isPublic: true,
  })
  const page = await visitor(browser)
  await page.setViewportSize(sizes.phone)
  for (const path of ['/', `/world/${projectId}`, `/world/${projectId}/entries/${entries[0]?._id}`]) {
    await test.step(path, async () => {
      await page.goto(path)
      const { bytes, scripts } = await fetched(page)
      expect(bytes).toBeLessThanOrEqual(BYTES_MAX)
      expect(scripts).toBe(0)
      await waitForHydration(page)
      expect((await fetched(page)).scripts).toBeGreaterThan(0)
    })
  }
  await page.context().close()
})

test('a public page is painted before it fetches fonts, and uses them immediately on the next visit', {
  tag: '@long',
}, async ({ page }) => {
  const fontsBeforePaint = () =>
    page.evaluate(() => {
      const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      const [painted] = performance.getEntriesByName('first-contentful-paint')
      const fonts = files.filter(({ name }) => new URL(name).pathname.endsWith('.woff2'))
      return fonts.map(({ startTime }) => startTime < (painted?.startTime ?? 0))
    })
  await page.goto('/')
  await waitForFonts(page)
  const first = await fontsBeforePaint()
  expect(first.length).toBeGreaterThan(0)
  expect(first).not.toContain(true)
  const family = () => page.locator('h1').evaluate((heading) => getComputedStyle(heading).fontFamily)
  expect(await family()).toMatch(/ Variable"?,/)
  await page.reload()
  await expect.poll(fontsBeforePaint).toContain(true)
})
