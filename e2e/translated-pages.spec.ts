import type { Page } from '@playwright/test'
import { createJournal } from '#testing/journal.ts'
import { expect, openApp, test } from './fixtures/journey.ts'

/** Translates a page as browsers do, which put each text into elements of their own. */
async function translate(page: Page): Promise<void> {
  await page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: Text[] = []
    while (texts.nextNode()) found.push(texts.currentNode as Text)
    for (const text of found) {
      if (!text.data.trim() || text.parentElement?.closest('script, style')) continue
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      inner.textContent = `${text.data}·`
      outer.append(inner)
      text.replaceWith(outer)
    }
  })
}

test('a public page that the browser translates keeps working', async ({ page, owner }) => {
  const { projectId, entries } = await createJournal(
    owner,
    [
      { title: 'Loaf', content: 'It *rose*.' },
      { title: 'Rye', content: 'Sour.' },
    ],
    { isPublic: true },
  )
  const path = `/world/${projectId}`
  await openApp(page, path)
  await translate(page)
  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect(page.getByText('Copied!')).toBeVisible()
  await page.getByRole('button', { name: 'Toggle theme' }).click()
  await page.getByRole('link', { name: 'Follow', exact: false }).first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('link', { name: 'Start reading' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Loaf')
  await translate(page)
  await page.getByRole('link', { name: /^Next entry/ }).click()
  await expect(page).toHaveURL(`${path}/entries/${entries[1]?._id}`)
})

test('the bar of a member on a public page that the browser translates keeps working', async ({
  page,
  me,
}) => {
  await openApp(page, '/about')
  const menu = page.getByRole('button', { name: 'User menu' })
  await expect(menu).toBeVisible()
  await translate(page)
  await menu.click()
  await expect(page.getByText(me.email).filter({ visible: true })).toBeVisible()
  await translate(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Notifications' }).click()
  await translate(page)
  await page.keyboard.press('Escape')
  await menu.click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: 'Sign In' }).first()).toBeVisible()
})
