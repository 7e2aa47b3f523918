import { createJournal } from '#testing/journal.ts'
import { blockRequests, expect, loseResponses, openApp, test, withoutEvents } from './fixtures/journey.ts'

test('projects and milestones are created and changed once, even with edits after a response was lost', {
  tag: '@long',
}, async ({ page, me }) => {
  await openApp(page, '/dashboard')
  await page.getByRole('button', { name: 'New Project' }).click()
  const dialog = page.getByRole('dialog')
  const stays = dialog.getByText('What you typed is still here.')

  async function typeOn(label: string, verb: string, method: string, path: RegExp) {
    const reconnect = await loseResponses(page, method, path)
    await dialog.getByRole('button', { name: verb }).click()
    await expect(stays).toBeVisible()
    await dialog.getByLabel(label).fill(`${await dialog.getByLabel(label).inputValue()}, and more`)
    await reconnect()
    const button = dialog.getByRole('button', { name: verb })
    await button.click()
    await expect(button).toHaveCount(0)
  }

  await dialog.getByLabel('Project Title').fill('Canoe')
  await dialog.getByLabel('Description').fill('Strips')
  await typeOn('Description', 'Create Project', 'POST', /\/api\/projects$/)
  const projects = () => me.call('listProjects', {})
  await expect.poll(projects).toMatchObject([{ title: 'Canoe', description: 'Strips, and more' }])
  const [project] = await projects()
  const params = { projectId: project?._id ?? '' }

  await openApp(page, `/projects/${params.projectId}`)
  await page.getByRole('button', { name: 'Add Milestone' }).click()
  await page.getByLabel('Title').fill('Hull')
  await page.getByLabel('Description').fill('Cedar')
  await typeOn('Description', 'Create Milestone', 'POST', /\/milestones$/)
  await expect
    .poll(() => me.call('listMilestones', { params }))
    .toMatchObject([{ description: 'Cedar, and more' }])

  await openApp(page, `/projects/${params.projectId}`)
  await page.getByRole('button', { name: 'Edit milestone Hull' }).click()
  await page.getByLabel('Description').fill('Oak')
  await typeOn('Description', 'Update Milestone', 'PUT', /\/milestones\/[^/]+$/)
  await expect
    .poll(() => me.call('listMilestones', { params }))
    .toMatchObject([{ description: 'Oak, and more' }])

  await openApp(page, '/dashboard')
  await page.getByRole('button', { name: 'Edit project Canoe' }).click()
  await dialog.getByLabel('Description').fill('Fir')
  await typeOn('Description', 'Update Project', 'PUT', /\/api\/projects\/[^/]+$/)
  await expect.poll(() => me.call('listProjects', {})).toMatchObject([{ description: 'Fir, and more' }])
})

test('the restored draft of a project and of a milestone is saved once after a reload', {
  tag: '@long',
}, async ({ page, me }) => {
  const dialog = page.getByRole('dialog')
  // Chromium may ask whether to leave the page.
  page.on('dialog', (question) => void question.accept())

  async function loseAndReload(verb: string, method: string, path: RegExp) {
    const reconnect = await loseResponses(page, method, path)
    await dialog.getByRole('button', { name: verb }).click()
    await expect(dialog.getByText('What you typed is still here.')).toBeVisible()
    await page.reload()
    await reconnect()
  }

  async function saveAgain(verb: string) {
    await expect(dialog.getByText('What you typed and did not save is back.')).toBeVisible()
    await dialog.getByLabel('Description').fill('Fir')
    await dialog.getByRole('button', { name: verb }).click()
    await expect(dialog).toHaveCount(0)
  }

  await openApp(page, '/dashboard')
  await page.getByRole('button', { name: 'New Project' }).click()
  await dialog.getByLabel('Project Title').fill('Canoe')
  await dialog.getByLabel('Description').fill('Strips')
  await loseAndReload('Create Project', 'POST', /\/api\/projects$/)
  await page.getByRole('button', { name: 'New Project' }).click()
  await saveAgain('Create Project')
  await expect.poll(() => me.call('listProjects', {})).toMatchObject([{ title: 'Canoe', description: 'Fir' }])
  const [project] = await me.call('listProjects', {})
  const params = { projectId: project?._id ?? '' }

  await openApp(page, '/dashboard')
  await page.getByRole('button', { name: 'Edit project Canoe' }).click()
  await dialog.getByLabel('Description').fill('Oak')
  await loseAndReload('Update Project', 'PUT', /\/api\/projects\/[^/]+$/)
  await page.getByRole('button', { name: 'Edit project Canoe' }).click()
  await saveAgain('Update Project')
  await expect.poll(() => me.call('listProjects', {})).toMatchObject([{ description: 'Fir' }])

  await openApp(page, `/projects/${params.projectId}`)
  await page.getByRole('button', { name: 'Add Milestone' }).click()
  await dialog.getByLabel('Title').fill('Hull')
  await dialog.getByLabel('Description').fill('Cedar')
  await loseAndReload('Create Milestone', 'POST', /\/milestones$/)
  await page.getByRole('button', { name: 'Add Milestone' }).click()
  await saveAgain('Create Milestone')
  await expect
    .poll(() => me.call('listMilestones', { params }))
    .toMatchObject([{ title: 'Hull', description: 'Fir' }])
})

