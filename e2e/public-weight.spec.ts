import type { Page } from '@playwright/test'
import { createJournal } from '#testing/journal.ts'
import { expect, sizes, test, visitor, waitUntilReady } from './fixtures/journey.ts'

const KB = 1024

/** Returns what a page fetched, without pictures. */
async function fetched(page: Page) {
  await waitUntilReady(page)
  await waitForFonts(page)
  return page.evaluate(() => {
    const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const [own] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const counted = resources.filter(({ initiatorType }) => initiatorType !== 'img')
    const scripts = resources.filter(({ name }) => new URL(name).pathname.endsWith('.js'))
    const sizeOf = (entries: (PerformanceResourceTiming | undefined)[]) =>
      entries.reduce((sum, entry) => sum + (entry?.transferSize ?? 0), 0)
    return { bytes: sizeOf([...counted, own]), scripts: sizeOf(scripts), requests: counted.length + 1 }
  })
}

/** Waits for the fonts, which a first visit fetches after the first paint. */
async function waitForFonts(page: Page): Promise<void> {
  await expect(page.locator('html[data-fonts]')).toHaveCount(0)
  await page.evaluate(() => document.fonts.ready)
}

test('public pages on a phone are small, and have few scripts', {
  tag: '@long',
}, async ({ owner, browser }) => {
  const marked =
    '## A loaf\n\nIt *rose*, and it was **good**: $\\sqrt{m_0 c^2} \\le E$.\n\n```js\nbake()\n```'
  const { projectId, entries } = await createJournal(
    owner,
    [
      { title: 'Loaf 1', content: 'It rose, and it was **good**.' },
      { title: 'Loaf 2', content: 'It *rose*, and it was **good**.' },
      { title: 'Loaf 3', content: marked },
    ],
    { isPublic: true },
  )
  const [plain, italic, rich] = entries.map(({ _id }) => `/world/${projectId}/entries/${_id}`)
  for (const [path, most] of [
    ['/', 90],
    [`/world/${projectId}`, 90],
    [plain ?? '', 90],
    [italic ?? '', 110],
    // With the fonts of italics and formulas.
    [rich ?? '', 140],
  ] as const) {
    await test.step(path, async () => {
      // Each with an empty cache.
      const page = await visitor(browser)
      await page.setViewportSize(sizes.phone)
      await page.goto(path)
      const { bytes, scripts, requests } = await fetched(page)
      expect(bytes).toBeLessThanOrEqual(most * KB)
      expect(scripts).toBeLessThanOrEqual(8 * KB)
      expect(requests).toBeLessThanOrEqual(8)
      await page.context().close()
    })
  }
})

test('reactions are fetched late, and stay within the scripts of a public page', {
  tag: '@long',
}, async ({ owner, browser }) => {
  const { projectId, entries } = await createJournal(owner, [{ title: 'Loaf', content: 'It rose.' }], {
    isPublic: true,
  })
  await owner.call('changeReaders', { params: { projectId }, body: { reactions: true } })
  const page = await visitor(browser)
  const loaded = page.waitForResponse((response) => response.url().endsWith('/reactions'))
  await page.goto(`/world/${projectId}/entries/${entries[0]?._id}`)
  await page.getByRole('form', { name: 'Reactions' }).scrollIntoViewIfNeeded()
  await loaded
  const { bytes, scripts } = await fetched(page)
  expect(scripts).toBeLessThanOrEqual(8 * KB)
  expect(bytes).toBeLessThanOrEqual(90 * KB)
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
