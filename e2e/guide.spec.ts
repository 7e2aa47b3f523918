import { expect, openApp, stopTime, test } from './fixtures/journey.ts'

test('the guide shows six examples, each with a copy button', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openApp(page, '/markdown-guide')
  await expect(page.getByRole('heading', { level: 1, name: 'Text Formatting Guide' })).toBeVisible()
  await stopTime(page)
  for (const title of ['Text Formatting', 'Headers', 'Lists', 'Quotes', 'Links & Images', 'Checklists']) {
    const card = page
      .getByRole('article')
      .filter({ has: page.getByRole('heading', { name: title, level: 2, exact: true }) })
    await card.getByRole('button', { name: 'Copy' }).click()
    await expect(card.getByText('Copied!')).toBeVisible()
    const source = await card.locator('pre').first().textContent()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(source)
  }
  await page.clock.runFor(1900)
  await expect(page.getByText('Copied!')).toHaveCount(6)
  await page.clock.runFor(200)
  await expect(page.getByText('Copied!')).toHaveCount(0)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the previews are shown', { tag: '@long' }, async ({ page }) => {
    await page.goto('/markdown-guide')
    await expect(page.getByRole('article').locator('blockquote')).toBeVisible()
    await expect(page.getByRole('checkbox', { name: 'Feed the starter' })).toBeChecked()
    for (const name of ['Copy', 'Toggle theme'])
      await expect(page.getByRole('button', { name, exact: true }), 'which would do nothing').toHaveCount(0)
  })
})
