import type { Page, Request } from '@playwright/test'
import type { Account } from '#testing/account.ts'
import { expectContent, replaceContent } from './fixtures/editor.ts'
import { blockRequests, expect, expectFollowers, isStream, openListening, test } from './fixtures/journey.ts'

async function project(owner: Account) {
  const body = { title: 'Canoe', description: 'Strip by strip', isPublic: false }
  const { _id: projectId } = await owner.call('createProject', { body })
  return { projectId }
}

async function join(owner: Account, they: Account, params: { projectId: string }) {
  const invited = await owner.call('inviteCollaborator', {
    params,
    body: { email: they.email, role: 'editor' },
  })
  await they.call('acceptInvitation', { params: { inviteToken: invited.inviteToken ?? '' } })
  return invited._id
}

const lumber = { title: 'Lumber', description: 'Straight cedar' }
const boards = { title: 'First boards', content: 'They smell of summer.' }

test('an entry by one member appears on another member’s open page, and input there is kept', {
  tag: '@long',
}, async ({ page, me, colleague }) => {
  const they = await colleague('Grace')
  const params = await project(me)
  await join(me, they, params)
  await openListening(page, `/projects/${params.projectId}`)
  await expect(page.getByText('No milestones yet')).toBeVisible()
  const { _id: milestoneId } = await they.call('createMilestone', { params, body: lumber })
  const card = page.getByRole('link', { name: 'Lumber' })
  await expect(card).toBeVisible()
  await card.click()
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  const content = page.getByLabel('Content')
  await content.fill('Half a thought')
  await they.call('createEntry', { params: { milestoneId }, body: boards })
  await expect(page.getByText('First boards')).toBeAttached()
  await expectContent(content, 'Half a thought')
  await expect(content).toBeFocused()
})

test('a press opens the composer although another button takes the place of the pressed one', {
  tag: '@long',
}, async ({ page, me, colleague }) => {
  const they = await colleague('Grace')
  const params = await project(me)
  await join(me, they, params)
  const { _id: milestoneId } = await me.call('createMilestone', { params, body: lumber })
  await openListening(page, `/projects/${params.projectId}?selected=${milestoneId}`)
  await page.getByRole('button', { name: 'Add your first entry' }).hover()
  const requested = page.waitForRequest(/\/entries\?/)
  const send = await blockRequests(page, '**/entries?*')
  await they.call('createEntry', { params: { milestoneId }, body: boards })
  await requested
  const answered = page.waitForResponse(/\/entries\?/)
  await page.mouse.down()
  send()
  await (await answered).finished()
  await page.mouse.up()
  await expect(page.getByRole('dialog', { name: 'Add Entry' })).toBeVisible()
  await expect(page.getByText('First boards')).toBeAttached()
})

