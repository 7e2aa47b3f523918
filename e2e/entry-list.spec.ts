import { createJournal, loafEntries } from '#testing/journal.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import {
  blockRequests,
  expect,
  expectNoSidewaysScroll,
  pressShortcut,
  sizes,
  test,
  withoutEvents,
} from './fixtures/journey.ts'

test('the list shows six entries per page, newest first', async ({ page, me }) => {
  const { listPath } = await createJournal(me, loafEntries(37))
  await page.goto(listPath)
  await expect(page.getByText('Showing 1-6 of 37 entries')).toBeVisible()
  const titles = page.getByRole('region', { name: 'Entries' }).getByRole('heading', { level: 3 })
  await expect(titles).toHaveText(['Loaf 37', 'Loaf 36', 'Loaf 35', 'Loaf 34', 'Loaf 33', 'Loaf 32'])
  const buttons = page.getByRole('button', { name: /^Page \d+$/ })
  await expect(buttons, 'at most five, in a window that slides').toHaveText(['1', '2', '3', '4', '5'])
  await page.getByRole('button', { name: 'Page 5' }).click()
  await expect(buttons).toHaveText(['3', '4', '5', '6', '7'])
  await expect(page.getByText('Showing 25-30 of 37 entries')).toBeVisible()
  await page.getByRole('button', { name: 'Page 7' }).click()
  await expect(page.getByText('Showing 37-37 of 37 entries')).toBeVisible()
  await page.getByLabel('Sort entries').selectOption('title')
  await expect(titles.first()).toHaveText('Loaf 1')
  await page.getByLabel('Sort entries').selectOption('newest')
  await expect(titles.first()).toHaveText('Loaf 37')
  await page.getByLabel('Sort entries').selectOption('oldest')
  await expect(page.getByText('Showing 1-6 of 37 entries')).toBeVisible()
  await expect(titles.first()).toHaveText('Loaf 1')
  for (const size of [12, 24]) {
    await page.getByLabel('Entries per page').selectOption(String(size))
    await expect(page.getByText(`Showing 1-${size} of 37 entries`)).toBeVisible()
  }
})

test('search and tag filter the list, and typing keeps the focus', { tag: '@long' }, async ({ page, me }) => {
  const { listPath } = await createJournal(me, loafEntries(13))
  await page.goto(listPath)
  await expect(page.getByText('Showing 1-6 of 13 entries')).toBeVisible()
  const search = page.getByLabel('Search entries')
  await pressShortcut(page, '/')
  await expect(search).toBeFocused()
  await page.keyboard.type('rose', { delay: 40 })
  await expect(page.getByText('Showing 1-6 of 7 entries')).toBeVisible()
  await expect(page.getByText('Filtered from 13 total')).toBeVisible()
  await expect(search).toBeFocused()
  await expect(search).toHaveValue('rose')
  await page.getByLabel('Filter by tag').selectOption('rye')
  await expect(page.getByText('Showing 1-3 of 3 entries')).toBeVisible()
  await search.fill('brick')
  await expect(page.getByText('No entries match')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByText('Showing 1-6 of 13 entries')).toBeVisible()
  await expect(search).toHaveValue('')
})

test('the previous results and the focus stay until the new results have loaded', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath } = await createJournal(me, loafEntries(13))
  await page.goto(listPath)
  const newest = page.getByRole('link', { name: 'Loaf 13', exact: true })
  await expect(newest).toBeVisible()
  const release = await blockRequests(page, '**/entries?*search=*')
  const search = page.getByLabel('Search entries')
  const asked = page.waitForRequest('**/entries?*search=*')
  await search.fill('loaf 2')
  await asked
  await expect(newest).toBeVisible()
  await expect(page.getByText('Loading entries')).toBeVisible()
  await expect(page.getByText(/^Filtered from|^Showing/)).toHaveCount(0) // the count is not known yet
  release()
  await expect(page.getByText('Showing 1-1 of 1 entries')).toBeVisible()
  await expect(newest).toBeHidden()
  await expect(search).toBeFocused()
})

test('a failed search shows an error message, and another search is possible', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { listPath } = await createJournal(me, loafEntries(7))
  await page.goto(listPath)
  await expect(page.getByText('Showing 1-6 of 7 entries')).toBeVisible()
  await page.route('**/entries?*search=*', (route) => route.fulfill({ status: 400, json: {} }))
  const search = page.getByLabel('Search entries')
  await search.fill('rose')
  await expect(page.getByText('Failed to fetch entries')).toBeVisible()
  await expect(search).toBeFocused()
  await search.fill('')
  await expect(page.getByText('Showing 1-6 of 7 entries')).toBeVisible()
})

test('a new entry is listed first as an optimistic update, and is rolled back if it cannot be saved', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath } = await createJournal(me, loafEntries(7))
  await page.goto(listPath)
  const release = await blockRequests(page, '**/entries', 'POST')
  await page.getByRole('button', { name: 'Add Entry' }).click()
  await page.getByRole('dialog').getByLabel('Title').fill('Brioche')
  await page.getByRole('dialog').getByLabel('Content').fill('Butter.')
  await page.keyboard.press('Control+Enter')
  const entries = page.locator('section[aria-label=Entries]')
  await expect(entries.locator('h3').first()).toHaveText('Brioche')
  await expect(entries.getByText('Showing 1-6 of 8 entries')).toBeAttached()
  release('abort')
  await expect(page.getByText('Failed to create entry')).toBeVisible()
  await expect(entries.locator('h3').first()).toHaveText('Loaf 7')
  await expect(entries.getByText('Showing 1-6 of 7 entries')).toBeAttached()
})

