import type { Page } from '@playwright/test'
import { addCollaborator, createJournal } from '#testing/journal.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import { expectContent } from './fixtures/editor.ts'
import { expect, sizes, test } from './fixtures/journey.ts'

const content = (page: Page) => page.getByLabel('Content')
const options = (page: Page) => page.getByRole('listbox').getByRole('option')

async function compose(page: Page, listPath: string) {
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await page.getByLabel('Title').fill('Rye')
  await page.keyboard.press('Enter')
  await expect(content(page)).toBeFocused()
}

test('members are mentioned from a list that @ opens, by keyboard, in any script and by an input method', {
  tag: '@long',
}, async ({ page, me, colleague }) => {
  const journal = await createJournal(me)
  const grace = await colleague('Grace Hopper')
  for (const account of [grace, await colleague('山田 太郎')])
    await addCollaborator(me, journal.projectId, account, 'editor')
  await compose(page, journal.listPath)
  await page.keyboard.type('Fed by @')
  await expect(options(page)).toHaveText(['Grace Hopper', '山田 太郎'])
  await expect(content(page)).toHaveAttribute('aria-activedescendant', /./)
  await expect(options(page).first()).toHaveAttribute('aria-selected', 'true')
  await expectAccessible(page)
  await page.keyboard.press('ArrowDown')
  await expect(options(page).last()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expectContent(content(page), 'Fed by @Grace Hopper ')

  await page.keyboard.type('and @gr')
  await expect(options(page)).toHaveText(['Grace Hopper'])
  await page.keyboard.press('Escape')
  await expect(options(page)).toHaveCount(0)
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.type('\nme@grace `@grace` @')
  await expect(options(page)).toHaveCount(2)

  const client = await page.context().newCDPSession(page)
  await client.send('Input.imeSetComposition', { text: '太', selectionStart: 1, selectionEnd: 1 })
  await client.send('Input.insertText', { text: '太' })
  await expect(options(page)).toHaveText(['山田 太郎'])
  await options(page).click()
  await expectContent(content(page), 'Fed by @Grace Hopper and @gr\nme@grace `@grace` @山田 太郎 ')

  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const heard = await grace.call('listNotifications', { query: {} })
  expect(heard.notifications.map(({ kind }) => kind)).toContain('mention')
})

test.describe('on a phone', () => {
  test.use({ viewport: sizes.phone, hasTouch: true, isMobile: true })

  test('a tap chooses whom to mention', { tag: '@long' }, async ({ page, me, colleague }) => {
    const journal = await createJournal(me)
    await addCollaborator(me, journal.projectId, await colleague('Grace Hopper'), 'editor')
    await compose(page, journal.listPath)
    await page.keyboard.type('@')
    await options(page).tap()
    await expectContent(content(page), '@Grace Hopper ')
    await expect(content(page)).toBeFocused()
  })
})