test('a writer is told at once who may no longer save, and keeps the text', { tag: '@long' }, async ({
  page,
  me,
  colleague,
}) => {
  const owner = await colleague('Grace')
  const params = await project(owner)
  await owner.call('createMilestone', { params, body: lumber })
  const collaboratorId = await join(owner, me, params)
  await openListening(page, `/projects/${params.projectId}`)
  await page.getByRole('button', { name: 'Write' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Entry' })
  await dialog.getByLabel('Title').fill('Half a thought')
  const change = { params: { ...params, collaboratorId } }
  await owner.call('updateCollaborator', { ...change, body: { role: 'viewer' } })
  await expect(dialog.getByText('You may now only read Canoe')).toBeVisible()
  await owner.call('updateCollaborator', { ...change, body: { role: 'editor' } })
  await expect(dialog.getByText('You may now only read Canoe')).toHaveCount(0)
  await owner.call('removeCollaborator', change)
  await expect(dialog.getByText('You are no longer a member of Canoe')).toBeVisible()
  await expect(dialog.getByText('Canoe / Lumber')).toBeVisible()
  await dialog.getByRole('button', { name: 'Create Entry' }).click()
  await expect(dialog.getByText('not found')).toHaveCount(0)
  await expect(dialog.getByLabel('Title')).toHaveValue('Half a thought')
})

test('the composer opens in the project on the screen, and says who will see the entry', {
  tag: '@long',
}, async ({ page, me }) => {
  const first = await project(me)
  await me.call('createMilestone', { params: first, body: lumber })
  const body = { title: 'Kayak', description: 'Of skin', isPublic: true }
  const { _id: projectId } = await me.call('createProject', { body })
  const { _id: milestoneId } = await me.call('createMilestone', { params: { projectId }, body: lumber })
  await openListening(page, `/projects/${first.projectId}`)
  await page.getByRole('button', { name: 'Write' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Entry' })
  await dialog.getByLabel('Title').fill('The first')
  await replaceContent(dialog.getByLabel('Content'), 'Cut the planks.')
  const create = dialog.getByRole('button', { name: 'Create Entry' })
  await expect(create).not.toHaveAccessibleDescription(/see it/)
  await create.click()
  await expect(page.getByText('Entry created successfully')).toBeVisible()

  for (const path of [`?selected=${milestoneId}`, '?selected=all', '/activity']) {
    await openListening(page, `/projects/${projectId}${path}`)
    await page.getByRole('button', { name: 'Write' }).click()
    await expect(dialog.getByText('Kayak / Lumber')).toBeVisible()
    await expect(create).toHaveAccessibleDescription('Public: everyone will see it')
  }
  const unlisted = { title: 'Kayak', description: 'Of skin', visibility: 'unlisted' } as const
  await me.call('updateProject', { params: { projectId }, body: unlisted })
  await expect(create).toHaveAccessibleDescription('Unlisted: everyone with the link will see it')
  await dialog.getByLabel('Project', { exact: true }).selectOption(first.projectId)
  await dialog.getByLabel('Milestone', { exact: true }).selectOption({ label: 'Lumber' })
  await expect(create).not.toHaveAccessibleDescription(/see it/)
})

test('content disappears from an open page when access is revoked', { tag: '@long' }, async ({
  page,
  me,
  colleague,
}) => {
  const owner = await colleague('Grace')
  const params = await project(owner)
  await owner.call('createMilestone', { params, body: lumber })
  const collaboratorId = await join(owner, me, params)
  await openListening(page, `/projects/${params.projectId}`)
  await expect(page.getByRole('link', { name: 'Lumber' })).toBeVisible()
  await owner.call('updateCollaborator', { params: { ...params, collaboratorId }, body: { role: 'viewer' } })
  await expect(page.getByText('Collaborator (viewer)')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add Milestone' })).toBeHidden()
  await owner.call('removeCollaborator', { params: { ...params, collaboratorId } })
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  await expect(page.getByText("You don't have permission to view this project.")).toBeVisible()
  await expect(page.getByText('Lumber')).toBeHidden()
  await expect(page.getByText('Failed to')).toBeHidden()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
})

test('an editor who becomes a viewer keeps the unsaved changes to an entry', {
  tag: '@long',
}, async ({ page, me, colleague }) => {
  const owner = await colleague('Grace')
  const params = await project(owner)
  const { _id: milestoneId } = await owner.call('createMilestone', { params, body: lumber })
  const { _id: entryId } = await owner.call('createEntry', { params: { milestoneId }, body: boards })
  const collaboratorId = await join(owner, me, params)
  await openListening(page, `/projects/${params.projectId}?edit=${entryId}&milestone=${milestoneId}`)
  const title = page.getByRole('dialog').getByLabel('Title')
  await title.fill('Second boards')
  await owner.call('updateCollaborator', { params: { ...params, collaboratorId }, body: { role: 'viewer' } })
  await expect(page.getByText('Collaborator (viewer)')).toBeVisible()
  await expect(title).toHaveValue('Second boards')
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByText('Failed to update entry')).toBeVisible()
  await expect(title).toHaveValue('Second boards')
})

test('a project that is deleted in another tab is shown as not found in this one', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const params = await project(me)
  await me.call('createMilestone', { params, body: lumber })
  await openListening(page, `/projects/${params.projectId}`)
  await expect(page.getByRole('link', { name: 'Lumber' })).toBeVisible()
  await me.call('deleteProject', { params })
  await expect(page.getByRole('heading', { name: 'Project not found' })).toBeVisible()
  await expect(page.getByText('Lumber')).toBeHidden()
  await expect(page.getByText('Failed to')).toBeHidden()
})

test('the tabs of a browser share one event stream, which another tab takes over when its owner is closed', {
  tag: '@long',
}, async ({ page, me, context }) => {
  const params = await project(me)
  const streams: Page[] = []
  context.on('request', (request) => {
    if (request.url().endsWith('/api/events')) streams.push(request.frame().page())
  })
  const path = `/projects/${params.projectId}`
  await openListening(page, path)
  const other = await context.newPage()
  await other.goto(path)
  await expect(other.getByText('No milestones yet')).toBeVisible()
  await expectFollowers(other, 2)
  await me.call('createMilestone', { params, body: lumber })
  for (const tab of [page, other]) await expect(tab.getByRole('link', { name: 'Lumber' })).toBeVisible()
  expect(streams).toEqual([page])

  const takenOver = other.waitForResponse(isStream)
  await page.close()
  await takenOver
  await me.call('createMilestone', { params, body: { ...lumber, title: 'Glue' } })
  await expect(other.getByRole('link', { name: 'Glue' })).toBeVisible()
  expect(streams).toEqual([page, other])
})

test('a page that was disconnected catches up on missed events', { tag: '@long' }, async ({
  page,
  me,
  context,
  colleague,
}) => {
  const they = await colleague('Grace')
  const params = await project(me)
  await join(me, they, params)
  await openListening(page, `/projects/${params.projectId}`)
  await expect(page.getByText('No milestones yet')).toBeVisible()
  await context.setOffline(true)
  await they.call('createMilestone', { params, body: lumber })
  const again = page.waitForResponse(isStream)
  await context.setOffline(false)
  await again
  await expect(page.getByRole('link', { name: 'Lumber' })).toBeVisible()
})

test('visitors open no event stream, and signing out closes it', { tag: '@long' }, async ({
  page,
  me,
  context,
}) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await openListening(page, '/dashboard')
  await expect(page.getByRole('heading', { name: me.name })).toBeVisible()
  const isOfStream = (request: Request) => request.url().endsWith('/api/events')
  const ended = Promise.race([
    page.waitForEvent('requestfailed', isOfStream),
    page.waitForEvent('requestfinished', isOfStream),
  ])
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await ended
  await expect(page.getByRole('heading', { name: me.name })).toHaveCount(0)
  await expect(page).toHaveURL('/')
  await page.waitForLoadState()
  await context.clearCookies()
  asked.splice(0)
  await page.goto('/markdown-guide')
  await expect(page.getByRole('heading', { name: 'Text Formatting Guide' })).toBeVisible()
  expect(asked.filter((url) => /\/signed-in-|\/api\/events/.test(url))).toEqual([])
})
