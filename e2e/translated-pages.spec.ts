import type { Page } from '@playwright/test'
import { createJournal, loafEntries } from '#testing/journal.ts'
import { expect, openApp, test } from './fixtures/journey.ts'

/** Translates a page as browsers do, which put each text into elements of their own, and all that is added later. */
async function translate(page: Page): Promise<void> {
  await page.evaluate(() => {
    function translateText(text: Text) {
      if (!text.data.trim() || text.parentElement?.closest('font, script, style, [translate=no]')) return
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      inner.textContent = `${text.data}·`
      outer.append(inner)
      text.replaceWith(outer)
    }
    function translateAll(root: Node) {
      const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      const found = root instanceof Text ? [root] : []
      while (texts.nextNode()) found.push(texts.currentNode as Text)
      found.forEach(translateText)
    }
    translateAll(document.body)
    new MutationObserver((records) => {
      for (const { addedNodes } of records) addedNodes.forEach(translateAll)
    }).observe(document.body, { childList: true, subtree: true })
  })
}

test('a public page that the browser translates keeps working', { tag: '@long' }, async ({ page, owner }) => {
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

test('the bar of a member on a public page that the browser translates keeps working', {
  tag: '@long',
}, async ({ page, me }) => {
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

test('the workspace that the browser translates keeps working, and shows what changes', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath } = await createJournal(me, loafEntries(8))
  await openApp(page, listPath)
  await expect(page.getByText('Showing 1-6 of 8 entries')).toBeVisible()
  await translate(page)
  await page.getByPlaceholder('Search entries').fill('Loaf 8')
  await expect(page.getByText(/^Showing\D+1-1\D+1\D/)).toBeVisible()
  await page.getByRole('button', { name: /Add Entry/ }).click()
  await page.getByLabel(/^Title/).fill('Loaf 88')
  await page.getByRole('textbox', { name: /^Content/ }).fill('It rose.')
  await page.getByRole('button', { name: /^Create Entry/ }).click()
  await page.getByRole('link', { name: /^Loaf 88/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Loaf 88')
  await page.getByRole('button', { name: /^Delete/ }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Delete/ })
    .click()
  await page.getByRole('button', { name: /^Undo/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Loaf 88')
})
