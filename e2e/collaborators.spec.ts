import type { Page } from '@playwright/test'
import { NAME_MAX } from '#contract/identity.ts'
import { addCollaborator, createProject, invite } from '#testing/journal.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import {
  blockInTurn,
  blockRequests,
  expect,
  expectNoSidewaysScroll,
  pressTwice,
  sizes,
  stopTime,
  test,
  withoutEvents,
} from './fixtures/journey.ts'

const removing = 'Are you sure you want to remove this collaborator?'

async function openCollaborators(page: Page, projectId: string) {
  await page.goto(`/projects/${projectId}`)
  await page.getByRole('button', { name: 'Collaborators' }).click()
  return page.getByRole('dialog', { name: 'Manage Collaborators' })
}

test('a collaborator is invited, and the invitation link is copied', async ({ page, me, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const projectId = await createProject(me)
  const dialog = await openCollaborators(page, projectId)
  await expect(dialog.getByText('No collaborators yet.')).toBeVisible()
  await expect(dialog.getByText('This server sends no email.')).toBeVisible()
  const send = dialog.getByRole('button', { name: 'Send Invitation' })
  await expect(send).toBeDisabled()
  const email = dialog.getByLabel('Email')
  await expect(email).toHaveAttribute('type', 'email')
  await expect(dialog.getByLabel('Role', { exact: true })).toHaveValue('viewer')
  await expect(dialog.getByLabel('Role', { exact: true }).getByRole('option')).toHaveText([
    'Viewer',
    'Editor',
    'Admin',
  ])
  await email.fill('nobody')
  await send.click()
  await expect(dialog.getByText('Invalid email address')).toBeVisible()
  await email.fill('guest@example.com')
  await dialog.getByLabel('Role', { exact: true }).selectOption('editor')
  await send.click()
  await expect(page.getByText('Invitation sent to guest@example.com')).toBeVisible()
  await expect(email).toHaveValue('')
  await expect(email).toBeFocused()

  const row = dialog.getByRole('listitem').filter({ hasText: 'guest@example.com' })
  await expect(row.getByText('Pending')).toBeVisible()
  await expect(row.getByText(`Invited by ${me.name}`)).toBeVisible()
  await expect(row.getByText(/^Expires .*\d/)).toBeVisible()
  await expect(row.getByLabel('Role of guest@example.com')).toHaveValue('editor')
  await stopTime(page)
  await row.getByRole('button', { name: 'Copy link' }).click()
  await expect(row.getByRole('button', { name: 'Copied!' })).toBeVisible()
  await page.clock.runFor(1900)
  await expect(row.getByRole('button', { name: 'Copied!' })).toBeVisible()
  await page.clock.runFor(200)
  await expect(row.getByRole('button', { name: 'Copy link' })).toBeVisible()
  const [invited] = await me.call('listCollaborators', { params: { projectId } })
  const link = `${new URL(page.url()).origin}/invite/${invited?.inviteToken}`
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toBe(link)
  await page.evaluate(() => navigator.clipboard.writeText(''))
  const toPassOn = dialog.getByRole('region', { name: 'Invitation link' })
  await expect(toPassOn.getByText(link)).toBeVisible()
  await toPassOn.getByRole('button', { name: 'Copy invitation link' }).click()
  await expect.poll(copied).toBe(link)
})

test('pressing twice invites and removes a collaborator once', { tag: '@long' }, async ({ page, me }) => {
  const projectId = await createProject(me)
  const dialog = await openCollaborators(page, projectId)
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' && request.url().includes('/collaborators')) sent.push(request.method())
  })
  await dialog.getByLabel('Email').fill('guest@example.com')
  await pressTwice(dialog.getByRole('button', { name: 'Send Invitation' }))
  await expect(page.getByText('Invitation sent to guest@example.com')).toBeVisible()
  await dialog.getByRole('button', { name: 'Remove guest@example.com' }).click()
  await pressTwice(dialog.getByRole('button', { name: 'Remove', exact: true }))
  await expect(page.getByText('Collaborator removed')).toBeVisible()
  expect(sent).toEqual(['POST', 'DELETE'])
})

