import { readFile } from 'node:fs/promises'
import { expectAccessible, expectFitting } from './fixtures/accessibility.ts'
import { expect, openApp, test } from './fixtures/journey.ts'

test('an entry is taken as Markdown and its project as a book', async ({ page, me }) => {
  const { _id: projectId } = await me.call('createProject', {
    body: { title: 'A radio', description: 'From parts' },
  })
  const { _id: milestoneId } = await me.call('createMilestone', {
    params: { projectId },
    body: { title: 'Receiver', description: 'First' },
  })
  const { _id: entryId } = await me.call('createEntry', {
    params: { milestoneId },
    body: { title: 'Soldered', content: 'The **board** works: $x^2$', tags: [], happenedOn: '2026-03-04' },
  })
  await openApp(page, `/projects/${projectId}/milestones/${milestoneId}/entries/${entryId}`)
  const dialog = page.getByRole('dialog', { name: 'Export' })
  await page.getByRole('button', { name: 'Export' }).click()
  await expectFitting(page)
  await expectAccessible(page)
  const text = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  expect((await text).suggestedFilename()).toBe('2026-03-04-soldered.md')
  expect(await readFile(await (await text).path(), 'utf8')).toContain('The **board** works')
  await expect(dialog).toBeHidden()

  await openApp(page, `/projects/${projectId}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Export' }).click()
  await dialog.getByLabel('Format').selectOption('E-book (EPUB)')
  await expectAccessible(page)
  const book = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  expect((await book).suggestedFilename()).toBe('a-radio.epub')
})
