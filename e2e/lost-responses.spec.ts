import type { Page } from '@playwright/test'
import { picture } from '#server/files/testing.ts'
import { addCollaborator, createJournal, createProject, invite } from '#testing/journal.ts'
import { expect, loseResponses, openApp, test } from './fixtures/journey.ts'

/** The toast of a failure. */
const failure = (page: Page, text: string) => page.getByText(text, { exact: true })

test('an invitation, a token and a webhook are created once, even with edits after a response was lost', {
  tag: '@long',
}, async ({ page, me }) => {
  const projectId = await createProject(me)
  const params = { projectId }
  await openApp(page, `/projects/${projectId}`)
  await page.getByRole('button', { name: 'Collaborators' }).click()
  await page.getByLabel('Email').fill('grace@example.test')
  let reconnect = await loseResponses(page, 'POST', /\/collaborators$/)
  const send = page.getByRole('button', { name: 'Send Invitation' })
  await send.click()
  await expect(failure(page, 'Failed to send invitation')).toBeVisible()
  await page.getByRole('form', { name: 'Invite a collaborator' }).getByLabel('Role').selectOption('editor')
  await reconnect()
  await send.click()
  await expect(page.getByText('Invitation sent to grace@example.test')).toBeVisible()
  expect(await me.call('listCollaborators', { params })).toMatchObject([{ role: 'editor' }])
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Webhooks' }).click()
  const dialog = page.getByRole('dialog')
  const address = dialog.getByLabel('URL')
  await address.fill('https://example.invalid/hook')
  reconnect = await loseResponses(page, 'POST', /\/webhooks$/)
  await address.press('Enter')
  await expect(dialog.getByText('The server cannot be reached.')).toBeVisible()
  await reconnect()
  await address.fill('https://example.invalid/other')
  await address.press('Enter')
  await expect(dialog.getByRole('region', { name: 'Secret' })).toBeVisible()
  expect((await me.call('listWebhooks', { params })).map(({ url }) => url)).toEqual([
    'https://example.invalid/other',
  ])

  await openApp(page, '/settings')
  await page.getByRole('button', { name: 'New access token' }).click()
  await dialog.getByLabel('Name').fill('Robot')
  reconnect = await loseResponses(page, 'POST', /\/tokens$/)
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await expect(dialog.getByText('What you typed is still here.')).toBeVisible()
  await reconnect()
  await dialog.getByLabel('Name').fill('Machine')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await expect(dialog.getByRole('button', { name: 'Create token' })).toHaveCount(0)
  expect((await me.call('listAccessTokens', {})).map(({ name }) => name)).toEqual(['Machine'])
})