test('on a phone, the toast about an invitation covers neither the title nor the field of the dialog', {
  tag: '@long',
}, async ({ page, me }) => {
  await page.setViewportSize(sizes.phone)
  const dialog = await openCollaborators(page, await createProject(me))
  const email = dialog.getByLabel('Email')
  await email.fill('guest@example.com')
  await page.keyboard.press('Enter')
  const said = page.getByRole('listitem').filter({ hasText: 'Invitation sent to guest@example.com' })
  await expect(said).toBeInViewport({ ratio: 1 })
  const [toast, field] = await Promise.all([said.boundingBox(), email.boundingBox()])
  expect(toast?.y).toBeGreaterThan((field?.y ?? 0) + (field?.height ?? 0))
})

test('without email, the dialog says which account receives the invitation, or that the link has to be passed on', {
  tag: '@long',
}, async ({ page, me, colleague }) => {
  const grace = await colleague('Grace Hopper')
  const dialog = await openCollaborators(page, await createProject(me))
  const email = dialog.getByLabel('Email')
  await email.fill(grace.email)
  await page.keyboard.press('Enter')
  await expect(
    dialog.getByText(`Grace Hopper has an account with the address ${grace.email} here`),
  ).toBeVisible()
  await email.fill('guest@example.com')
  await page.keyboard.press('Enter')
  await expect(
    dialog.getByText('Nobody with the address guest@example.com has an account here yet.'),
  ).toBeVisible()
  await expect(dialog.getByText('has an account with the address')).toBeHidden()
  await expectAccessible(page)
  // The link of a withdrawn invitation is invalid.
  await dialog.getByRole('button', { name: 'Remove guest@example.com' }).click()
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(dialog.getByRole('region', { name: 'Invitation link' })).toHaveCount(0)
})

test('the invitation link is shown even if the server reports only later that it sends no email', {
  tag: '@long',
}, async ({ page, me }) => {
  const release = await blockRequests(page, '**/api/collaborators/options')
  const dialog = await openCollaborators(page, await createProject(me))
  await dialog.getByLabel('Email').fill('guest@example.com')
  await dialog.getByLabel('Email').press('Enter')
  await expect(page.getByText('Invitation sent to guest@example.com')).toBeVisible()
  release()
  await expect(dialog.getByText('Pass this link on to guest@example.com')).toBeVisible()
})