test('Back restores the search and the page number', { tag: '@long' }, async ({ page, me }) => {
  const { listPath } = await createJournal(me, loafEntries(13))
  await page.goto(listPath)
  await page.getByLabel('Search entries').fill('rose')
  await expect(page.getByText('Showing 1-6 of 7 entries')).toBeVisible()
  await page.getByRole('button', { name: 'Page 2' }).click()
  await page.getByRole('link', { name: 'Loaf 1', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Loaf 1' })).toBeVisible()
  await page.goBack()
  await expect(page.getByText('Showing 7-7 of 7 entries')).toBeVisible()
  await expect(page.getByLabel('Search entries')).toHaveValue('rose')
})

test('a card shows three tags in the grid and five in the list', { tag: '@long' }, async ({ page, me }) => {
  const tags = ['a', 'b', 'c', 'd', 'e', 'f', 'g'.repeat(50)]
  const { listPath } = await createJournal(me, [{ title: 'Loaf', tags }])
  await page.setViewportSize({ width: 1024, height: 768 })
  await page.goto(listPath)
  await expect(page.getByText('+4')).toBeVisible()
  // The filter of a long tag leaves enough space for the search.
  expect((await page.getByLabel('Search entries').boundingBox())?.width).toBeGreaterThan(170)
  await page.getByRole('button', { name: 'List view' }).click()
  await expect(page.getByText('+2')).toBeVisible()
})

test('all entries of a project are listed beside its timeline, and a tag on a card filters them', {
  tag: '@long',
}, async ({ page, me }) => {
  await page.setViewportSize(sizes.desktop)
  const { projectId, projectPath } = await createJournal(me, loafEntries(7))
  const milestone = { title: 'The oven', description: 'Bricks', completed: false }
  const { _id: milestoneId } = await me.call('createMilestone', { params: { projectId }, body: milestone })
  const body = { title: 'Bricks', content: 'Forty.', tags: [] }
  await me.call('createEntry', { params: { milestoneId }, body })
  await page.goto(projectPath)
  await expect(page.getByText('Select a milestone from the timeline to view its entries')).toBeVisible()
  const entries = page.getByRole('region', { name: 'Entries', exact: true })
  await expect(entries.getByText('Showing 1-6 of 8 entries')).toBeVisible()
  await expect(entries.getByRole('article').first()).toContainText('The ovenBricks')
  await entries.getByRole('button', { name: 'rye' }).first().click()
  await expect(entries.getByText('Showing 1-3 of 3 entries')).toBeVisible()
  await expect(entries.getByLabel('Filter by tag')).toHaveValue('rye')

  await entries.getByRole('button', { name: 'Delete entry Loaf 7' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(entries.getByText('Showing 1-2 of 2 entries')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('link', { name: 'The oven' }).click()
  await expect(entries.getByText('Showing 1-1 of 1 entries')).toBeVisible()
  await page.getByRole('link', { name: 'All entries' }).click()
  await expect(entries.getByText('Showing 1-6 of 7 entries')).toBeVisible()
})

test('an entry is deleted after a confirmation, and restored with a toast on failure', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath } = await createJournal(me, loafEntries(2))
  await page.goto(listPath)
  await page.route('**/entries/*', (route) => route.fulfill({ status: 500, json: {} }))
  const question = page.getByRole('alertdialog', { name: 'Are you sure you want to delete this entry?' })
  await page.getByRole('button', { name: 'Delete entry Loaf 1' }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Failed to delete entry')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Loaf 1' })).toBeVisible()

  await page.unroute('**/entries/*')
  await page.getByRole('button', { name: 'Delete entry Loaf 1' }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Entry deleted successfully')).toBeVisible()
  await expect(page.getByText('Showing 1-1 of 1 entries')).toBeVisible()
  await expect(page.getByText('1 entry', { exact: true })).toBeVisible()
})

test('entries that cannot be fetched can be retried', { tag: '@long' }, async ({ page, me }) => {
  await withoutEvents(page)
  const { listPath } = await createJournal(me, loafEntries(1))
  await page.route('**/api/milestones/*/entries*', (route) => route.fulfill({ status: 400, json: {} }))
  await page.goto(listPath)
  await expect(page.getByText('Failed to fetch entries')).toBeVisible()
  await page.unroute('**/api/milestones/*/entries*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('link', { name: 'Loaf 1' })).toBeVisible()
})

for (const [size, viewport] of Object.entries(sizes)) {
  test(`the list is accessible in all its states on a ${size}`, {
    tag: '@long',
  }, async ({ page, me }) => {
    await page.setViewportSize(viewport)
    const { listPath } = await createJournal(me, loafEntries(7))
    const empty = await createJournal(me)
    await page.goto(listPath)
    await expect(page.getByText('Showing 1-6 of 7 entries')).toBeVisible()
    await expectAccessible(page)
    await page.getByLabel('Search entries').fill('brick')
    await expect(page.getByText('No entries match')).toBeVisible()
    await expectAccessible(page)
    await page.goto(empty.listPath)
    await expect(page.getByRole('button', { name: 'Add your first entry' })).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })
}
