import type { Locator } from '@playwright/test'
import { addCollaborator, createJournal } from '#testing/journal.ts'
import { replaceContent } from './fixtures/editor.ts'
import {
  blockRequests,
  expect,
  openApp,
  openListening,
  sizes,
  test,
  withoutEvents,
} from './fixtures/journey.ts'

test('an entry is read, edited from its page, and shows when it was edited', async ({ page, me }) => {
  const { entryPath, projectPath, milestoneId, entries } = await createJournal(me, [
    { title: 'Rye', content: 'It **rose**.', tags: ['bread'] },
  ])
  await page.goto(entryPath(0))
  await expect(page.getByRole('heading', { level: 1, name: 'Rye' })).toBeVisible()
  const way = page.getByRole('navigation', { name: 'Breadcrumb' })
  await expect(way.getByRole('link', { name: 'A bakery' })).toHaveAttribute('href', projectPath)
  await expect(way.getByRole('link', { name: 'The first loaf' })).toBeVisible()
  await expect(page.locator('strong', { hasText: 'rose' })).toBeVisible()
  await expect(page.getByText('Date', { exact: true })).toBeVisible()
  await expect(page.getByText('Author', { exact: true })).toBeVisible()
  await expect(page.locator('dl div', { hasText: 'Created' })).toContainText(/\d:\d\d/)
  await expect(page.getByText('Updated', { exact: true })).toHaveCount(0)

  await page.getByRole('link', { name: 'Edit' }).click()
  await expect(page).toHaveURL(`${projectPath}?edit=${entries[0]?._id}&milestone=${milestoneId}`)
  await page.getByLabel('Title').fill('Rye bread')
  await replaceContent(page.getByLabel('Content'), 'It *fell*.')
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByText('Entry updated successfully')).toBeVisible()
  await expect(page).toHaveURL(entryPath(0))
  await expect(page.getByRole('heading', { level: 1, name: 'Rye bread' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Edit' })).toBeFocused()
  await expect(page.getByText('Updated', { exact: true })).toBeVisible()
  await expect(page.locator('em')).toHaveText('fell')
  await expect(page.getByText('rose')).toHaveCount(0)
})

test('an entry is deleted from its page after a confirmation', async ({ page, me }) => {
  const { entryPath, listPath } = await createJournal(me, [{ title: 'Rye' }])
  await page.goto(entryPath(0))
  await page.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Are you sure you want to delete this entry?')).toBeVisible()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Entry deleted successfully')).toBeVisible()
  await expect(page).toHaveURL(listPath)
})

test('the old URL of an entry that somebody else has moved leads a reader to it', { tag: '@long' }, async ({
  page,
  me,
  owner,
}) => {
  const { entryPath, milestoneId, entries } = await createJournal(owner, [{ title: 'Rye' }])
  const other = await createJournal(owner)
  await addCollaborator(owner, other.projectId, me)
  const entryId = entries[0]?._id ?? ''
  const params = { milestoneId, entryId }
  await owner.call('updateEntry', { params, body: { milestone: other.milestoneId } })
  await page.goto(entryPath(0))
  await expect(page).toHaveURL(
    `/projects/${other.projectId}/milestones/${other.milestoneId}/entries/${entryId}`,
  )
  await expect(page.getByRole('heading', { level: 1, name: 'Rye' })).toBeVisible()
})

