import type { Account } from '#testing/account.ts'
import { blockRequests, expect, sizes, stopTime, test } from './fixtures/journey.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

async function canoe(me: Account, ...milestones: string[]) {
  const body = { title: 'Canoe', description: 'Strip by strip', isPublic: false }
  const { _id: projectId } = await me.call('createProject', { body })
  for (const title of milestones) {
    await me.call('createMilestone', {
      params: { projectId },
      body: { title, description: `About ${title}` },
    })
  }
  return projectId
}

test('milestones are added, completed, counted and deleted', async ({ page, me }) => {
  await page.goto(`/projects/${await canoe(me)}`)
  await expect(page.getByText('No milestones yet')).toBeVisible()
  await expect(page.getByText('Create your first milestone to start tracking progress')).toBeVisible()
  await page.getByRole('button', { name: 'Add Milestone' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create Milestone' }).click()
  await expect(dialog.getByText('Title is required')).toBeVisible()
  await expect(dialog.getByText('Description is required')).toBeVisible()
  await dialog.getByLabel('Title').fill('Lumber')
  await dialog.getByLabel('Description').fill('Straight cedar')
  await expect(dialog.getByLabel('Mark as completed')).not.toBeChecked()
  await dialog.getByRole('button', { name: 'Create Milestone' }).click()
  await expect(page.getByText('Milestone created successfully')).toBeVisible()
  const card = page.getByRole('listitem').filter({ hasText: 'Lumber' })
  await expect(card).toContainText('In Progress')
  await expect(card).toContainText('0 entries')

  await card.getByRole('button', { name: 'Edit milestone Lumber' }).click()
  await dialog.getByLabel('Mark as completed').check()
  await dialog.getByRole('button', { name: 'Update Milestone' }).click()
  await expect(page.getByText('Milestone updated successfully')).toBeVisible()
  await expect(card).toContainText('Completed')
  await expect(page.getByRole('progressbar')).toHaveAttribute('value', '100')

  await card.getByRole('button', { name: 'Delete milestone Lumber' }).click()
  const question = page.getByRole('alertdialog', { name: 'Are you sure you want to delete this milestone?' })
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Milestone deleted successfully')).toBeVisible()
  await expect(page.getByText('No milestones yet')).toBeVisible()
})

test('changes to milestones are optimistic, and are rolled back with a toast', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const projectId = await canoe(me, 'Lumber')
  await page.goto(`/projects/${projectId}`)
  await expect(page.getByRole('link', { name: 'Lumber' })).toBeVisible()
  const failUpdate = await blockRequests(page, '**/milestones/*')
  await page.getByRole('button', { name: 'Edit milestone Lumber' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('Timber')
  await dialog.getByRole('button', { name: 'Update Milestone' }).click()
  await expect(page.getByRole('link', { name: 'Timber' })).toBeVisible()
  failUpdate('abort')
  await expect(page.getByText('Failed to update milestone')).toBeVisible()
  await expect(dialog.getByLabel('Title')).toHaveValue('Timber')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('link', { name: 'Lumber' })).toBeVisible()

  const failRemoval = await blockRequests(page, '**/milestones/*')
  await page.getByRole('button', { name: 'Delete milestone Lumber' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByRole('link', { name: 'Lumber' })).toBeHidden()
  failRemoval({ status: 500, json: {} })
  await expect(page.getByText('Failed to delete milestone')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Lumber' })).toBeVisible()
})

test('closing the page while a milestone is being created asks for confirmation, and its response does not navigate back', {
  tag: '@long',
}, async ({ page, me }) => {
  await page.goto(`/projects/${await canoe(me, 'Lumber')}`)
  const create = await blockRequests(page, '**/milestones', 'POST')
  await page.getByRole('button', { name: 'Add Milestone' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('Hull')
  await dialog.getByLabel('Description').fill('Strip by strip')
  await dialog.getByRole('button', { name: 'Create Milestone' }).click()
  await expect(page.getByText('Saving...')).toBeVisible()

  const asked = page.waitForEvent('dialog')
  await page.evaluate(() => setTimeout(() => window.location.reload()))
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()

  await page.getByRole('link', { name: 'Lumber' }).click()
  await expect(page.getByText('About Lumber')).toBeVisible()
  create()
  await expect(page.getByText('Milestone created successfully')).toBeVisible()
  await page.goBack()
  await expect(page.getByText('Select a milestone from the timeline to view its entries')).toBeVisible()
})

test('the selected milestone is in the URL, and Back returns to the previous one', {
  tag: '@long',
}, async ({ page, me }) => {
  await page.goto(`/projects/${await canoe(me, 'Lumber', 'Hull')}`)
  const hint = page.getByText('Select a milestone from the timeline to view its entries')
  await expect(hint).toBeVisible()
  await page.getByRole('link', { name: 'Lumber' }).click()
  await expect(page.getByText('Currently viewing this milestone')).toBeVisible()
  await expect(page.getByRole('heading', { level: 2, name: 'Lumber' })).toBeVisible()
  await page.getByRole('link', { name: 'Hull' }).click()
  await expect(page.getByText('About Hull')).toBeVisible()
  await page.reload()
  await expect(page.getByText('About Hull')).toBeVisible()
  await page.goBack()
  await expect(page.getByText('About Lumber')).toBeVisible()
  await page.goBack()
  await expect(hint).toBeVisible()
})

test('the spinner stays for three seconds after loading and hides nothing', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const path = `/projects/${await canoe(me, 'Lumber')}`
  await stopTime(page)
  await page.goto(path)
  const spinner = page.getByRole('main').getByRole('status').getByText('Loading')
  // Loading uses short timers, too. On any machine, at most 300 × 5 ms of the page's time pass here.
  const isLoaded = async () => {
    await page.clock.runFor(5)
    return page.getByRole('link', { name: 'Lumber' }).isVisible()
  }
  await expect.poll(isLoaded, { intervals: [200], timeout: 60_000 }).toBe(true)
  await page.clock.runFor(1400)
  await expect(spinner).toBeAttached()
  await page.clock.runFor(1700)
  await expect(spinner).not.toBeAttached()
})

test('missing and private projects, and those with revoked access, show their own error messages', async ({
  page,
  me,
  owner,
}) => {
  const projectId = await canoe(me)
  await page.goto(`/projects/${await canoe(owner)}`)
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  await page.goto('/projects/0199f1f0-0000-7000-8000-000000000000')
  await expect(page.getByRole('heading', { name: 'Project not found' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to Dashboard' }).click()
  await expect(page).toHaveURL('/dashboard')
  const none = { canView: false, canEdit: false, canManageCollaborators: false, isOwner: false, role: null }
  await page.route('**/permissions', (route) => route.fulfill({ json: none }))
  await page.goto(`/projects/${projectId}`)
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  await expect(page.getByText("You don't have permission to view this project.")).toBeVisible()
  await expect(page.getByRole('link', { name: 'Back to Dashboard' })).toBeVisible()
})

test('viewers see no edit buttons', async ({ page, me }) => {
  const projectId = await canoe(me, 'Lumber')
  const viewer = { canView: true, canEdit: false, canManageCollaborators: false, isOwner: false }
  await page.route('**/permissions', (route) => route.fulfill({ json: { ...viewer, role: 'viewer' } }))
  await page.goto(`/projects/${await canoe(me)}`)
  await expect(page.getByText('No milestones yet')).toBeVisible()
  await expect(page.getByText('Create your first milestone')).toHaveCount(0)
  await page.goto(`/projects/${projectId}`)
  await expect(page.getByText('Collaborator (viewer)')).toBeVisible()
  await page.getByRole('link', { name: 'Lumber' }).click()
  await expect(page.getByText('Currently viewing this milestone')).toBeVisible()
  await expect(page.getByRole('button', { name: /^(Add|Edit|Delete)/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Share' }).click()
  await expect(page.getByRole('dialog').getByText('must be public for others to view it')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Make it public' })).toBeHidden()
})

test.describe('on a phone', () => {
  test.use({ viewport: sizes.phone, hasTouch: true, isMobile: true })

  test('the trail stays in view above the entries, and leads to the timeline', { tag: '@long' }, async ({
    page,
    me,
  }) => {
    const titles = Array.from({ length: 20 }, (_, index) => `Stage ${index + 1}`)
    const projectId = await canoe(me, ...titles)
    const [first] = await me.call('listMilestones', { params: { projectId } })
    const params = { milestoneId: first?._id ?? '' }
    for (const title of ['Cedar', 'Glue', 'Clamps', 'Tape', 'Bevels', 'Staples'])
      await me.call('createEntry', { params, body: { title, content: 'It held.', tags: [] } })
    await page.goto(`/projects/${projectId}`)
    const trail = page.getByRole('list', { name: 'Milestones' })
    await expect(page.getByText('Select a milestone from the timeline to view its entries')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'All entries', level: 2 })).toBeVisible()
    await page.getByRole('article').last().scrollIntoViewIfNeeded()
    await expect(trail.getByRole('link', { name: /^Stage 1 In Progress/ })).toBeInViewport()

    const link = trail.getByRole('link', { name: 'Stage 17' })
    await link.scrollIntoViewIfNeeded()
    await link.tap()
    await expect(page.getByRole('heading', { level: 2, name: 'Stage 17' })).toBeInViewport()
    await expect(page.getByText('Currently viewing this milestone')).toBeInViewport()
    await expect(link).toHaveAttribute('aria-current', 'true')
    await expect(link).toBeInViewport()

    await trail.getByRole('link', { name: 'Timeline' }).tap()
    await expect(page.getByRole('button', { name: 'Edit milestone Stage 17' })).toBeVisible()
    await page.getByRole('link', { name: 'Back to the entries' }).tap()
    await expect(page.getByRole('heading', { name: 'All entries', level: 2 })).toBeVisible()
  })

  test('the message of a new milestone is not above the button of its first entry', { tag: '@long' }, async ({
    page,
    me,
  }) => {
    await page.goto(`/projects/${await canoe(me, 'Lumber', 'Strips')}`)
    await page.getByRole('button', { name: 'Add Milestone' }).tap()
    await page.getByRole('dialog').getByLabel('Title').fill('Hull')
    await page.getByRole('dialog').getByLabel('Description').fill('Strip by strip')
    await page.getByRole('button', { name: 'Create Milestone' }).tap()
    const write = page.getByRole('button', { name: 'Add your first entry' })
    await expect(write).toBeFocused()
    const message = page.getByRole('listitem').filter({ hasText: 'Milestone created successfully' })
    await expect(message).toBeVisible()
    const button = await write.boundingBox()
    const toast = await message.boundingBox()
    expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(toast?.y ?? 0)
  })
})