test('an invitation that was declined while the response was lost is shown as declined', {
  tag: '@long',
}, async ({ page, me, owner }) => {
  const [first, second] = [await createProject(owner), await createProject(owner, 'Kayak')]
  const decline = async () => {
    await page.getByRole('button', { name: 'Decline' }).first().click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Decline' }).click()
  }
  await page.goto(`/invite/${await invite(owner, first, me)}`)
  await expect(page.getByText(`You are signed in with ${me.email}.`)).toBeVisible()
  const waiting = page.getByText('Not saved yet: waiting for the connection…')
  const reconnect = await loseResponses(page, 'POST', /\/decline\//)
  await decline()
  await expect(waiting).toBeVisible()
  await reconnect()
  await expect(page.getByRole('heading', { name: 'You declined this invitation' })).toBeVisible()

  await page.goto(`/invite/${await invite(owner, second, me)}`)
  await expect(page.getByText(`You are signed in with ${me.email}.`)).toBeVisible()
  await loseResponses(page, 'POST', /\/decline\//)
  await decline()
  await expect(waiting).toBeVisible()
  // A refetch shows that the link has ended.
  await page.clock.install()
  await page.clock.runFor(60_000)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await expect(page.getByRole('heading', { name: 'You declined this invitation' })).toBeVisible()
})

test('an invitation is shown as accepted on its page if every response was lost', {
  tag: '@long',
}, async ({ page, me, owner }) => {
  const projectId = await createProject(owner)
  await page.goto(`/invite/${await invite(owner, projectId, me)}`)
  await expect(page.getByText(`You are signed in with ${me.email}.`)).toBeVisible()
  // The connection returns with the refetch of the invitation that follows.
  await page.route(
    '**/api/collaborators/accept/*',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 3 },
  )
  await page.getByRole('button', { name: 'Accept Invitation' }).click()
  await expect(page.getByText('Invitation accepted successfully!')).toBeVisible()
  await expect(page.getByText('Failed to accept invitation')).toHaveCount(0)
  await expect(page).toHaveURL(`/projects/${projectId}`)
})

test('actions whose response was lost are not reported as failed', { tag: '@long' }, async ({
  page,
  me,
  owner,
}) => {
  const { listPath, projectPath, projectId, milestoneId } = await createJournal(me, [
    { title: 'Rye' },
    { title: 'Wheat' },
  ])
  async function dismissAll() {
    const buttons = page.getByRole('list', { name: 'Messages' }).getByRole('button', { name: 'Dismiss' })
    for (const button of (await buttons.all()).toReversed()) await button.click()
    await expect(buttons).toHaveCount(0)
  }
  const confirm = (verb: string) => page.getByRole('alertdialog').getByRole('button', { name: verb }).click()
  const failed = page.getByText('Failed to')

  /** Drops only the response to the first attempt. */
  const loseOne = (path: RegExp) =>
    page.route(
      path,
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )

  await openApp(page, listPath)
  await loseOne(/\/entries\/[^/]+$/)
  await page.getByRole('button', { name: 'Delete entry Rye' }).click()
  await confirm('Delete')
  await expect(page.getByText('Entry deleted successfully')).toBeVisible()
  await loseOne(/\/milestones\/[^/]+$/)
  await page.getByRole('checkbox', { name: 'Complete The first loaf' }).click({ force: true })
  await expect(page.getByText('Milestone updated successfully')).toBeVisible()
  await expect(failed).toHaveCount(0)

  // The same if it takes a while until a response arrives.
  await dismissAll()
  const reconnect = await loseResponses(page, 'DELETE', /\/entries\/[^/]+$/)
  await page.getByRole('button', { name: 'Delete entry Wheat' }).click()
  await confirm('Delete')
  await expect(page.getByRole('link', { name: 'Wheat' })).toHaveCount(0)
  await reconnect()
  await expect(page.getByText('Entry deleted successfully')).toBeVisible()
  await expect(failed).toHaveCount(0)
  await dismissAll()
  const reconnectMilestone = await loseResponses(page, 'PUT', /\/milestones\/[^/]+$/)
  await page.getByRole('checkbox', { name: 'Complete The first loaf' }).click({ force: true })
  await reconnectMilestone()
  await expect(page.getByText('Milestone updated successfully')).toBeVisible()
  await expect(failed).toHaveCount(0)
  expect(await me.call('listMilestones', { params: { projectId } })).toMatchObject([{ completed: false }])
  expect(await me.call('listEntries', { params: { milestoneId } })).toEqual([])

  const joined = await createProject(owner)
  await me.call('acceptInvitation', { params: { inviteToken: await invite(owner, joined, me) } })
  await openApp(page, '/collaborations')
  await loseOne(/\/collaborators\/me$/)
  await page.getByRole('button', { name: 'Leave' }).click()
  await confirm('Leave')
  await expect(page.getByText('You left “Canoe”')).toBeVisible()

  const kayak = await createProject(owner, 'Kayak')
  await me.call('acceptInvitation', { params: { inviteToken: await invite(owner, kayak, me) } })
  await openApp(page, '/collaborations')
  const reconnectLeaving = await loseResponses(page, 'DELETE', /\/collaborators\/me$/)
  await page.getByRole('button', { name: 'Leave' }).click()
  await confirm('Leave')
  await reconnectLeaving()
  await expect(page.getByText('You left “Kayak”')).toBeVisible()
  await invite(owner, await createProject(owner, 'Skiff'), me)
  await openApp(page, '/dashboard')
  const reconnectMarking = await loseResponses(page, 'PUT', /\/mark-all-read$/)
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await page.getByRole('button', { name: 'Mark all read' }).click()
  await reconnectMarking()
  await expect(page.getByText('All notifications marked as read')).toBeVisible()
  const mine = await createProject(me, 'Raft')
  await owner.call('acceptInvitation', { params: { inviteToken: await invite(me, mine, owner, 'admin') } })
  await openApp(page, '/settings')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const reconnectOwner = await loseResponses(page, 'PUT', /\/owner$/)
  await page.getByRole('button', { name: 'Transfer Raft to Grace Hopper' }).click()
  await reconnectOwner()
  await expect(page.getByText('Raft belongs to Grace Hopper now')).toBeVisible()
  await expect(failed).toHaveCount(0)
  await openApp(page, '/dashboard')
  await loseOne(/\/api\/projects\/[^/]+$/)
  await page.getByRole('button', { name: 'Delete project A bakery' }).click()
  await confirm('Delete')
  await expect(page.getByText('Project deleted successfully')).toBeVisible()
  await expect(failed).toHaveCount(0)
  await openApp(page, '/trash')
  const reconnectTrash = await loseResponses(page, 'POST', /\/restore$/)
  await page
    .getByRole('button', { name: /^Restore/ })
    .first()
    .click()
  await reconnectTrash()
  await expect(page.getByText('Project restored')).toBeVisible()
  await expect(failed).toHaveCount(0)
  const reconnectDeleting = await loseResponses(page, 'DELETE', /\/trash\/[^/]+$/)
  await page
    .getByRole('button', { name: /^Delete for ever/ })
    .first()
    .click()
  await confirm('Delete for ever')
  await reconnectDeleting()
  await expect(page.getByText('Entry deleted for ever')).toBeVisible()
  await openApp(page, projectPath)
  await page.getByRole('button', { name: 'Share' }).click()
  const reconnectPublishing = await loseResponses(page, 'PUT', /\/api\/projects\/[^/]+$/)
  await page.getByRole('button', { name: 'Make it public' }).click()
  await reconnectPublishing()
  await expect(page.getByText('Project updated successfully')).toBeVisible()
  await openApp(page, '/settings')
  const reconnectDates = await loseResponses(page, 'PUT', /\/account\/dates$/)
  await page.getByLabel('Date format').selectOption('day-first')
  await expect.poll(async () => (await me.call('readMe', {})).dateFormat).toBe('day-first')
  await reconnectDates()
  await expect(page.getByLabel('Date format')).toHaveValue('day-first')
  await expect(failed).toHaveCount(0)
  await openApp(page, projectPath)
  await expect(page.getByRole('heading', { name: 'A bakery' })).toBeVisible()
})

test('an invitation, a name and a restored version are saved once if responses are lost for a while', {
  tag: '@long',
}, async ({ page, me, owner }) => {
  const { projectId, projectPath, entryPath, milestoneId, entries } = await createJournal(me, [
    { title: 'Rye', content: 'It rose.' },
  ])
  const failed = page.getByText(/^Failed to|could not be restored|nothing was restored/)
  await openApp(page, projectPath)
  await page.getByRole('button', { name: 'Collaborators' }).click()
  let reconnect = await loseResponses(page, 'POST', /\/collaborators$/)
  await page.getByLabel('Email').fill(owner.email)
  await page.getByRole('button', { name: 'Send Invitation' }).click()
  await reconnect()
  await expect(page.getByText(`Invitation sent to ${owner.email}`)).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue('')
  // The lost response contained whether that email has an account.
  const passingOn = page.getByRole('region', { name: 'Invitation link' })
  await expect(passingOn.getByText('It is not known whether somebody')).toBeVisible()
  await expect(passingOn.getByText('Nobody with the address')).toHaveCount(0)
  const params = { projectId }
  const [invited] = await me.call('listCollaborators', { params })
  await owner.call('declineInvitation', { params: { inviteToken: invited?.inviteToken ?? '' } })
  await page.reload()
  await page.getByRole('button', { name: 'Collaborators' }).click()
  reconnect = await loseResponses(page, 'POST', /\/collaborators$/)
  await page.getByRole('button', { name: 'Invite again' }).click()
  await reconnect()
  await expect(page.getByText(`Invitation sent to ${owner.email}`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Invite again' })).toHaveCount(0)

  await openApp(page, '/settings')
  reconnect = await loseResponses(page, 'PUT', /\/api\/account$/)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Countess')
  await page.getByRole('button', { name: 'Save name' }).click()
  await reconnect()
  await expect(page.getByText('Name saved')).toBeVisible()

  const entry = { milestoneId, entryId: entries[0]?._id ?? '' }
  const { revisions } = await me.call('listRevisions', { params: entry })
  // Two saves within ten minutes are one version, unless the first has a name.
  const first = { ...entry, revisionId: revisions[0]?._id ?? '' }
  await me.call('nameRevision', { params: first, body: { name: 'Before the oven' } })
  await me.call('updateEntry', { params: entry, body: { content: 'It fell.' } })
  await openApp(page, entryPath(0))
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Before the oven' }).click()
  reconnect = await loseResponses(page, 'POST', /\/restore$/)
  await page.getByRole('button', { name: 'Restore this version' }).click()
  await reconnect()
  await expect(page.getByText('Version restored')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(failed).toHaveCount(0)
  expect(await me.call('readEntry', { params: entry })).toMatchObject({ content: 'It rose.' })
  expect((await me.call('listRevisions', { params: entry })).revisions).toHaveLength(3)
})

test('the name of a version is saved, and removed, if responses are lost for a while', {
  tag: '@long',
}, async ({ page, me }) => {
  const { entryPath } = await createJournal(me, [{ title: 'Rye' }])
  await openApp(page, entryPath(0))
  await page.getByRole('button', { name: 'History' }).click()
  const layer = page.getByRole('dialog', { name: 'History of Rye' })
  const save = layer.getByRole('button', { name: 'Save name' })
  let reconnect = await loseResponses(page, 'PUT', /\/revisions\/[^/]+$/)
  await layer.getByRole('button', { name: 'Name this version' }).click()
  await layer.getByLabel('Name').fill(' Before the oven ')
  await save.click()
  await reconnect()
  await expect(layer.getByRole('region', { name: 'Version' }).getByText('Before the oven')).toBeVisible()
  await expect(save).toHaveCount(0)
  reconnect = await loseResponses(page, 'PUT', /\/revisions\/[^/]+$/)
  await layer.getByRole('button', { name: 'Change the name' }).click()
  await layer.getByLabel('Name').fill('')
  await save.click()
  await reconnect()
  await expect(layer.getByRole('button', { name: 'Name this version' })).toBeVisible()
  await expect(page.getByText('The name could not be saved')).toHaveCount(0)
})

test('a role, a removal and a reply to an invitation are saved if responses are lost for a while', {
  tag: '@long',
}, async ({ page, me, owner }) => {
  const failed = page.getByText(/^Failed to/)
  const confirm = (verb: string) => page.getByRole('alertdialog').getByRole('button', { name: verb }).click()
  const projectId = await createProject(me)
  await addCollaborator(me, projectId, owner)
  await openApp(page, `/projects/${projectId}`)
  await page.getByRole('button', { name: 'Collaborators' }).click()
  let reconnect = await loseResponses(page, 'PUT', /\/collaborators\/[^/]+$/)
  await page.getByLabel('Role of Grace Hopper').selectOption('admin')
  await reconnect()
  await expect(page.getByText('Collaborator role updated')).toBeVisible()
  await expect(page.getByLabel('Role of Grace Hopper')).toHaveValue('admin')
  reconnect = await loseResponses(page, 'DELETE', /\/collaborators\/[^/]+$/)
  await page.getByRole('button', { name: 'Remove Grace Hopper' }).click()
  await confirm('Remove')
  await reconnect()
  await expect(page.getByText('Collaborator removed')).toBeVisible()
  await expect(failed).toHaveCount(0)

  for (const title of ['Bread', 'Water']) await invite(owner, await createProject(owner, title), me)
  await openApp(page, '/collaborations?status=all')
  const card = (name: string) =>
    page.getByRole('region', { name: 'Collaborations' }).getByRole('article', { name })
  reconnect = await loseResponses(page, 'POST', /\/accept\//)
  await card('Bread').getByRole('button', { name: 'Accept' }).click()
  await reconnect()
  await expect(page.getByText('Invitation accepted successfully!')).toBeVisible()
  await expect(card('Bread').getByRole('link', { name: 'Open Project' })).toBeVisible()
  reconnect = await loseResponses(page, 'POST', /\/decline\//)
  await card('Water').getByRole('button', { name: 'Decline' }).click()
  await confirm('Decline')
  await reconnect()
  await expect(page.getByText('Invitation declined')).toHaveCount(2)
  await expect(failed).toHaveCount(0)
})

test('a session, a token, a picture and the choice of notifications are saved if responses are lost for a while', {
  tag: '@long',
}, async ({ page, me, request }) => {
  const failed = page.getByText(/^Failed to|^The server cannot be reached/)
  for (let more = 0; more < 2; more += 1)
    await request.post('/api/auth/sign-in/email', {
      data: { email: me.email, password: me.password },
      headers: { origin: process.env.MILEPOST_URL ?? '' },
    })
  await me.call('createAccessToken', {
    body: { name: 'Backup', scopes: ['read'], projects: null, days: null },
  })
  await openApp(page, '/settings')
  const sessions = page.getByRole('list', { name: 'Sessions' })
  await expect(sessions.getByRole('listitem')).toHaveCount(3)
  let reconnect = await loseResponses(page, 'DELETE', /\/sessions/)
  await sessions
    .getByRole('button', { name: /^Sign out/ })
    .first()
    .click()
  await reconnect()
  await expect(page.getByText(/^Signed out/)).toBeVisible()
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  reconnect = await loseResponses(page, 'DELETE', /\/sessions$/)
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await reconnect()
  await expect(page.getByText('Signed out everywhere else')).toBeVisible()

  reconnect = await loseResponses(page, 'DELETE', /\/account\/tokens\/[^/]+$/)
  await page.getByRole('button', { name: 'Revoke Backup' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await reconnect()
  await expect(page.getByText('Backup is revoked')).toBeVisible()
  reconnect = await loseResponses(page, 'PUT', /\/account\/picture$/)
  const file = { name: 'me.png', mimeType: 'image/png', buffer: await picture(8, 8).png().toBuffer() }
  await page.getByRole('group', { name: 'Picture' }).locator('input').setInputFiles(file)
  await reconnect()
  await expect(page.getByRole('button', { name: 'Remove picture' })).toBeVisible()
  reconnect = await loseResponses(page, 'PUT', /\/account\/notifications$/)
  await page.getByRole('checkbox', { name: 'My role in a project changes: in Milepost' }).click()
  await expect.poll(async () => (await me.call('readAccount', {})).notifications.muted).toHaveLength(1)
  await reconnect()
  await expect(failed).toHaveCount(0)
})
