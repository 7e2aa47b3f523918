import type { Page } from '@playwright/test'
import { createJournal } from '#testing/journal.ts'
import { expect, sizes, test, withoutEvents } from './fixtures/journey.ts'

const toast = (page: Page, text: string) =>
  page.getByRole('list', { name: 'Messages' }).getByText(text, { exact: true })

/** Makes every write call fail until its route is removed. */
async function failWrites(page: Page) {
  await page.route('**/api/**', (route) =>
    ['POST', 'PUT', 'DELETE'].includes(route.request().method())
      ? route.fulfill({ status: 400, json: {} })
      : route.fallback(),
  )
}

test('projects are shown in one, two or three columns, with descriptions clamped to two lines', {
  tag: '@long',
}, async ({ page, me }) => {
  for (const title of ['Canoe', 'Kayak', 'Raft']) {
    const description = `${title} and so on. `.repeat(40)
    await me.call('createProject', { body: { title, description, isPublic: false } })
  }
  await page.goto('/dashboard')
  const cards = page.getByRole('region', { name: 'Projects' }).getByRole('listitem')
  await expect(cards).toHaveCount(3)
  for (const [width, columns] of [
    [390, 1],
    [800, 2],
    [1440, 3],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    const lefts = () =>
      cards.evaluateAll((items) => new Set(items.map((item) => item.getBoundingClientRect().left)).size)
    await expect.poll(lefts).toBe(columns)
  }
  const description = cards.first().getByText('Raft and so on.')
  const [height, line] = await description.evaluate((text) => [
    text.clientHeight,
    Number.parseFloat(getComputedStyle(text).lineHeight),
  ])
  expect(Math.round((height ?? 0) / (line ?? 1))).toBe(2)
})

test('the empty dashboard shows its message and both ways to start', { tag: '@long' }, async ({
  page,
  me,
}) => {
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(me.name)
  await expect(
    page.getByText("You don't have any projects yet. Create your first project to get started!", {
      exact: true,
    }),
  ).toBeVisible()
  for (const name of ['Create Project', 'New Project']) {
    await page.getByRole('button', { name }).click()
    const dialog = page.getByRole('dialog', { name: 'Create New Project' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
  }
})

test('a user without a name is greeted as User', { tag: '@long' }, async ({ page, me }) => {
  await page.route('**/api/users/firebase-auth', async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    await route.fulfill({ response, json: { ...answer, user: { ...answer.user, name: '' } } })
  })
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/User$/)
  await expect(page.getByRole('heading', { level: 1 })).not.toContainText(me.name)
})

test('milestones and entries that cannot be saved show the specified error messages', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath } = await createJournal(me, [{ title: 'Rye' }])
  await page.goto(listPath)
  await expect(page.getByRole('link', { name: 'Rye' })).toBeVisible()
  await failWrites(page)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Add Milestone' }).click()
  await dialog.getByLabel('Title').fill('Oven')
  await dialog.getByLabel('Description').fill('Brick by brick')
  await dialog.getByRole('button', { name: 'Create Milestone' }).click()
  await expect(toast(page, 'Failed to create milestone')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()

  const milestone = page.getByRole('link', { name: 'The first loaf' })
  await page.getByRole('button', { name: 'Delete milestone The first loaf' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(toast(page, 'Failed to delete milestone')).toBeVisible()
  await expect(milestone).toBeVisible()
  await page.getByRole('button', { name: 'Edit milestone The first loaf' }).click()
  await dialog.getByLabel('Title').fill('Rye bread')
  await dialog.getByRole('button', { name: 'Update Milestone' }).click()
  await expect(toast(page, 'Failed to update milestone')).toBeVisible()
  await expect(dialog.getByLabel('Title')).toHaveValue('Rye bread')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
  await expect(milestone).toBeVisible()

  await page.getByRole('button', { name: 'Edit entry Rye' }).click()
  await dialog.getByLabel('Title').fill('Wheat')
  await dialog.getByRole('button', { name: 'Update Entry' }).click()
  await expect(toast(page, 'Failed to update entry')).toBeVisible()
  await expect(dialog.getByLabel('Title')).toHaveValue('Wheat')
})

test('milestones that cannot be fetched are shown as an empty list, without an error message', {
  tag: '@long',
}, async ({ page, me }) => {
  const { projectPath } = await createJournal(me)
  await page.route('**/api/projects/*/milestones', (route) => route.fulfill({ status: 400, json: {} }))
  await page.goto(projectPath)
  await expect(page.getByText('No milestones yet')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Messages' }).getByRole('listitem')).toHaveCount(0)
})

test('a project that cannot be fetched shows an error message, and unknown permissions deny viewing and editing', async ({
  page,
  me,
}) => {
  const { projectPath } = await createJournal(me)
  await page.route(`**/api${projectPath}`, (route) => route.fulfill({ status: 400, json: {} }))
  await page.goto(projectPath)
  await expect(toast(page, 'Failed to fetch project')).toBeVisible()

  await page.unroute(`**/api${projectPath}`)
  await page.route('**/permissions', (route) => route.fulfill({ status: 400, json: {} }))
  await page.goto(projectPath)
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Back to Dashboard' })).toHaveAttribute('href', '/dashboard')
})

test('a project that failed with a server error can be retried, and offers no edits before', {
  tag: '@long',
}, async ({ page, me }) => {
  await withoutEvents(page)
  const { projectPath } = await createJournal(me)
  const addMilestone = page.getByRole('button', { name: 'Add Milestone' })
  const fail = (url: string) => page.route(url, (route) => route.fulfill({ status: 503, json: {} }))
  const failed = page.getByRole('heading', { name: 'This project could not be fetched' })
  // If its projects are cached, the page of one shows the cached data.
  await page.goto('/dashboard')
  await fail(`**/api${projectPath}`)
  await fail('**/permissions')
  await page.getByRole('link', { name: 'View Details' }).click()
  await expect(toast(page, 'Failed to fetch project')).toBeVisible()
  await expect(failed).toBeVisible()
  await expect(addMilestone).toHaveCount(0)

  await page.unroute(`**/api${projectPath}`)
  await page.goto(projectPath)
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  await expect(addMilestone).toHaveCount(0)

  await page.unroute('**/permissions')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'A bakery' })).toBeVisible()
  await expect(addMilestone.first()).toBeVisible()
})

