import type { Page } from '@playwright/test'
import { createJournal } from '#testing/journal.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import { expect, expectNoSidewaysScroll, openApp, sizes, test } from './fixtures/journey.ts'

/** A text that is longer than what the editor draws, with something to find at its beginning, in it, and at its end. */
const walk = Array.from({ length: 400 }, (_, line) =>
  line % 190 === 10
    ? `Day ${line}: the **Café** was open.`
    : `Day ${line}: the weather was grey, and we walked on.`,
).join('\n\n')

const field = (page: Page) => page.getByRole('searchbox', { name: 'Find in the text' })
const selected = (page: Page) => page.locator('.md-found-selected')

async function openWalk(page: Page, path: string) {
  await openApp(page, path)
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Content').press('ControlOrMeta+Home')
}

test('the search of the composer finds what is not drawn, counts it, and ends with Escape', {
  tag: '@long',
}, async ({ page, me }) => {
  const { entryPath } = await createJournal(me, [{ title: 'Walk', content: walk }])
  await openWalk(page, entryPath(0))
  await page.keyboard.press('ControlOrMeta+f')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('cafe')
  await expect(page.getByText('1 of 3')).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(page.getByText('3 of 3')).toBeVisible()
  await expect(selected(page)).toBeInViewport()
  await expect(selected(page)).toHaveText('Café')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 of 3')).toBeVisible()
  await page.keyboard.press('Shift+Enter')
  await expect(page.getByText('3 of 3')).toBeVisible()

  await page.keyboard.press('Escape')
  await expect(field(page)).toBeHidden()
  await expect(page.getByLabel('Content')).toBeFocused()
  await page.keyboard.type('Bakery')
  await expect(page.getByLabel('Content')).toContainText('Day 390: the **Bakery** was open.')

  await page.keyboard.press('ControlOrMeta+f')
  await page.keyboard.type('nowhere')
  await expect(page.getByText('No matches')).toBeVisible()
  await page.getByRole('tab', { name: 'Preview' }).click()
  await expect(field(page)).toBeHidden()
})

test('the search counts again after typing, and its key has no letter of another script', {
  tag: '@long',
}, async ({ page, me }) => {
  const { entryPath } = await createJournal(me, [{ title: 'Walk', content: walk }])
  await openWalk(page, entryPath(0))
  await page.keyboard.press('ControlOrMeta+f')
  await page.keyboard.type('café')
  await expect(page.getByText('1 of 3')).toBeVisible()
  await page.getByLabel('Content').press('ControlOrMeta+End')
  await page.keyboard.type(' A cafe again')
  await expect(page.getByText('4 matches')).toBeVisible()
  await page.getByLabel('Content').evaluate((element) => {
    const pressed = { key: 'а', code: 'KeyF', ctrlKey: true, bubbles: true, cancelable: true }
    element.dispatchEvent(new KeyboardEvent('keydown', pressed))
  })
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('F3')
  await expect(page.getByText('2 of 4')).toBeVisible()
})

test('a phone finds by a button behind the further tools', { tag: '@long' }, async ({ page, me }) => {
  const { entryPath } = await createJournal(me, [{ title: 'Walk', content: walk }])
  await page.setViewportSize(sizes.phone)
  await openWalk(page, entryPath(0))
  await page.getByRole('button', { name: 'More formatting' }).click()
  await page.getByRole('button', { name: 'Find in the text' }).click()
  await field(page).fill('café')
  await page.getByRole('button', { name: 'Previous match' }).click()
  await expect(page.getByText('3 of 3')).toBeVisible()
  await expect(selected(page)).toBeInViewport()
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: 'Close the search' }).click()
  await expect(field(page)).toBeHidden()
  await expect(page.getByLabel('Content')).toBeFocused()
})

test('the composer is printed as its title and its whole text, over several pages', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { entryPath } = await createJournal(me, [{ title: 'Walk', content: walk }])
  await openWalk(page, entryPath(0))
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText('Day 399: the weather was grey, and we walked on.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Update Entry' })).toBeHidden()
  const pages = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g) ?? []
  expect(pages.length).toBeGreaterThan(10)
})