test('a pasted list of addresses invites each, and those that are refused stay', { tag: '@long' }, async ({
  page,
  me,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const dialog = await openCollaborators(page, await createProject(me))
  const email = dialog.getByLabel('Email')
  const list = `Bob <bob@example.com>, ${me.email}\ncarol@example.com`
  await page.evaluate((text) => navigator.clipboard.writeText(text), list)
  await email.focus()
  await page.keyboard.press('ControlOrMeta+v')
  await expect(dialog.getByText('3 addresses: each is sent an invitation of its own.')).toBeVisible()
  await dialog.getByLabel('Role', { exact: true }).selectOption('editor')
  await dialog.getByRole('button', { name: 'Send Invitation' }).click()
  await expect(page.getByText('You cannot invite yourself')).toBeVisible()
  await expect(dialog.getByLabel('Role of bob@example.com')).toHaveValue('editor')
  await expect(dialog.getByLabel('Role of carol@example.com')).toHaveValue('editor')
  await expect(email).toHaveValue(me.email)
  await expect(email).toBeFocused()
})

test('a refused invitation shows the reason and keeps the input', { tag: '@long' }, async ({ page, me }) => {
  const dialog = await openCollaborators(page, await createProject(me))
  await dialog.getByLabel('Email').fill(me.email)
  await dialog.getByLabel('Role', { exact: true }).selectOption('admin')
  await page.keyboard.press('Enter')
  await expect(page.getByText('You cannot invite yourself')).toBeVisible()
  await expect(dialog.getByLabel('Email')).toHaveValue(me.email)
  await expect(dialog.getByLabel('Role', { exact: true })).toHaveValue('admin')
  await page.route('**/collaborators', (route) => route.abort())
  await dialog.getByRole('button', { name: 'Send Invitation' }).click()
  await expect(page.getByText('Failed to send invitation')).toBeVisible()
})

test('whoever removes an admin reads that private links stay open', { tag: '@long' }, async ({
  page,
  me,
  colleague,
}) => {
  const projectId = await createProject(me)
  const [grace, alan] = [await colleague('Grace Hopper'), await colleague('Alan Turing')]
  await addCollaborator(me, projectId, grace, 'admin')
  await addCollaborator(me, projectId, alan, 'editor')
  await me.call('createShareLink', { params: { projectId }, body: { name: 'Grandma' } })
  const dialog = await openCollaborators(page, projectId)
  await dialog.getByRole('button', { name: 'Remove Grace Hopper' }).click()
  await expect(dialog.getByRole('alertdialog')).toHaveAccessibleDescription(/A private link .* stays open/)
  await expectAccessible(page)
  await dialog.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByRole('button', { name: 'Remove Alan Turing' }).click()
  await expect(dialog.getByRole('alertdialog')).toHaveAccessibleDescription('')
})

test('roles are changed, and collaborators removed after a confirmation in their row', async ({
  page,
  me,
  colleague,
}) => {
  const projectId = await createProject(me)
  const grace = await colleague('Grace Hopper')
  await addCollaborator(me, projectId, grace, 'editor')
  const dialog = await openCollaborators(page, projectId)
  const row = dialog.getByRole('listitem').filter({ hasText: 'Grace Hopper' })
  await expect(row.getByText(grace.email)).toBeVisible()
  await row.getByLabel('Role of Grace Hopper').selectOption('viewer')
  await expect(page.getByText('Collaborator role updated')).toBeVisible()
  const permissions = await grace.call('readPermissions', { params: { projectId } })
  expect(permissions).toMatchObject({ role: 'viewer', canEdit: false })

  const remove = row.getByRole('button', { name: 'Remove Grace Hopper' })
  await remove.click()
  const question = row.getByRole('alertdialog', { name: removing })
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(remove).toBeFocused()
  await expect(dialog).toBeVisible()
  await remove.click()
  await question.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Collaborator removed')).toBeVisible()
  await expect(dialog.getByText('No collaborators yet.')).toBeVisible()
  expect(await grace.call('readPermissions', { params: { projectId } })).toMatchObject({ canView: false })
})

test('failed changes to collaborators are rolled back with a toast, and further changes wait their turn', {
  tag: '@long',
}, async ({ page, me }) => {
  const projectId = await createProject(me)
  await invite(me, projectId, { email: 'guest@example.com' }, 'viewer')
  const dialog = await openCollaborators(page, projectId)
  const role = dialog.getByLabel('Role of guest@example.com')
  await expect(role).toHaveValue('viewer')
  await page.route('**/collaborators/*', (route) => route.fulfill({ status: 500, json: {} }))
  await role.selectOption('admin')
  await expect(page.getByText('Failed to update role')).toBeVisible()
  await expect(role).toHaveValue('viewer')
  const failRemoval = await blockRequests(page, '**/collaborators/*')
  await dialog.getByRole('button', { name: 'Remove guest@example.com' }).click()
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(role).toBeHidden()
  failRemoval({ status: 500, json: {} })
  const failed = page.getByRole('listitem').filter({ hasText: 'Failed to remove collaborator' })
  await failed.getByRole('button', { name: 'Dismiss' }).click()
  await expect(failed).toHaveCount(0)
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
  await expect(role).toBeVisible()

  await page.unroute('**/collaborators/*')
  const release = await blockRequests(page, '**/collaborators/*', 'PUT')
  await role.selectOption('admin')
  await dialog.getByRole('button', { name: 'Remove guest@example.com' }).click()
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(role).toBeHidden()
  release()
  await expect(page.getByText('Collaborator role updated')).toBeVisible()
  await expect(page.getByText('Collaborator removed')).toBeVisible()
})

test('a role that is chosen while another is being saved stays chosen', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const projectId = await createProject(me)
  await invite(me, projectId, { email: 'guest@example.com' }, 'viewer')
  const dialog = await openCollaborators(page, projectId)
  const role = dialog.getByLabel('Role of guest@example.com')
  const releaseNext = await blockInTurn(page, '**/collaborators/*', 'PUT')
  const first = page.waitForRequest((request) => request.method() === 'PUT')
  await role.selectOption('editor')
  await first
  // The second request is sent after the first response.
  await role.selectOption('admin')
  releaseNext()
  await expect(page.getByText('Collaborator role updated')).toBeVisible()
  await expect(role).toHaveValue('admin')
  const savedRole = async () => (await me.call('listCollaborators', { params: { projectId } }))[0]?.role
  expect(await savedRole()).toBe('editor')
  releaseNext()
  await expect.poll(savedRole).toBe('admin')
  await expect(role).toHaveValue('admin')
})

