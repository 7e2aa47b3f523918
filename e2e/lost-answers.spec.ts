import type { Page } from '@playwright/test'
import { addCollaborator, createJournal, createProject, invite } from '#testing/journal.ts'
import { expectContent, replaceContent } from './fixtures/editor.ts'
import { expect, openApp, test } from './fixtures/journey.ts'

/**
 * Loses the answers of calls: the server does the first, and what is sent after it arrives nowhere. Returns what mends the
 * connection.
 */
async function loseAnswers(page: Page, method: string, path: RegExp): Promise<() => Promise<void>> {
  const isMeant = (url: URL) => path.test(url.pathname)
  let isDone = false
  await page.route(isMeant, async (route) => {
    if (route.request().method() !== method) return route.fallback()
    if (!isDone) await route.fetch()
    isDone = true
    await route.abort()
  })
  return () => page.unroute(isMeant)
}

/** The toast that says that something failed. */
const failure = (page: Page, text: string) => page.getByText(text, { exact: true })

test('what is typed on after the answer to an update was lost is saved, and is no conflict', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath, milestoneId, entries } = await createJournal(me, [{ title: 'Rye' }])
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Edit entry Rye' }).click()
  const content = page.getByLabel('Content')
  await replaceContent(content, 'It rose.')
  let mend = await loseAnswers(page, 'PUT', /\/entries\/[^/]+$/)
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByText('What you wrote is still here.').first()).toBeVisible()
  await replaceContent(content, 'It rose, and fell.')
  await mend()
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByText('Entry updated successfully')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const params = { milestoneId, entryId: entries[0]?._id ?? '' }
  expect(await me.call('readEntry', { params })).toMatchObject({ content: 'It rose, and fell.' })

  await page.getByRole('button', { name: 'Edit entry Rye' }).click()
  await expectContent(content, 'It rose, and fell.')
  await page.getByLabel('Title').fill('Wheat')
  mend = await loseAnswers(page, 'PUT', /\/entries\/[^/]+$/)
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByText('What you wrote is still here.').first()).toBeVisible()
  await mend()
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByText('Merged')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Wheat' })).toBeVisible()
  await expect.poll(async () => (await me.call('listDrafts', {})).drafts).toEqual([])
})

test('an entry that was moved while the answer was lost is saved in its new milestone', {
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
  const mend = await loseAnswers(page, 'PUT', /\/entries\/[^/]+$/)
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(failure(page, 'Failed to update entry')).toBeVisible()
  await page.getByLabel('Title').fill('Wheat')
  await mend()
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByText('Entry updated successfully')).toBeVisible()
  const params = { milestoneId, entryId: entries[0]?._id ?? '' }
  expect(await me.call('readEntry', { params })).toMatchObject({ title: 'Wheat', milestone: milestoneId })
})

test('an entry that was moved elsewhere while it was edited is opened there, and nothing failed', {
  tag: '@long',
}, async ({ page, me }) => {
  await page.route('**/api/events', (route) => route.abort())
  const { projectId, listPath, milestoneId, entries } = await createJournal(me, [{ title: 'Rye' }])
  const { _id: milestone } = await me.call('createMilestone', {
    params: { projectId },
    body: { title: 'The second loaf', description: 'Rye this time' },
  })
  const entryId = entries[0]?._id ?? ''
  await openApp(page, listPath)
  await page.getByRole('button', { name: 'Edit entry Rye' }).click()
  await page.getByLabel('Title').fill('Wheat')
  await me.call('updateEntry', {
    params: { milestoneId, entryId },
    body: { title: 'Rye', content: 'Fed the starter.', tags: [], milestone },
  })
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByText('This entry was moved to The second loaf in A bakery.')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Messages' }).getByRole('listitem')).toHaveCount(0)
  await page.getByRole('button', { name: 'Open it there' }).click()
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByText('Entry updated successfully')).toBeVisible()
  const params = { milestoneId: milestone, entryId }
  expect(await me.call('readEntry', { params })).toMatchObject({ title: 'Wheat' })
})

