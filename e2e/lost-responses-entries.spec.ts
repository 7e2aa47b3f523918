import type { Page } from '@playwright/test'
import { createJournal } from '#testing/journal.ts'
import { expectContent, replaceContent } from './fixtures/editor.ts'
import { expect, loseResponses, openApp, test, withoutEvents } from './fixtures/journey.ts'

/** The toast of a failure. */
const failure = (page: Page, text: string) => page.getByText(text, { exact: true })

test('text that is typed after the response to an update was lost is saved without a conflict', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath, milestoneId, entries } = await createJournal(me, [{ title: 'Rye' }])
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Edit entry Rye' }).click()
  const content = page.getByLabel('Content')
  await replaceContent(content, 'It rose.')
  let reconnect = await loseResponses(page, 'PUT', /\/entries\/[^/]+$/)
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByText('What you wrote is still here.').first()).toBeVisible()
  await replaceContent(content, 'It rose, and fell.')
  await reconnect()
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByText('Entry updated successfully')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const params = { milestoneId, entryId: entries[0]?._id ?? '' }
  expect(await me.call('readEntry', { params })).toMatchObject({ content: 'It rose, and fell.' })

  await page.getByRole('button', { name: 'Edit entry Rye' }).click()
  await expectContent(content, 'It rose, and fell.')
  await page.getByLabel('Title').fill('Wheat')
  reconnect = await loseResponses(page, 'PUT', /\/entries\/[^/]+$/)
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByText('What you wrote is still here.').first()).toBeVisible()
  await reconnect()
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByText('Merged')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Wheat' })).toBeVisible()
  await expect.poll(async () => (await me.call('listDrafts', {})).drafts).toEqual([])
})

test('an entry that was moved while the response was lost is saved in its new milestone', {
  tag: '@long',
}, async ({ page, me }) => {
  const { projectId, listPath, entries } = await createJournal(me, [{ title: 'Rye' }])
  const { _id: milestoneId } = await me.call('createMilestone', {
    params: { projectId },
    body: { title: 'The second loaf', description: 'Rye this time' },
  })
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Edit entry Rye' }).click()
  await page.getByLabel('Milestone', { exact: true }).selectOption(milestoneId)
  const reconnect = await loseResponses(page, 'PUT', /\/entries\/[^/]+$/)
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(failure(page, 'Failed to update entry')).toBeVisible()
  await page.getByLabel('Title').fill('Wheat')
  await reconnect()
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByText('Entry updated successfully')).toBeVisible()
  const params = { milestoneId, entryId: entries[0]?._id ?? '' }
  expect(await me.call('readEntry', { params })).toMatchObject({ title: 'Wheat', milestone: milestoneId })
})

test('an entry that is edited after the response was lost is created once', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { listPath, milestoneId } = await createJournal(me)
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await page.getByLabel('Title').fill('Rye')
  await replaceContent(page.getByLabel('Content'), 'It rose.')
  const reconnect = await loseResponses(page, 'POST', /\/entries$/)
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(page.getByText('What you wrote is still here.').first()).toBeVisible()
  await replaceContent(page.getByLabel('Content'), 'It rose, and fell.')
  await reconnect()
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(page.getByText('Entry created successfully')).toBeVisible()
  const written = await me.call('listEntries', { params: { milestoneId } })
  expect(written).toMatchObject([{ title: 'Rye', content: 'It rose, and fell.' }])
  await expect.poll(async () => (await me.call('listDrafts', {})).drafts).toEqual([])
})