test('a person who declined can be invited again', { tag: '@long' }, async ({ page, me, baseURL }) => {
  const projectId = await createProject(me)
  const inviteToken = await invite(me, projectId, { email: 'guest@example.com' }, 'admin')
  await page.request.post(`${baseURL}/api/collaborators/decline/${inviteToken}`)
  const dialog = await openCollaborators(page, projectId)
  const row = dialog.getByRole('listitem').filter({ hasText: 'guest@example.com' })
  await expect(row.getByText('Declined')).toBeVisible()
  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/collaborators')) sent += 1
  })
  await row.getByRole('button', { name: 'Invite again' }).evaluate((button: HTMLButtonElement) => {
    button.click()
    button.click()
  })
  await expect(page.getByText('Invitation sent to guest@example.com')).toBeVisible()
  await expect(row.getByText('Pending')).toBeVisible()
  expect(sent, 'a second press sends nothing').toBe(1)
  await expect(row.getByLabel('Role of guest@example.com')).toHaveValue('admin')
})

test('an invitation that has expired can be sent again', { tag: '@long' }, async ({ page, me }) => {
  const projectId = await createProject(me)
  await invite(me, projectId, { email: 'guest@example.com' })
  const [invited] = await me.call('listCollaborators', { params: { projectId } })
  const { inviteToken: _dead, ...expired } = { ...invited, expiresAt: '2026-01-02T03:04:05.000Z' }
  await page.route('**/collaborators', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: [expired] }) : route.fallback(),
  )
  const dialog = await openCollaborators(page, projectId)
  const row = dialog.getByRole('listitem')
  await expect(row.getByText('Expired', { exact: true })).toBeVisible()
  await expect(row.getByRole('button', { name: 'Copy link' })).toBeHidden()
  await expect(row.getByRole('button', { name: 'Invite again' })).toBeVisible()
})

test('collaborators that cannot be fetched show the empty state, without a toast', { tag: '@long' }, async ({
  page,
  me,
}) => {
  await withoutEvents(page)
  const logged: string[] = []
  page.on('console', (message) => void (message.type() === 'error' && logged.push(message.text())))
  const projectId = await createProject(me)
  await invite(me, projectId, { email: 'guest@example.com' })
  await page.route('**/collaborators', (route) =>
    route.fulfill({ status: 400, json: { code: 'invalid', message: 'No list today' } }),
  )
  const dialog = await openCollaborators(page, projectId)
  await expect(dialog.getByText('No collaborators yet.')).toBeVisible()
  await expect(page.getByText('No list today')).toBeHidden()
  await expect.poll(() => logged.join()).toContain('No list today')
  await page.unroute('**/collaborators')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(dialog.getByText('guest@example.com')).toBeVisible()
})