test('changes by somebody else after the response to an update was lost are shown, and not replaced', {
  tag: '@long',
}, async ({ page, me }) => {
  await withoutEvents(page)
  const { projectId, projectPath, milestoneId } = await createJournal(me)
  const dialog = page.getByRole('dialog')
  await openApp(page, projectPath)
  await page.getByRole('button', { name: 'Edit milestone The first loaf' }).click()
  await dialog.getByLabel('Description').fill('Cedar')
  const reconnect = await loseResponses(page, 'PUT', /\/milestones\/[^/]+$/)
  await dialog.getByRole('button', { name: 'Update Milestone' }).click()
  await expect(dialog.getByText('What you typed is still here.')).toBeVisible()
  await me.call('updateMilestone', { params: { projectId, milestoneId }, body: { description: 'Oak' } })
  await dialog.getByLabel('Description').fill('Cedar, and more')
  await reconnect()
  await dialog.getByRole('button', { name: 'Update Milestone' }).click()
  await expect(dialog.getByText('This was changed elsewhere while you were typing.')).toBeVisible()
  await expect(dialog.getByText('Oak', { exact: true })).toBeVisible()
  await expect(dialog.getByLabel('Description')).toHaveValue('Cedar, and more')
  const milestones = () => me.call('listMilestones', { params: { projectId } })
  expect(await milestones()).toMatchObject([{ description: 'Oak' }])
  await dialog.getByRole('button', { name: 'Update Milestone' }).click()
  await expect.poll(milestones).toMatchObject([{ description: 'Cedar, and more' }])
})

