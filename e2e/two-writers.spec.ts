import type { Page } from '@playwright/test'
import { type Account, signUp } from '#testing/account.ts'
import { addCollaborator, createJournal } from '#testing/journal.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import { replaceContent } from './fixtures/editor.ts'
import {
  expect,
  expectAllClosed,
  expectNoSidewaysScroll,
  openApp,
  sizes,
  test,
  visitor,
} from './fixtures/journey.ts'

const TEXT = 'We fed the rye.\n\nIt rested.\n\nIt rose well.'

/** Creates an entry that two people may edit, each in a separate browser. */
async function shared(me: Account, grace: Page, baseURL = '') {
  const journal = await createJournal(me, [{ title: 'Rye', content: TEXT }])
  await addCollaborator(me, journal.projectId, await signUp(grace, baseURL, 'Grace'), 'editor')
  const open = async (on: Page) => {
    await openApp(on, journal.listPath)
    await on.getByRole('button', { name: 'Edit entry Rye' }).click()
    await expect(on.getByRole('dialog', { name: 'Edit Entry' })).toBeVisible()
  }
  const save = (on: Page) => on.getByRole('button', { name: 'Update Entry' }).click()
  const write = (on: Page, text: string) => replaceContent(on.getByLabel('Content'), text)
  return { ...journal, open, save, write }
}

test('two people who edit at the same time see each other, and their changes are merged or shown in a conflict dialog', {
  tag: '@long',
}, async ({ page, browser, me, baseURL }) => {
  test.slow()
  const grace = await visitor(browser)
  const { projectId, milestoneId, entries, entryPath, open, save, write } = await shared(me, grace, baseURL)
  const params = { milestoneId, entryId: entries[0]?._id ?? '' }
  const content = async () => (await me.call('readEntry', { params })).content

  await test.step('each sees that the other has the entry open', async () => {
    await open(page)
    await open(grace)
    await expect(page.getByText('Grace is editing too')).toBeVisible()
    await expect(grace.getByText(`${me.name} is editing too`)).toBeVisible()
  })

  await test.step('what does not overlap is saved together', async () => {
    await write(page, TEXT.replace('the rye', 'our rye'))
    await write(grace, TEXT.replace('well', 'very well'))
    await save(grace)
    await expect(grace.getByText('Entry updated successfully')).toBeVisible()
    await expect.poll(content).toContain('very well')
    await expect(page.getByText('Grace is editing too')).toHaveCount(0)
    await save(page)
    await expect(page.getByText('Merged with changes by Grace')).toBeVisible()
    await expect.poll(content).toBe('We fed our rye.\n\nIt rested.\n\nIt rose very well.')
  })

  await test.step('what overlaps is for a person to decide, who loses neither', async () => {
    await open(page)
    await open(grace)
    const both = 'We fed our rye.\n\nIt rested.\n\nIt rose very well.'
    await write(page, both.replace('It rested', 'It dozed'))
    await write(grace, both.replace('It rested', 'It slept'))
    await save(grace)
    // The message of the previous save may still be visible.
    await expect.poll(content).toContain('It slept')
    await save(page)
    await expect(page.getByRole('heading', { name: 'Two versions of one entry' })).toBeFocused()
    await expect(page.getByText('It was saved by Grace.')).toBeVisible()
    await expect(page.getByLabel('Result')).toHaveValue(
      'We fed our rye.\n\nIt dozed.\n\nIt slept.\n\nIt rose very well.',
    )
    await expectAccessible(page)
    await page.setViewportSize(sizes.phone)
    await expectNoSidewaysScroll(page)
    await page.setViewportSize(sizes.desktop)

    await page.getByRole('radio', { name: 'Keep theirs' }).check()
    await expect(page.getByLabel('Result')).toHaveValue(/^We fed our rye.\n\nIt slept/)
    await page.getByRole('radio', { name: 'Keep both' }).check()
    const result = page.getByText('See the result, or change it by hand')
    await result.click()

    // A manual merge is in no draft: leaving it asks, and preserves the text of the draft.
    await page.getByLabel('Result').press('ControlOrMeta+End')
    await page.keyboard.type(' By hand.')
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await page.keyboard.press('Escape')
    await expect(question.getByText('The result that you wrote will be lost.')).toBeVisible()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByLabel('Result')).toHaveValue(/By hand\.$/)
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Leave' }).click()
    await expectAllClosed(page)
    await open(page)
    await expect(page.getByText('The changes that you had not saved are back.')).toBeVisible()
    await save(page)
    await page.getByRole('radio', { name: 'Keep theirs' }).check()
    await result.click()
    await page.getByLabel('Result').press('ControlOrMeta+End')
    await page.keyboard.type(' Both of us.')
    const take = page.getByRole('button', { name: 'Continue with the result' })
    await page.setViewportSize(sizes.phone)
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
    })
    const right = await take.evaluate((button) => button.getBoundingClientRect().right)
    expect(right).toBeLessThanOrEqual(sizes.phone.width)
    await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
    await page.setViewportSize(sizes.desktop)
    await take.click()
    await page.getByText('Your text, put aside').click()
    await expect(page.getByText('It dozed.')).toBeVisible()
    await save(page)
    await expect(page.getByText('Entry updated successfully')).toBeVisible()
    await expect.poll(content).toBe('We fed our rye.\n\nIt slept.\n\nIt rose very well. Both of us.')
  })

  await test.step('the activity of the project tells of both', async () => {
    await openApp(grace, `/projects/${projectId}`)
    await grace.getByRole('button', { name: 'More actions' }).click()
    await grace.getByRole('link', { name: 'Activity' }).click()
    await expect(grace.getByRole('heading', { level: 1, name: 'Activity' })).toBeVisible()
    const today = grace.getByRole('region', { name: 'Today' })
    await expect(today.getByText('Grace edited Rye')).toHaveCount(2)
    await expect(today.getByText(`${me.name} edited Rye`)).toHaveCount(2)
    await me.call('updateProject', {
      params: { projectId },
      body: { title: 'Bread', description: 'Of rye', isPublic: true },
    })
    await expect(today.getByText(`${me.name} made the project public`)).toBeVisible()
    await today.getByRole('link', { name: 'Rye' }).first().click()
    await expect(grace).toHaveURL(entryPath(0))
  })
  await grace.context().close()
})