test('only those who may manage collaborators see the button for it', { tag: '@long' }, async ({
  page,
  me,
  colleague,
}) => {
  const owner = await colleague('Grace Hopper')
  const projectId = await createProject(owner)
  await addCollaborator(owner, projectId, me, 'editor')
  await page.goto(`/projects/${projectId}`)
  await expect(page.getByText('Collaborator (editor)')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add Milestone' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Collaborators' })).toBeHidden()
  await page.getByRole('button', { name: 'More actions' }).click()
  await expect(page.getByRole('link', { name: 'Activity' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Edit Project' })).toBeHidden()

  const [row] = await owner.call('listCollaborators', { params: { projectId } })
  const params = { projectId, collaboratorId: row?._id ?? '' }
  await owner.call('updateCollaborator', { params, body: { role: 'admin' } })
  await page.reload()
  await expect(page.getByText('Collaborator (admin)')).toBeVisible()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Edit Project' }).click()
  const form = page.getByRole('dialog', { name: 'Edit Project' })
  const title = form.getByLabel('Project Title')
  await title.fill('Kayak')
  await expect(title).toHaveValue('Kayak')
  await form.getByRole('button', { name: 'Update Project' }).click()
  await expect(form).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1, name: 'Kayak' })).toBeVisible()
  await expect(page.getByText('Project updated successfully')).toBeVisible()
  await expect(page.getByRole('button', { name: /Delete project/ })).toBeHidden()
})

test('admins who change their own role lose the dialog, and those who remove themselves lose the project', {
  tag: '@long',
}, async ({ page, me, colleague }) => {
  const owner = await colleague('Grace Hopper')
  const projectId = await createProject(owner)
  await addCollaborator(owner, projectId, me, 'admin')
  const dialog = await openCollaborators(page, projectId)
  await expect(dialog.getByText('You', { exact: true })).toBeVisible()
  await dialog.getByLabel(`Role of ${me.name}`).selectOption('editor')
  await expect(page.getByText('Collaborator role updated')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Collaborator (editor)')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Collaborators' })).toBeHidden()

  const [row] = await owner.call('listCollaborators', { params: { projectId } })
  const params = { projectId, collaboratorId: row?._id ?? '' }
  await owner.call('updateCollaborator', { params, body: { role: 'admin' } })
  await openCollaborators(page, projectId)
  await dialog.getByRole('button', { name: `Remove ${me.name}` }).click()
  await expect(dialog.getByText('you will lose access to this project')).toBeVisible()
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByRole('heading', { name: /^(Access Denied|Project not found)$/ })).toBeVisible()
  await expect(dialog).toBeHidden()
})

for (const [size, viewport] of Object.entries(sizes)) {
  test(`the dialog is accessible in both themes on a ${size}`, {
    tag: '@long',
  }, async ({ page, me, colleague }) => {
    await page.setViewportSize(viewport)
    const projectId = await createProject(me)
    const grace = await colleague('G'.repeat(NAME_MAX))
    await addCollaborator(me, projectId, grace, 'admin')
    await invite(grace, projectId, { email: `${'long-address-'.repeat(4)}@example.com` })
    const dialog = await openCollaborators(page, projectId)
    await expect(dialog.getByText(`Invited by ${grace.name}`)).toBeVisible()
    await expect(dialog.getByText('Pending')).toBeVisible()
    await expect(dialog.getByText('This server sends no email.')).toBeVisible()
    const [content, visible] = await dialog.evaluate((box) => [box.scrollWidth, box.clientWidth])
    expect(content).toBeLessThanOrEqual(visible ?? 0)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })
}