test('an entry that does not exist shows a link back to its project', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { projectPath, milestoneId } = await createJournal(me)
  await page.goto(`${projectPath}/milestones/${milestoneId}/entries/0199f1f0-0000-7000-8000-000000000000`)
  await expect(page.getByRole('heading', { level: 1, name: 'Entry not found' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to Project' }).click()
  await expect(page).toHaveURL(projectPath)
})

test('an entry whose project was deleted meanwhile shows a link to the dashboard', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { projectId, entryPath } = await createJournal(me, [{ title: 'Rye' }])
  await openListening(page, entryPath(0))
  await expect(page.getByRole('heading', { level: 1, name: 'Rye' })).toBeVisible()
  await me.call('deleteProject', { params: { projectId } })
  await expect(page.getByRole('heading', { level: 1, name: 'Entry not found' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to Dashboard' }).click()
  await expect(page).toHaveURL('/dashboard')
})

test('an entry that could not be fetched can be retried, and then shows its project and milestone', {
  tag: '@long',
}, async ({ page, me }) => {
  await withoutEvents(page)
  const { entryPath } = await createJournal(me, [{ title: 'Rye' }])
  const reads = /\/api\/(projects|milestones)\//
  await page.route(reads, (route) => route.fulfill({ status: 503, json: {} }))
  await page.goto(entryPath(0))
  const again = page.getByRole('button', { name: 'Try again' })
  await expect(again).toBeVisible()
  await page.unroute(reads)
  await again.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Rye' })).toBeVisible()
  const way = page.getByRole('navigation', { name: 'Breadcrumb' })
  await expect(way.getByRole('link', { name: 'A bakery' })).toBeVisible()
  await expect(way.getByRole('link', { name: 'The first loaf' })).toBeVisible()
  await expect(page.getByText('Milestone', { exact: true })).toBeVisible()

  await page.route('**/api/projects/*/milestones', (route) => route.fulfill({ status: 400, json: {} }))
  await page.reload()
  await expect(way.getByRole('link', { name: 'Entries' })).toBeVisible()
  await expect(page.getByText('Milestone', { exact: true })).toHaveCount(0)
})

test('an entry of a milestone that another tab has created since is found', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { projectId, projectPath } = await createJournal(me)
  await withoutEvents(page)
  await openApp(page, projectPath)
  await expect(page.getByRole('link', { name: 'The first loaf' })).toBeVisible()

  const body = { title: 'The second loaf', description: 'More of it' }
  const { _id: milestoneId } = await me.call('createMilestone', { params: { projectId }, body })
  const entry = { title: 'Rye', content: 'It rose.', tags: [] }
  const { _id: entryId } = await me.call('createEntry', { params: { milestoneId }, body: entry })
  const release = await blockRequests(page, `**/api/projects/${projectId}/milestones`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('link', { name: 'Activity' }).click()
  const isRead = page.waitForResponse(`**/api/milestones/${milestoneId}/entries/${entryId}`)
  await page.getByRole('link', { name: 'Rye' }).click()
  await isRead
  await expect(page.getByText('Loading the entry')).toBeAttached()
  await expect(page.getByText('Entry not found')).toHaveCount(0)
  release()
  await expect(page.getByRole('heading', { level: 1, name: 'Rye' })).toBeVisible()
  const way = page.getByRole('navigation', { name: 'Breadcrumb' })
  await expect(way.getByRole('link', { name: 'The second loaf' })).toBeVisible()
})

test('the lookup of a moved entry can be retried after a failure', { tag: '@long' }, async ({ page, me }) => {
  await withoutEvents(page)
  const { entryPath, milestoneId, projectId, entries } = await createJournal(me, [{ title: 'Rye' }])
  const entryId = entries[0]?._id ?? ''
  const body = { title: 'The second loaf', description: 'More of it' }
  const { _id: milestone } = await me.call('createMilestone', { params: { projectId }, body })
  await me.call('updateEntry', { params: { milestoneId, entryId }, body: { milestone } })
  const location = `**/api/entries/${entryId}`
  await page.route(location, (route) => route.abort())
  await page.goto(entryPath(0))
  await expect(page.getByRole('heading', { level: 1, name: 'Entry not found' })).toBeVisible()
  await expect(page.getByText('The server cannot be reached.')).toBeVisible()
  await expect(page.getByText('It may have been deleted')).toHaveCount(0)
  await page.unroute(location)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Rye' })).toBeVisible()
})

test('pressing Delete twice deletes an entry once, and leads to its milestone', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { entryPath, listPath } = await createJournal(me, [{ title: 'Rye' }])
  await openApp(page, entryPath(0))
  let calls = 0
  page.on('request', (request) => {
    if (request.method() === 'DELETE') calls += 1
  })
  await page.getByRole('button', { name: 'Delete' }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: 'Delete' })
    .evaluate((button: HTMLElement) => {
      button.click()
      button.click()
    })
  await expect(page).toHaveURL(listPath)
  await expect(page.getByText('Entry deleted successfully')).toBeVisible()
  await expect(page.getByText('Entry not found')).toHaveCount(0)
  expect(calls).toBe(1)
})

test('the author of an entry unpublishes it on its page or in the composer, and publishes it again', {
  tag: '@long',
}, async ({ page, me, owner, browser }) => {
  const { projectId, milestoneId, projectPath } = await createJournal(owner, [{ title: 'Salt' }], {
    isPublic: true,
  })
  await addCollaborator(owner, projectId, me, 'editor')
  const params = { milestoneId }
  const { _id } = await me.call('createEntry', { params, body: { title: 'Rye', content: 'It rose.' } })
  const reader = await browser.newPage()
  const isPublic = async () => (await reader.request.get(`/world/${projectId}/entries/${_id}`)).ok()
  const unpublish = page.getByRole('button', { name: 'Unpublish' })
  const publish = page.getByRole('button', { name: 'Publish', exact: true })

  await page.goto(`${projectPath}/milestones/${milestoneId}/entries/${_id}`)
  await unpublish.click()
  await expect(page.getByText('Unpublished. Only you can see it now.')).toBeVisible()
  await expect(page.locator('dl').getByText('Draft')).toBeVisible()
  await expect(publish).toBeFocused()
  expect(await isPublic()).toBe(false)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(unpublish).toBeVisible()
  await expect.poll(isPublic).toBe(true)

  await page.getByRole('link', { name: 'Edit' }).click()
  await expect(page.getByText('Published. Everyone can see it.')).toBeVisible()
  await page.getByLabel('Title').fill('Rye bread')
  await unpublish.click()
  await expect(page.getByText('Entry updated successfully')).toBeVisible()
  await expect(page.getByText('Only you can see it now.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Rye bread' })).toBeVisible()
  expect(await isPublic()).toBe(false)
  await page.getByRole('button', { name: 'Publish again' }).click()
  await expect(page.getByText('Entry published')).toBeVisible()
  await expect.poll(isPublic).toBe(true)

  await openApp(page, projectPath)
  await page.getByText('Salt').first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Salt' })).toBeVisible()
  await expect(unpublish).toHaveCount(0)
  await reader.close()
})

test('of the steps that lead to an entry only its own title is cut', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { entryPath } = await createJournal(me, [
    { title: 'The morning on which every loaf of the batch rose as it was meant to, and the street came by' },
  ])
  await page.setViewportSize(sizes.desktop)
  await page.goto(entryPath(0))
  const way = page.getByRole('navigation', { name: 'Breadcrumb' })
  const room = (step: Locator) =>
    step.evaluate((element) => {
      const words = document.createRange()
      words.selectNodeContents(element)
      return element.getBoundingClientRect().width - words.getBoundingClientRect().width
    })
  await expect(way.locator('[aria-current=page]')).toBeVisible()
  await way.evaluate((element) => {
    element.style.width = '20rem'
  })
  for (const name of ['A bakery', 'The first loaf'])
    expect(await room(way.getByRole('link', { name }))).toBeGreaterThanOrEqual(0)
})
