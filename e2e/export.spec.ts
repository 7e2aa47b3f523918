import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { unzipped } from '#server/export/testing.ts'
import { temporaryDirectory } from '#testing/cleanup.ts'
import { createJournal } from '#testing/journal.ts'
import { expectAccessible, expectFitting } from './fixtures/accessibility.ts'
import { expect, expectNoSidewaysScroll, openApp, test } from './fixtures/journey.ts'

test('an entry is taken as Markdown and its project as a book', { tag: '@long' }, async ({ page, me }) => {
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

test('a public project is taken as a website that opens from a folder', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { projectId, milestoneId } = await createJournal(me, [{ title: 'Rye', content: 'Fed *at nine*' }], {
    isPublic: true,
  })
  await me.call('createEntry', {
    params: { milestoneId },
    body: { title: 'Wheat', content: 'Later', tags: ['wheat'] },
  })
  await openApp(page, `/projects/${projectId}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Export' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export' })
  await dialog.getByLabel('Format').selectOption('Website (ZIP)')
  await expectFitting(page)
  await expectAccessible(page)
  await dialog.getByLabel('With a search').check()
  const site = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()

  const { directory, remove } = await temporaryDirectory()
  for (const [name, bytes] of await unzipped(await readFile(await (await site).path()))) {
    const file = path.join(directory, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, bytes)
  }
  const reader = await page.context().newPage()
  const complaints: string[] = []
  reader.on('console', (message) => complaints.push(message.text()))
  reader.on('requestfailed', (request) => complaints.push(request.url()))
  await reader.goto(pathToFileURL(path.join(directory, 'index.html')).href)
  await expectNoSidewaysScroll(reader)
  await reader.getByRole('link', { name: 'Start reading' }).click()
  await expect(reader.getByRole('heading', { level: 1, name: 'Rye' })).toBeVisible()
  await reader.getByRole('link', { name: 'Wheat' }).click()
  await reader.getByRole('link', { name: 'wheat', exact: true }).click()
  await expect(reader.getByRole('heading', { name: 'Entries tagged wheat' })).toBeVisible()
  await reader.goto(pathToFileURL(path.join(directory, 'index.html')).href)
  await reader.getByRole('searchbox').fill('nine')
  await reader.getByRole('searchbox').press('Enter')
  await expect(reader.getByText('1 result.')).toBeVisible()
  await reader.getByRole('link', { name: 'Rye' }).click()
  await expect(reader.getByRole('heading', { level: 1, name: 'Rye' })).toBeVisible()
  expect(complaints).toEqual([])
  await remove()
})