test('the timeline shows the details of each milestone, and its actions on hover', async ({ page, me }) => {
  await page.setViewportSize(sizes.desktop)
  const { projectPath } = await createJournal(me, [{ title: 'Rye' }])
  await page.goto(projectPath)
  const card = page.getByRole('list', { name: 'Milestones' }).getByRole('listitem')
  await expect(card).toContainText('The first loaf')
  await expect(card).toContainText('In Progress')
  await expect(card).toContainText('1 entry')
  await expect(card.locator('time')).toBeVisible()
  const edit = page.getByRole('button', { name: 'Edit milestone The first loaf' })
  const opacity = () =>
    edit.evaluate((button) => {
      let seen = 1
      for (let part: Element | null = button; part; part = part.parentElement) {
        seen *= Number(getComputedStyle(part).opacity)
      }
      return seen
    })
  await page.mouse.move(5, 5)
  await expect.poll(opacity).toBe(0)
  await card.hover()
  await expect.poll(opacity).toBe(1)
  await edit.click()
  await page.getByLabel('Mark as completed').check()
  await page.getByRole('button', { name: 'Update Milestone' }).click()
  await expect(card.getByText('Completed').locator('svg')).toBeAttached()
})

test('an entry that cannot be fetched is shown as not found', { tag: '@long' }, async ({ page, me }) => {
  const { entryPath, projectPath } = await createJournal(me, [{ title: 'Rye' }])
  await page.route('**/api/milestones/*/entries/*', (route) => route.fulfill({ status: 400, json: {} }))
  await page.goto(entryPath(0))
  await expect(page.getByRole('heading', { name: 'Entry not found' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Back to Project' })).toHaveAttribute('href', projectPath)
})
