import { createJournal } from '#testing/journal.ts'
import { bringFiles, jpeg } from './fixtures/files.ts'
import { test } from './fixtures/journey.ts'

const DIR = '/tmp/uploads/shots'

test('shots', async ({ page, me }) => {
  const { listPath } = await createJournal(me)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await page.getByLabel('Title').fill('A week of rye')
  const content = page.getByLabel('Content')
  await content.fill('Monday began with flour on the ceiling. ')
  await bringFiles(content, 'paste', [
    await jpeg('monday.jpg'),
    await jpeg('tuesday.jpg', '#5a7d5a'),
    await jpeg('friday.jpg', '#40607a', 800, 1200),
  ])
  await page.waitForTimeout(1500)
  await page.screenshot({ path: `${DIR}/editor-desktop.png` })
  await page.getByLabel('Alternative text of monday.jpg').fill('A loaf on a table')
  await page.getByLabel('Caption of monday.jpg').fill('Day one')
  await page.getByLabel('Caption of monday.jpg').press('Enter')
  await page.waitForTimeout(500)
  await page.evaluate(() => document.documentElement.classList.add('dark'))
  await page.screenshot({ path: `${DIR}/editor-desktop-dark.png` })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.screenshot({ path: `${DIR}/editor-phone-dark.png` })
  await page.evaluate(() => document.documentElement.classList.remove('dark'))
  await page.screenshot({ path: `${DIR}/editor-phone.png` })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('tab', { name: 'Preview' }).click()
  await page.waitForTimeout(800)
  await page.screenshot({ path: `${DIR}/preview.png` })
  await page.keyboard.press('Control+Enter')
  await page.waitForTimeout(1500)
  await page.screenshot({ path: `${DIR}/saved.png` })
  await page.getByRole('link', { name: 'A week of rye' }).click()
  await page.waitForTimeout(1500)
  await page.screenshot({ path: `${DIR}/entry.png`, fullPage: true })
  await page.locator('.media-open').first().click()
  await page.waitForTimeout(1000)
  await page.screenshot({ path: `${DIR}/lightbox.png` })
  await page.keyboard.press('ArrowRight')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.waitForTimeout(600)
  await page.screenshot({ path: `${DIR}/lightbox-phone.png` })
  await page.keyboard.press('Escape')
  await page.waitForTimeout(400)
  await page.screenshot({ path: `${DIR}/entry-phone.png`, fullPage: true })
})