test('completing a milestone whose response was lost does not conflict with a form that was opened in the meantime', {
  tag: '@long',
}, async ({ page, me }) => {
  const { projectId, projectPath } = await createJournal(me)
  await openApp(page, projectPath)
  let isLost = false
  await page.route(/\/milestones\/[^/]+$/, async (route) => {
    if (isLost || route.request().method() !== 'PUT') return route.fallback()
    isLost = true
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('checkbox', { name: 'Complete The first loaf' }).click({ force: true })
  await page.getByRole('button', { name: 'Edit milestone The first loaf' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Description').fill('Rye')
  await expect(page.getByText('Milestone updated successfully')).toBeVisible()
  await dialog.getByRole('button', { name: 'Update Milestone' }).click()
  await expect
    .poll(() => me.call('listMilestones', { params: { projectId } }))
    .toMatchObject([{ description: 'Rye', completed: true }])
  await expect(dialog).toHaveCount(0)
})

test('a change that waits for the connection as its page is closed is made by the next page', {
  tag: '@long',
}, async ({ page, me }) => {
  const { projectId, projectPath } = await createJournal(me)
  await openApp(page, projectPath)
  const isMilestone = /\/milestones\/[^/]+$/
  await page
    .context()
    .route(isMilestone, (route) => (route.request().method() === 'PUT' ? route.abort() : route.fallback()))
  await page.getByRole('checkbox', { name: 'Complete The first loaf' }).click({ force: true })
  await expect(page.getByText('Not saved yet: waiting for the connection…')).toBeVisible()
  const later = await page.context().newPage()
  await page.close()
  await later.context().unroute(isMilestone)
  await openApp(later, '/dashboard')
  await expect(later.getByText('Milestone updated successfully')).toBeVisible()
  const milestones = await me.call('listMilestones', { params: { projectId } })
  expect(milestones).toMatchObject([{ completed: true, version: 2 }])
})

test('what waits for the connection is shown in its list by the next page, too, with the reason', {
  tag: '@long',
}, async ({ page, me }) => {
  const { projectId, projectPath } = await createJournal(me)
  await openApp(page, projectPath)
  const isMilestone = /\/milestones(\/[^/]+)?$/
  await page
    .context()
    .route(isMilestone, (route) => (route.request().method() === 'GET' ? route.fallback() : route.abort()))
  await page.getByRole('checkbox', { name: 'Complete The first loaf' }).click({ force: true })
  await page.getByRole('button', { name: 'Add Milestone' }).click()
  await page.getByRole('dialog').getByLabel('Title').fill('The oven')
  await page.getByRole('dialog').getByLabel('Description').fill('Forty bricks')
  await page.getByRole('dialog').getByRole('button', { name: 'Create Milestone' }).click()
  const later = await page.context().newPage()
  await page.close()

  await openApp(later, projectPath)
  const items = later.getByRole('list', { name: 'Milestones' }).getByRole('listitem')
  await expect(items).toHaveCount(2)
  await expect(items.nth(0)).toContainText('Completed')
  await expect(items.nth(1)).toContainText('The oven')
  await expect(items.getByText('Waiting for the connection')).toHaveCount(2)
  await later.context().unroute(isMilestone)
  await later.evaluate(() => dispatchEvent(new Event('online')))
  await expect(later.getByRole('link', { name: 'The oven' })).toBeVisible()
  await expect(later.getByText('Waiting for the connection')).toHaveCount(0)
  const milestones = await me.call('listMilestones', { params: { projectId } })
  expect(milestones).toMatchObject([{ completed: true, version: 2 }, { title: 'The oven' }])
})

test('a project is published regardless of changes elsewhere', { tag: '@long' }, async ({ page, me }) => {
  await withoutEvents(page)
  const { projectId, projectPath } = await createJournal(me)
  await openApp(page, projectPath)
  await page.getByRole('button', { name: 'Share' }).click()
  await me.call('updateProject', { params: { projectId }, body: { title: 'A mill' } })
  await page.getByRole('button', { name: 'Make it public' }).click()
  await expect(page.getByText('Project updated successfully')).toBeVisible()
  expect(await me.call('listProjects', {})).toMatchObject([{ title: 'A mill', isPublic: true }])
})

test('a milestone that is edited again before its first change fails was not changed elsewhere', {
  tag: '@long',
}, async ({ page, me }) => {
  const { projectId, projectPath } = await createJournal(me)
  await openApp(page, projectPath)
  const edit = page.getByRole('button', { name: 'Edit milestone The first loaf' })
  const dialogs = page.getByRole('dialog', { name: 'Edit Milestone' })
  const fail = await blockRequests(page, '**/milestones/*', 'PUT')
  await edit.click()
  await dialogs.getByLabel('Description').fill('Rye.')
  await dialogs.getByRole('button', { name: 'Update Milestone' }).click()
  await expect(dialogs).toHaveCount(0)
  await edit.click()
  await dialogs.getByLabel('Title').fill('The second loaf')
  fail({ status: 500, json: { code: 'internal', message: 'Something went wrong' } })
  await expect(dialogs).toHaveCount(2)
  await page.unroute('**/milestones/*')
  await dialogs.last().getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Leave' }).click()
  await dialogs.getByRole('button', { name: 'Update Milestone' }).click()
  await expect(page.getByText('Milestone updated successfully')).toBeVisible()
  await expect(dialogs).toHaveCount(0)
  const [saved] = await me.call('listMilestones', { params: { projectId } })
  expect(saved).toMatchObject({ title: 'The second loaf', description: 'Rye.' })
})