test('projects and milestones are made and changed once, whatever is typed after an answer was lost', {
  tag: '@long',
}, async ({ page, me }) => {
  await openApp(page, '/dashboard')
  await page.getByRole('button', { name: 'New Project' }).click()
  const dialog = page.getByRole('dialog')
  const stays = dialog.getByText('What you typed is still here.')

  async function typeOn(label: string, verb: string, method: string, path: RegExp) {
    const mend = await loseAnswers(page, method, path)
    await dialog.getByRole('button', { name: verb }).click()
    await expect(stays).toBeVisible()
    await dialog.getByLabel(label).fill(`${await dialog.getByLabel(label).inputValue()}, and more`)
    await mend()
    await dialog.getByRole('button', { name: verb }).click()
    await expect(dialog).toHaveCount(0)
  }

  await dialog.getByLabel('Project Title').fill('Canoe')
  await dialog.getByLabel('Description').fill('Strips')
  await typeOn('Description', 'Create Project', 'POST', /\/api\/projects$/)
  await expect(page).toHaveURL(/\/projects\/[\w-]+$/)
  const [project] = await me.call('listProjects', {})
  expect(project).toMatchObject({ title: 'Canoe', description: 'Strips, and more' })
  const params = { projectId: project?._id ?? '' }

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

test('an entry that is written on after the answer was lost is created once', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { listPath, milestoneId } = await createJournal(me)
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await page.getByLabel('Title').fill('Rye')
  await replaceContent(page.getByLabel('Content'), 'It rose.')
  const mend = await loseAnswers(page, 'POST', /\/entries$/)
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(page.getByText('What you wrote is still here.').first()).toBeVisible()
  await replaceContent(page.getByLabel('Content'), 'It rose, and fell.')
  await mend()
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(page.getByText('Entry created successfully')).toBeVisible()
  const written = await me.call('listEntries', { params: { milestoneId } })
  expect(written).toMatchObject([{ title: 'Rye', content: 'It rose, and fell.' }])
  await expect.poll(async () => (await me.call('listDrafts', {})).drafts).toEqual([])
})

test('an invitation, a token and a webhook are made once, also as they were changed after an answer was lost', {
  tag: '@long',
}, async ({ page, me }) => {
  const projectId = await createProject(me)
  const params = { projectId }
  await openApp(page, `/projects/${projectId}`)
  await page.getByRole('button', { name: 'Collaborators' }).click()
  await page.getByLabel('Email').fill('grace@example.test')
  // With a list of those who are invited, it would show that the invitation was sent.
  const losesList = (url: URL) => url.pathname.endsWith('/collaborators')
  await page.route(losesList, (route) => route.abort())
  let mend = await loseAnswers(page, 'POST', /\/collaborators$/)
  const send = page.getByRole('button', { name: 'Send Invitation' })
  await send.click()
  await expect(failure(page, 'Failed to send invitation')).toBeVisible()
  await page.getByRole('form', { name: 'Invite a collaborator' }).getByLabel('Role').selectOption('editor')
  await mend()
  await page.unroute(losesList)
  await send.click()
  await expect(page.getByText('Invitation sent to grace@example.test')).toBeVisible()
  expect(await me.call('listCollaborators', { params })).toMatchObject([{ role: 'editor' }])
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Webhooks' }).click()
  const dialog = page.getByRole('dialog')
  const address = dialog.getByLabel('Address')
  await address.fill('https://example.invalid/hook')
  mend = await loseAnswers(page, 'POST', /\/webhooks$/)
  await address.press('Enter')
  await expect(dialog.getByText('The server cannot be reached.')).toBeVisible()
  await mend()
  await address.fill('https://example.invalid/other')
  await address.press('Enter')
  await expect(dialog.getByRole('region', { name: 'Secret' })).toBeVisible()
  expect((await me.call('listWebhooks', { params })).map(({ url }) => url)).toEqual([
    'https://example.invalid/other',
  ])

  await openApp(page, '/settings')
  await page.getByRole('button', { name: 'New access token' }).click()
  await dialog.getByLabel('Name').fill('Robot')
  mend = await loseAnswers(page, 'POST', /\/tokens$/)
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await expect(dialog.getByText('What you typed is still here.')).toBeVisible()
  await mend()
  await dialog.getByLabel('Name').fill('Machine')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await expect(dialog.getByRole('button', { name: 'Create token' })).toHaveCount(0)
  expect((await me.call('listAccessTokens', {})).map(({ name }) => name)).toEqual(['Machine'])
})

test('an invitation that was declined while the answer was lost has been declined', {
  tag: '@long',
}, async ({ page, me, owner }) => {
  const [first, second] = [await createProject(owner), await createProject(owner, 'Kayak')]
  const decline = async () => {
    await page.getByRole('button', { name: 'Decline' }).first().click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Decline' }).click()
  }
  await page.goto(`/invite/${await invite(owner, first, me)}`)
  await expect(page.getByText(`You are signed in with ${me.email}.`)).toBeVisible()
  let mend = await loseAnswers(page, 'POST', /\/decline\//)
  await decline()
  await expect(failure(page, 'Failed to decline invitation')).toBeVisible()
  await mend()
  await decline()
  await expect(page.getByRole('heading', { name: 'You declined this invitation' })).toBeVisible()

  await page.goto(`/invite/${await invite(owner, second, me)}`)
  await expect(page.getByText(`You are signed in with ${me.email}.`)).toBeVisible()
  mend = await loseAnswers(page, 'POST', /\/decline\//)
  await decline()
  await expect(failure(page, 'Failed to decline invitation')).toBeVisible()
  await mend()
  // Its link has ended, as a look at it shows.
  await page.clock.install()
  await page.clock.runFor(60_000)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await expect(page.getByRole('heading', { name: 'You declined this invitation' })).toBeVisible()
})

test('what was done while its answer was lost is not said to have failed', { tag: '@long' }, async ({
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

  /** Loses the answer to the first try alone. */
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

  // The same where all tries fail, and what is there can be fetched.
  await dismissAll()
  const mend = await loseAnswers(page, 'DELETE', /\/entries\/[^/]+$/)
  await page.getByRole('button', { name: 'Delete entry Wheat' }).click()
  await confirm('Delete')
  await expect(page.getByRole('link', { name: 'Wheat' })).toHaveCount(0)
  await expect(page.getByText('Entry deleted successfully')).toBeVisible()
  await expect(failed).toHaveCount(0)
  await mend()
  await dismissAll()
  const mendMilestone = await loseAnswers(page, 'PUT', /\/milestones\/[^/]+$/)
  await page.getByRole('checkbox', { name: 'Complete The first loaf' }).click({ force: true })
  await expect(page.getByText('Milestone updated successfully')).toBeVisible()
  await expect(failed).toHaveCount(0)
  await mendMilestone()
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
  const mendLeaving = await loseAnswers(page, 'DELETE', /\/collaborators\/me$/)
  await page.getByRole('button', { name: 'Leave' }).click()
  await confirm('Leave')
  await expect(page.getByText('You left “Kayak”')).toBeVisible()
  await mendLeaving()
  await invite(owner, await createProject(owner, 'Skiff'), me)
  await openApp(page, '/dashboard')
  const mendMarking = await loseAnswers(page, 'PUT', /\/mark-all-read$/)
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await page.getByRole('button', { name: 'Mark all read' }).click()
  await expect(page.getByText('All notifications marked as read')).toBeVisible()
  await mendMarking()
  const mine = await createProject(me, 'Raft')
  await owner.call('acceptInvitation', { params: { inviteToken: await invite(me, mine, owner, 'admin') } })
  await openApp(page, '/settings')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const mendOwner = await loseAnswers(page, 'PUT', /\/owner$/)
  await page.getByRole('button', { name: 'Hand over Raft to Grace Hopper' }).click()
  await expect(page.getByText('Raft belongs to Grace Hopper now')).toBeVisible()
  await mendOwner()
  await expect(failed).toHaveCount(0)
  await openApp(page, '/dashboard')
  await loseOne(/\/api\/projects\/[^/]+$/)
  await page.getByRole('button', { name: 'Delete project A bakery' }).click()
  await confirm('Delete')
  await expect(page.getByText('Project deleted successfully')).toBeVisible()
  await expect(failed).toHaveCount(0)
  await openApp(page, '/trash')
  const mendTrash = await loseAnswers(page, 'POST', /\/restore$/)
  await page
    .getByRole('button', { name: /^Restore/ })
    .first()
    .click()
  await expect(page.getByText('Project restored')).toBeVisible()
  await expect(failed).toHaveCount(0)
  await mendTrash()
  const mendDeleting = await loseAnswers(page, 'DELETE', /\/trash\/[^/]+$/)
  await page
    .getByRole('button', { name: /^Delete for ever/ })
    .first()
    .click()
  await confirm('Delete for ever')
  await expect(page.getByText('Entry deleted for ever')).toBeVisible()
  await mendDeleting()
  await openApp(page, projectPath)
  await page.getByRole('button', { name: 'Share' }).click()
  const mendPublishing = await loseAnswers(page, 'PUT', /\/api\/projects\/[^/]+$/)
  await page.getByRole('button', { name: 'Make it public' }).click()
  await expect(page.getByText('Project updated successfully')).toBeVisible()
  await mendPublishing()
  await openApp(page, '/settings')
  const mendDates = await loseAnswers(page, 'PUT', /\/account\/dates$/)
  await page.getByLabel('Date format').selectOption('day-first')
  await expect.poll(async () => (await me.call('readMe', {})).dateFormat).toBe('day-first')
  await expect(page.getByLabel('Date format')).toHaveValue('day-first')
  await mendDates()
  await expect(failed).toHaveCount(0)
  await openApp(page, projectPath)
  await expect(page.getByRole('heading', { name: 'A bakery' })).toBeVisible()
})

test('an invitation, a name and a restored version are seen to be done where every answer was lost', {
  tag: '@long',
}, async ({ page, me, owner }) => {
  const { projectId, projectPath, entryPath, milestoneId, entries } = await createJournal(me, [
    { title: 'Rye', content: 'It rose.' },
  ])
  const failed = page.getByText(/^Failed to|could not be restored|nothing was restored/)
  await openApp(page, projectPath)
  await page.getByRole('button', { name: 'Collaborators' }).click()
  let mend = await loseAnswers(page, 'POST', /\/collaborators$/)
  await page.getByLabel('Email').fill(owner.email)
  await page.getByRole('button', { name: 'Send Invitation' }).click()
  await expect(page.getByText(`Invitation sent to ${owner.email}`)).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue('')
  await mend()
  const params = { projectId }
  const [invited] = await me.call('listCollaborators', { params })
  await owner.call('declineInvitation', { params: { inviteToken: invited?.inviteToken ?? '' } })
  await page.reload()
  await page.getByRole('button', { name: 'Collaborators' }).click()
  mend = await loseAnswers(page, 'POST', /\/collaborators$/)
  await page.getByRole('button', { name: 'Invite again' }).click()
  await expect(page.getByText(`Invitation sent to ${owner.email}`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Invite again' })).toHaveCount(0)
  await mend()

  await openApp(page, '/settings')
  mend = await loseAnswers(page, 'PUT', /\/api\/account$/)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Countess')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(page.getByText('Name saved')).toBeVisible()
  await mend()

  const entry = { milestoneId, entryId: entries[0]?._id ?? '' }
  const { revisions } = await me.call('listRevisions', { params: entry })
  // Two saves within ten minutes are one version, unless the first has a name.
  const first = { ...entry, revisionId: revisions[0]?._id ?? '' }
  await me.call('nameRevision', { params: first, body: { name: 'Before the oven' } })
  await me.call('updateEntry', { params: entry, body: { content: 'It fell.' } })
  await openApp(page, entryPath(0))
  await page.getByRole('button', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Before the oven' }).click()
  mend = await loseAnswers(page, 'POST', /\/restore$/)
  await page.getByRole('button', { name: 'Restore this version' }).click()
  await expect(page.getByText('Version restored')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(failed).toHaveCount(0)
  expect(await me.call('readEntry', { params: entry })).toMatchObject({ content: 'It rose.' })
  expect((await me.call('listRevisions', { params: entry })).revisions).toHaveLength(3)
})

test('without the server’s events, a role that was changed elsewhere shows once a save of an entry is refused', {
  tag: '@long',
}, async ({ page, me, owner }) => {
  await page.route('**/api/events', (route) => route.abort())
  const { listPath, projectId } = await createJournal(owner, [{ title: 'Rye' }])
  await addCollaborator(owner, projectId, me, 'editor')
  await openApp(page, listPath)
  await page.getByRole('button', { name: 'Edit entry Rye' }).click()
  await page.getByLabel('Title').fill('Wheat')
  const params = { projectId }
  const [collaborator] = await owner.call('listCollaborators', { params })
  await owner.call('updateCollaborator', {
    params: { projectId, collaboratorId: collaborator?._id ?? '' },
    body: { role: 'viewer' },
  })
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByText('You do not have permission to do this')).toBeVisible()
  await expect(page.getByText('Collaborator (viewer)')).toBeVisible()
  await expect(page.getByLabel('Title')).toHaveValue('Wheat')
})

test('without the server’s events, an entry that was deleted elsewhere is not found when it is deleted', {
  tag: '@long',
}, async ({ page, me }) => {
  await page.route('**/api/events', (route) => route.abort())
  const { listPath, milestoneId, entries } = await createJournal(me, [{ title: 'Rye' }, { title: 'Wheat' }])
  await openApp(page, listPath)
  await expect(page.getByText('2 entries').first()).toBeVisible()
  await me.call('deleteEntry', { params: { milestoneId, entryId: entries[0]?._id ?? '' } })
  await page.getByRole('button', { name: 'Delete entry Rye' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Entry not found')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Rye' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Wheat' })).toBeVisible()
  await expect(page.getByText('1 entry').first()).toBeVisible()
})

test('without the server’s events, a text whose entry or milestone was deleted elsewhere is kept, and the lists are mended', {
  tag: '@long',
}, async ({ page, me }) => {
  await page.route('**/api/events', (route) => route.abort())
  const { listPath, projectId, milestoneId, entries } = await createJournal(me, [
    { title: 'Rye' },
    { title: 'Wheat' },
  ])
  const dialog = page.getByRole('dialog')
  const toast = (text: string) =>
    page.getByRole('list', { name: 'Messages' }).getByText(text, { exact: true })
  async function leave() {
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()
    await expect(dialog).toHaveCount(0)
  }
  await openApp(page, listPath)
  await me.call('deleteEntry', { params: { milestoneId, entryId: entries[0]?._id ?? '' } })
  await page.getByRole('button', { name: 'Edit entry Wheat' }).click()
  await page.getByLabel('Title').fill('Wheat bread')
  await me.call('deleteEntry', { params: { milestoneId, entryId: entries[1]?._id ?? '' } })
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(dialog.getByText('Entry not found')).toBeVisible()
  await expect(toast('Entry not found')).toBeVisible()
  await leave()
  await expect(page.getByText('0 entries').first()).toBeVisible()

  await page.getByRole('button', { name: 'Write' }).click()
  await page.getByLabel('Title').fill('Oat')
  await replaceContent(page.getByLabel('Content'), 'It crumbled.')
  await me.call('deleteMilestone', { params: { projectId, milestoneId } })
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(dialog.getByText('Milestone not found')).toBeVisible()
  await expect(page.getByLabel('Title')).toHaveValue('Oat')
  await expect(page.getByText('Failed to')).toHaveCount(0)
  await leave()
  await expect(page.getByText('No milestones yet')).toBeVisible()
})

test('what was sent outlives the composer and the page: one entry is created, and an update is no conflict with oneself', {
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
  let mend = await loseAnswers(page, 'POST', /\/entries$/)
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(failure(page, 'Failed to create entry')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Continue writing' }).click()
  await replaceContent(content, 'It rose, and fell.')
  await mend()
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expectOne('It rose, and fell.')

  await page.getByRole('button', { name: 'Edit entry Rye' }).click()
  await replaceContent(content, 'It rose again.')
  mend = await loseAnswers(page, 'PUT', /\/entries\/[^/]+$/)
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByText('What you wrote is still here.').first()).toBeVisible()
  await replaceContent(content, 'It rose again, and fell.')
  await page.keyboard.press('Escape')
  await expect(composer).toHaveCount(0)
  await mend()
  await openApp(page, listPath)
  await page.getByRole('button', { name: 'Edit entry Rye' }).click()
  await expectContent(content, 'It rose again, and fell.')
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expectOne('It rose again, and fell.')
})

for (const text of ['It rose.', 'It rose, and fell.']) {
  test(`a page that is loaded again before it knows that an entry was created creates no other: ${text}`, {
    tag: '@long',
  }, async ({ page, me }) => {
    const { listPath, milestoneId } = await createJournal(me)
    const content = page.getByLabel('Content')
    await openApp(page, listPath)
    await page.getByRole('button', { name: 'Add your first entry' }).click()
    await page.getByLabel('Title').fill('Rye')
    await replaceContent(content, 'It rose.')
    const mend = await loseAnswers(page, 'POST', /\/entries$/)
    const sent = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/entries'),
    )
    await page.getByRole('button', { name: 'Create Entry' }).click()
    await sent
    await expect.poll(() => me.call('listEntries', { params: { milestoneId } })).toHaveLength(1)
    await page.reload()
    await mend()
    await page.getByRole('button', { name: 'Add entry' }).click()
    await expectContent(content, 'It rose.')
    await replaceContent(content, text)
    await page.getByRole('button', { name: 'Create Entry' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    const written = () => me.call('listEntries', { params: { milestoneId } })
    await expect.poll(written).toMatchObject([{ title: 'Rye', content: text }])
    await expect.poll(async () => (await me.call('listDrafts', {})).drafts).toEqual([])
  })
}

test('the text of a project and of a milestone that comes back after a reload is saved once', {
  tag: '@long',
}, async ({ page, me }) => {
  const dialog = page.getByRole('dialog')

  async function loseAndReload(verb: string, method: string, path: RegExp) {
    const mend = await loseAnswers(page, method, path)
    await dialog.getByRole('button', { name: verb }).click()
    await expect(dialog.getByText('What you typed is still here.')).toBeVisible()
    page.once('dialog', (question) => void question.accept())
    await page.reload()
    await mend()
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

test('without the server’s events, what was deleted elsewhere is not found, and leaves the lists', {
  tag: '@long',
}, async ({ page, me }) => {
  await page.route('**/api/events', (route) => route.abort())
  const dialog = page.getByRole('dialog')
  const confirm = () => page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  const absence = (text: string) =>
    page.getByRole('list', { name: 'Messages' }).getByText(text, { exact: true })
  const { projectId, projectPath } = await createJournal(me)
  const names = ['Hull', 'Deck', 'Oars']
  for (const act of ['edit', 'finish', 'delete'] as const) {
    for (const title of names)
      await me.call('createMilestone', { params: { projectId }, body: { title, description: '-' } })
    await openApp(page, projectPath)
    await expect(page.getByRole('link', { name: 'Oars' })).toBeVisible()
    for (const { _id, title } of await me.call('listMilestones', { params: { projectId } }))
      if (names.includes(title)) await me.call('deleteMilestone', { params: { projectId, milestoneId: _id } })
    if (act === 'finish') {
      await page.getByRole('checkbox', { name: 'Complete Hull' }).click({ force: true })
    } else if (act === 'delete') {
      await page.getByRole('button', { name: 'Delete milestone Hull' }).click()
      await confirm()
    } else {
      await page.getByRole('button', { name: 'Edit milestone Hull' }).click()
      await dialog.getByLabel('Description').fill('Cedar')
      await dialog.getByRole('button', { name: 'Update Milestone' }).click()
      await expect(dialog.getByText('Milestone not found')).toBeVisible()
      await expect(dialog.getByLabel('Description')).toHaveValue('Cedar')
    }
    await expect(absence('Milestone not found')).toBeVisible()
    await expect(page.getByText('Failed to')).toHaveCount(0)
    for (const name of names) await expect(page.getByText(name, { exact: true })).toHaveCount(0)
  }

  await createProject(me)
  await openApp(page, '/dashboard')
  await expect(page.getByRole('heading', { name: 'A bakery' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Canoe' })).toBeVisible()
  for (const { _id } of await me.call('listProjects', {}))
    await me.call('deleteProject', { params: { projectId: _id } })
  await page.getByRole('button', { name: 'Delete project Canoe' }).click()
  await confirm()
  await expect(absence('Project not found')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'A bakery' })).toHaveCount(0)
})

test('what somebody else changed after the answer to an update was lost is shown, and not replaced', {
  tag: '@long',
}, async ({ page, me }) => {
  await page.route('**/api/events', (route) => route.abort())
  const { projectId, projectPath, milestoneId } = await createJournal(me)
  const dialog = page.getByRole('dialog')
  await openApp(page, projectPath)
  await page.getByRole('button', { name: 'Edit milestone The first loaf' }).click()
  await dialog.getByLabel('Description').fill('Cedar')
  const mend = await loseAnswers(page, 'PUT', /\/milestones\/[^/]+$/)
  await dialog.getByRole('button', { name: 'Update Milestone' }).click()
  await expect(dialog.getByText('What you typed is still here.')).toBeVisible()
  await me.call('updateMilestone', { params: { projectId, milestoneId }, body: { description: 'Oak' } })
  await dialog.getByLabel('Description').fill('Cedar, and more')
  await mend()
  await dialog.getByRole('button', { name: 'Update Milestone' }).click()
  await expect(dialog.getByText('This was changed elsewhere while you were typing.')).toBeVisible()
  await expect(dialog.getByText('Oak', { exact: true })).toBeVisible()
  await expect(dialog.getByLabel('Description')).toHaveValue('Cedar, and more')
  const milestones = () => me.call('listMilestones', { params: { projectId } })
  expect(await milestones()).toMatchObject([{ description: 'Oak' }])
  await dialog.getByRole('button', { name: 'Update Milestone' }).click()
  await expect.poll(milestones).toMatchObject([{ description: 'Cedar, and more' }])
})

test('a project is published whatever was changed of it elsewhere', { tag: '@long' }, async ({
  page,
  me,
}) => {
  await page.route('**/api/events', (route) => route.abort())
  const { projectId, projectPath } = await createJournal(me)
  await openApp(page, projectPath)
  await page.getByRole('button', { name: 'Share' }).click()
  await me.call('updateProject', { params: { projectId }, body: { title: 'A mill' } })
  await page.getByRole('button', { name: 'Make it public' }).click()
  await expect(page.getByText('Project updated successfully')).toBeVisible()
  expect(await me.call('listProjects', {})).toMatchObject([{ title: 'A mill', isPublic: true }])
})

test('an entry that may have become a draft is published when it is created after all', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath, milestoneId } = await createJournal(me)
  await openApp(page, listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await page.getByLabel('Title').fill('Rye')
  await replaceContent(page.getByLabel('Content'), 'It rose.')
  const mend = await loseAnswers(page, 'POST', /\/entries$/)
  await page.getByRole('button', { name: 'Save as draft' }).click()
  await expect(page.getByText('What you wrote is still here.').first()).toBeVisible()
  await mend()
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(page.getByText('Entry created successfully')).toBeVisible()
  const written = await me.call('listEntries', { params: { milestoneId } })
  expect(written).toMatchObject([{ title: 'Rye', state: 'published' }])
})