test('sent calls outlive the composer and the page: one entry is created, and an update does not conflict with itself', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath, milestoneId } = await createJournal(me)
  const content = page.getByLabel('Content')
  const composer = page.getByRole('dialog')
  const params = { milestoneId }
  const expectOne = async (text: string) => {
    await expect(composer).toHaveCount(0)
    await expect
      .poll(() => me.call('listEntries', { params }))
      .toMatchObject([{ title: 'Rye', content: text }])
  }

  await openApp(page, listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await page.getByLabel('Title').fill('Rye')
  await replaceContent(content, 'It rose.')
  let reconnect = await loseResponses(page, 'POST', /\/entries$/)
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(failure(page, 'Failed to create entry')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Continue writing' }).click()
  await replaceContent(content, 'It rose, and fell.')
  await reconnect()
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expectOne('It rose, and fell.')

  await page.getByRole('button', { name: 'Edit entry Rye' }).click()
  await replaceContent(content, 'It rose again.')
  reconnect = await loseResponses(page, 'PUT', /\/entries\/[^/]+$/)
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByText('What you wrote is still here.').first()).toBeVisible()
  await replaceContent(content, 'It rose again, and fell.')
  await page.keyboard.press('Escape')
  await expect(composer).toHaveCount(0)
  await reconnect()
  await openApp(page, listPath)
  await page.getByRole('button', { name: 'Edit entry Rye' }).click()
  await expectContent(content, 'It rose again, and fell.')
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expectOne('It rose again, and fell.')
})

test('an entry whose page is reloaded before it knows that it was created is saved by the next page, once', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath, milestoneId } = await createJournal(me)
  await openApp(page, listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await page.getByLabel('Title').fill('Rye')
  await replaceContent(page.getByLabel('Content'), 'It rose.')
  const reconnect = await loseResponses(page, 'POST', /\/entries$/)
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/entries'),
  )
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await sent
  const written = () => me.call('listEntries', { params: { milestoneId } })
  await expect.poll(written).toHaveLength(1)
  await page.reload()
  await reconnect()
  await expect(page.getByText('Entry created successfully')).toBeVisible()
  await page.getByRole('button', { name: 'Add entry' }).click()
  await expect(page.getByLabel('Title')).toBeFocused()
  await expect(page.getByLabel('Title')).toHaveValue('')
  expect(await written()).toMatchObject([{ title: 'Rye', content: 'It rose.' }])
  await expect.poll(async () => (await me.call('listDrafts', {})).drafts).toEqual([])
})

test('an entry that may have been saved as a draft is published when its creation is retried', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath, milestoneId } = await createJournal(me)
  await openApp(page, listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await page.getByLabel('Title').fill('Rye')
  await replaceContent(page.getByLabel('Content'), 'It rose.')
  const reconnect = await loseResponses(page, 'POST', /\/entries$/)
  await page.getByRole('button', { name: 'Save as draft' }).click()
  await expect(page.getByText('What you wrote is still here.').first()).toBeVisible()
  await reconnect()
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(page.getByText('Entry created successfully')).toBeVisible()
  const written = await me.call('listEntries', { params: { milestoneId } })
  expect(written).toMatchObject([{ title: 'Rye', state: 'published' }])
})

test('an entry that was moved elsewhere is not reported as deleted if the server cannot be reached', {
  tag: '@long',
}, async ({ page, me }) => {
  await withoutEvents(page)
  const { projectId, listPath, milestoneId, entries } = await createJournal(me, [{ title: 'Rye' }])
  const { _id: milestone } = await me.call('createMilestone', {
    params: { projectId },
    body: { title: 'The second loaf', description: 'Rye this time' },
  })
  await openApp(page, listPath)
  await expect(page.getByRole('link', { name: 'Rye' })).toBeVisible()
  await me.call('updateEntry', {
    params: { milestoneId, entryId: entries[0]?._id ?? '' },
    body: { title: 'Rye', content: 'Fed the starter.', tags: [], milestone },
  })
  const isDeleted = (url: URL) => /\/entries\/[^/]+$/.test(url.pathname)
  await page.route(isDeleted, (route) =>
    route.request().method() === 'DELETE' ? route.abort() : route.fallback(),
  )
  await page.getByRole('button', { name: 'Delete entry Rye' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Not saved yet: waiting for the connection…')).toBeVisible()
  await page.unroute(isDeleted)
  await expect(page.getByText('This entry was moved elsewhere, so it was not deleted.')).toBeVisible()
  await expect(page.getByText('Entry deleted successfully')).toHaveCount(0)
})
