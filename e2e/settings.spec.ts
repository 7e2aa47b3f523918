import { buffer } from 'node:stream/consumers'
import type { Page, Route } from '@playwright/test'
import { picture } from '#server/files/testing.ts'
import { createJournal } from '#testing/journal.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import {
  blockRequests,
  expect,
  expectAllClosed,
  expectLayers,
  openApp,
  pressTwice,
  sizes,
  test,
  visitor,
} from './fixtures/journey.ts'

test.describe.configure({ mode: 'default' })

test('changing the password signs out every other browser immediately', { tag: '@long' }, async ({
  page,
  browser,
  me,
}) => {
  const other = await visitor(browser)
  await openApp(other, '/login?redirect=/collaborations')
  await other.getByLabel('Email').fill(me.email)
  await other.getByLabel('Password', { exact: true }).fill(me.password)
  await other.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(other.getByRole('heading', { name: 'My Collaborations' })).toBeVisible()

  await page.goto('/settings')
  const sessions = page.getByRole('region', { name: 'Sessions' })
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  const password = page.getByRole('region', { name: 'Password' })
  await password.getByLabel('Current password').fill('a wrong guess')
  await password.getByLabel('New password').fill('analytical engine')
  await password.getByRole('button', { name: 'Change password' }).click()
  await expect(password.getByText('Incorrect password')).toBeVisible()
  await expect(password.getByLabel('Current password')).toBeFocused()
  await password.getByLabel('Current password').fill(me.password)
  await password.getByRole('button', { name: 'Change password' }).click()
  await expect(password.getByRole('status')).toContainText('You are signed out everywhere else.')
  await expect(sessions.getByRole('listitem')).toHaveCount(1)

  await expect(other.getByText('Your session has ended. Sign in to go on.')).toBeVisible()
  await other.context().close()
})

test('a long title does not widen the dialog of a new access token on a phone', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const body = { title: 'Donaudampfschiff'.repeat(6), description: 'Strips', isPublic: false }
  await me.call('createProject', { body })
  await page.setViewportSize(sizes.phone)
  await page.goto('/settings')
  await page.getByRole('button', { name: 'New access token' }).click()
  const dialog = page.getByRole('dialog', { name: 'New access token' })
  await dialog.getByLabel('All your projects').uncheck()
  await expect(dialog.getByLabel(body.title)).toBeVisible()
  const [content, visible] = await dialog.evaluate((box) => [box.scrollWidth, box.clientWidth])
  expect(content).toBeLessThanOrEqual(visible ?? 0)
})

test('an access token is shown once, authenticates a program, and stops working when revoked', {
  tag: '@long',
}, async ({ page, request, me }) => {
  const name = `Nightly copy of ${me.name}`
  await page.goto('/settings')
  const section = page.getByRole('region', { name: 'Access tokens' })
  await section.getByRole('button', { name: 'New access token' }).click()
  const dialog = page.getByRole('dialog', { name: 'New access token' })
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await expect(dialog.getByText('Name is required')).toBeVisible()
  await dialog.getByLabel('Name').fill(name)
  await page.route('**/api/account/tokens', (route) => route.fulfill({ status: 500 }), { times: 1 })
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await expect(dialog.getByText('What you typed is still here.')).toBeVisible()
  await page.reload()
  await section.getByRole('button', { name: 'New access token' }).click()
  await expect(dialog.getByLabel('Name')).toHaveValue(name)
  await dialog.getByRole('button', { name: 'Create token' }).click()
  const token = await dialog.getByRole('textbox', { name: 'Access token' }).inputValue()
  const status = async () =>
    (await request.get('/api/projects', { headers: { authorization: `Bearer ${token}` } })).status()
  expect(await status()).toBe(200)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(section.getByRole('listitem')).toContainText('Read · all your projects')
  await section.getByRole('button', { name: `Revoke ${name}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(section.getByRole('listitem')).toHaveCount(0)
  expect(await status()).toBe(401)
})

test('an access token can be created once the list has loaded, or has failed to load', {
  tag: '@long',
}, async ({ page, me }) => {
  const section = page.getByRole('region', { name: 'Access tokens' })
  const create = section.getByRole('button', { name: 'New access token' })
  const answer = await blockRequests(page, '**/api/account/tokens', 'GET')
  await page.goto('/settings')
  await expect(page.getByText(me.email).last()).toBeVisible()
  await expect(section.getByText('Loading your access tokens')).toBeAttached()
  await expect(create).toBeDisabled()
  answer({ status: 403, json: { code: 'forbidden', message: 'No' } })
  await expect(section.getByText('Your access tokens could not be fetched')).toBeVisible()
  await expect(create).toBeEnabled()
  await page.unrouteAll()
  await page.reload()
  await create.click()
  await expect(page.getByRole('dialog', { name: 'New access token' })).toBeVisible()
})

test('an access token is not made for a chosen project that was deleted meanwhile', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const [loaf] = await Promise.all(
    ['Loaf', 'Oven'].map((title) => me.call('createProject', { body: { title, description: 'Bread' } })),
  )
  await openApp(page, '/settings')
  await page.getByRole('button', { name: 'New access token' }).click()
  const dialog = page.getByRole('dialog', { name: 'New access token' })
  const create = dialog.getByRole('button', { name: 'Create token' })
  await dialog.getByLabel('Name').fill('Backup')
  await dialog.getByLabel('All your projects').uncheck()
  await dialog.getByLabel('Loaf').check()
  await me.call('deleteProject', { params: { projectId: loaf?._id ?? '' } })
  await create.click()
  await expect(dialog.getByText('One of these projects is not there any more')).toBeVisible()
  await expect(dialog.getByLabel('Loaf')).toHaveCount(0)
  await create.click()
  await expect(dialog.getByText('Choose at least one project')).toBeVisible()
  await dialog.getByLabel('Oven').check()
  await create.click()
  await expect(dialog.getByLabel('Access token')).toHaveValue(/^mp_/)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByText('Read · Oven')).toBeVisible()
})

test('a new name and the theme apply immediately', { tag: '@long' }, async ({ page, me }) => {
  await page.goto('/settings')
  const profile = page.getByRole('region', { name: 'Profile' })
  await expect(profile.getByLabel('Name')).toHaveValue(me.name)
  await profile.getByLabel('Name').fill('Countess of Lovelace')
  await profile.getByRole('button', { name: 'Save name' }).click()
  await expect(page.getByText('Name saved')).toBeVisible()
  await expect(page.locator('#user-menu').getByText('Countess of Lovelace')).toBeAttached()

  const theme = page.getByRole('group', { name: 'Theme' })
  await theme.getByText('Dark').click()
  await expect(page.locator('html')).toHaveClass(/dark/)
  await page.getByRole('button', { name: 'Toggle theme' }).click()
  await expect(theme.getByLabel('Light')).toBeChecked()
  await expect(page.locator('html')).not.toHaveClass(/dark/)
})

test('a name that was changed in another tab is updated everywhere on the page', { tag: '@long' }, async ({
  page,
  me,
}) => {
  await openApp(page, '/settings')
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue(me.name)
  await me.call('updateAccount', { body: { name: 'Countess of Lovelace' } })
  await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome' })).toBeVisible()
  await page.goBack()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Countess of Lovelace')
  await expect(page.locator('#user-menu').getByText('Countess of Lovelace')).toBeAttached()
})

test('dates and times use the chosen format and time zone everywhere, and a new entry is dated today in that zone', {
  tag: '@long',
}, async ({ page, me }) => {
  const journal = await createJournal(me)
  await openApp(page, '/settings')
  const dates = page.getByRole('region', { name: 'Dates and times' })
  await expect(dates.getByLabel('Time zone')).toHaveValue('')
  await dates.getByLabel('Time zone').selectOption('Pacific/Kiritimati')
  await dates.getByLabel('Date format').selectOption({ value: 'iso' })
  await expect(dates.getByText(/^Now it is \d{4}-\d\d-\d\d \d\d:\d\d\. /)).toBeVisible()
  const { timeZone, dateFormat } = await me.call('readAccount', {})
  expect([timeZone, dateFormat]).toEqual(['Pacific/Kiritimati', 'iso'])
  await expectAccessible(page)

  // Its clocks are 14 hours ahead of UTC, and 25 ahead of those in Pago Pago.
  const days = new Intl.DateTimeFormat('sv', { timeZone: 'Pacific/Kiritimati' })
  const day = days.format(new Date())
  await openApp(page, journal.listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).first().click()
  await expect(page.getByLabel('Date')).toHaveValue(day)
  await page.goBack()
  const { milestoneId, projectPath } = journal
  const entry = await me.call('createEntry', {
    params: { milestoneId },
    body: { title: 'Written by a program', content: 'At night' },
  })
  expect(entry).toMatchObject({ happenedOn: day, happenedZone: 'Pacific/Kiritimati' })
  await page.goto(`${projectPath}/milestones/${milestoneId}/entries/${entry._id}`)
  await expect(page.getByRole('main').getByText(day).first()).toBeVisible()
})

test('a time zone stays chosen while it is being saved and a date format is chosen', {
  tag: '@long',
}, async ({ page, me }) => {
  await openApp(page, '/settings')
  const dates = page.getByRole('region', { name: 'Dates and times' })
  const [zone, format] = [dates.getByLabel('Time zone'), dates.getByLabel('Date format')]
  const release = await blockRequests(page, '**/api/account/dates', 'PUT')
  await zone.selectOption('Pacific/Kiritimati')
  await format.selectOption({ value: 'iso' })
  await expect(format).toHaveValue('iso')
  await expect(zone).toHaveValue('Pacific/Kiritimati')
  release()
  await expect(dates.getByText(/^Now it is \d{4}-\d\d-\d\d \d\d:\d\d\. /)).toBeVisible()
  await expect(zone).toHaveValue('Pacific/Kiritimati')
  expect(await me.call('readAccount', {})).toMatchObject({
    timeZone: 'Pacific/Kiritimati',
    dateFormat: 'iso',
  })
})

test('a profile picture is shown wherever its user is, until it is removed', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { _id: projectId } = await me.call('createProject', { body: { title: 'A canoe', description: 'x' } })
  const body = { title: 'Lumber', description: 'x' }
  const { _id: milestoneId } = await me.call('createMilestone', { params: { projectId }, body })
  const entry = await me.call('createEntry', {
    params: { milestoneId },
    body: { title: 'First boards', content: 'They smell of summer.' },
  })
  await openApp(page, '/settings')
  const profile = page.getByRole('region', { name: 'Profile' })
  await profile.locator('input[type=file]').setInputFiles({
    name: 'me.txt',
    mimeType: 'image/png',
    buffer: Buffer.from('no picture'),
  })
  await expect(profile.getByText('This file is not a picture')).toBeVisible()
  const buffer = await picture(300, 200).png().toBuffer()
  await profile.locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer })
  await expect(profile.getByRole('button', { name: 'Remove picture' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'User menu' }).locator('img')).toBeVisible()
  await expectAccessible(page)

  await page.goto(`/projects/${projectId}/milestones/${milestoneId}/entries/${entry._id}`)
  const shown = page.getByRole('main').locator('img[src^="/api/media/people/"]')
  await expect(shown).toBeVisible()
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(256)

  await openApp(page, '/settings')
  await profile.locator('input[type=file]').setInputFiles({
    name: 'me.txt',
    mimeType: 'image/png',
    buffer: Buffer.from('no picture'),
  })
  await expect(profile.getByText('This file is not a picture')).toBeVisible()
  // The first response is lost.
  await page.route(
    '**/api/account/picture',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await profile.getByRole('button', { name: 'Remove picture' }).click()
  await expect(profile.getByRole('button', { name: 'Choose picture' })).toBeFocused()
  await expect(page.getByText('Failed to remove your picture')).toHaveCount(0)
  await expect(profile.getByText('This file is not a picture')).toHaveCount(0)
  await expect(page.locator('img[src^="/api/media/people/"]')).toHaveCount(0)
})

test('a profile picture that is removed while another one is uploaded stays removed', {
  tag: '@long',
}, async ({ page, me }) => {
  await openApp(page, '/settings')
  const profile = page.getByRole('region', { name: 'Profile' })
  const file = { name: 'me.png', mimeType: 'image/png', buffer: await picture(300, 200).png().toBuffer() }
  await profile.locator('input[type=file]').setInputFiles(file)
  const remove = profile.getByRole('button', { name: 'Remove picture' })
  await expect(remove).toBeVisible()

  const release = await blockRequests(page, '**/api/account/picture', 'PUT')
  const uploading = page.waitForRequest('**/api/account/picture')
  await profile.locator('input[type=file]').setInputFiles(file)
  await uploading
  const isDone = Promise.all(
    ['PUT', 'DELETE'].map((method) => page.waitForResponse((done) => done.request().method() === method)),
  )
  await remove.click()
  // A removal that does not wait is done by then.
  await me.call('prepareExport', { body: {} })
  release()
  await isDone
  await expect(profile.getByRole('button', { name: 'Choose picture' })).toBeFocused()
  expect((await me.call('readAccount', {})).photoURL).toBeUndefined()
})

const lostAnswers = [
  ['of which no answer came', (route) => route.abort(), 'The server cannot be reached.'],
  [
    'that a proxy answered',
    (route) => route.fulfill({ status: 503 }),
    'The server is not available right now.',
  ],
] satisfies [string, (route: Route) => Promise<void>, string][]
for (const [name, lose, said] of lostAnswers)
  test(`a password that was changed by a call ${name} is not reported as incorrect without an explanation`, {
    tag: '@long',
  }, async ({ page, me }) => {
    await page.goto('/settings')
    const form = page.getByRole('region', { name: 'Password' })
    await form.getByLabel('Current password').fill(me.password)
    await form.getByLabel('New password').fill('analytical engine')
    await page.route(
      '**/api/account/password',
      async (route) => {
        await route.fetch()
        await lose(route)
      },
      { times: 1 },
    )
    const change = form.getByRole('button', { name: 'Change password' })
    await change.press('Enter')
    await expect(form.getByText(said)).toBeVisible()
    await expect(form.getByLabel('New password')).toHaveValue('analytical engine')
    await change.press('Enter')
    await expect(form.getByText('Incorrect password. The new one may be saved already')).toBeVisible()
    await expect(form.getByLabel('Current password')).toBeFocused()
  })

test('a name that is typed while another is being saved is kept and saved next', { tag: '@long' }, async ({
  page,
  me: _me,
}) => {
  await page.goto('/settings')
  const profile = page.getByRole('region', { name: 'Profile' })
  const name = profile.getByLabel('Name')
  const save = profile.getByRole('button', { name: 'Save name' })
  const release = await blockRequests(page, '**/api/account', 'PUT')
  await name.fill('Countess')
  await name.press('Enter')
  await expect(save).toHaveAttribute('aria-busy', 'true')
  await name.fill('Countess of Lovelace')
  release()
  await expect(page.getByText('Name saved')).toBeVisible()
  await expect(page.locator('#user-menu').getByText('Countess', { exact: true })).toBeAttached()
  await expect(name).toHaveValue('Countess of Lovelace')
  await page.reload()
  await expect(name).toHaveValue('Countess of Lovelace')
  await save.click()
  await expect(page.locator('#user-menu').getByText('Countess of Lovelace')).toBeAttached()
  await page.reload()
  await expect(name).toHaveValue('Countess of Lovelace')
  await expect(save).toBeDisabled()
})

for (const [when, isFirst] of [
  ['before', true],
  ['after', false],
] as const)
  test(`a name typed ${when} the one that another tab saves survives`, { tag: '@long' }, async ({
    page,
    context,
    me: _me,
  }) => {
    const other = await context.newPage()
    for (const tab of [page, other]) await openApp(tab, '/settings')
    for (const tab of isFirst ? [page, other] : [other, page])
      await tab.getByLabel('Name', { exact: true }).fill(tab === page ? 'Countess of Lovelace' : 'Countess')
    await other.getByRole('button', { name: 'Save name' }).click()
    await expect(other.getByText('Name saved')).toBeVisible()
    await page.reload()
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Countess of Lovelace')
    await expect(page.getByRole('button', { name: 'Save name' })).toBeEnabled()
  })

test('notification settings that are switched off stay off', { tag: '@long' }, async ({ page, me: _me }) => {
  await openApp(page, '/settings')
  const choice = page.getByRole('checkbox', { name: 'My role in a project changes: in Milepost' })
  await choice.click()
  await expect(choice).not.toBeChecked()
  await page
    .getByRole('checkbox', { name: /^Somebody leaves my project .* a webhook is switched off/ })
    .click()
  await expect(page.getByRole('columnheader', { name: 'By email' }), 'without mail').toHaveCount(0)
  await expectAccessible(page)
  await expect
    .poll(async () => {
      await page.reload()
      await expect(choice).toBeVisible()
      return page
        .getByRole('region', { name: 'Notifications' })
        .getByRole('checkbox', { checked: false })
        .count()
    })
    .toBe(2)
})

test('notification settings changed in one tab keep those changed in another, and a failure changes nothing', {
  tag: '@long',
}, async ({ page, context, me }) => {
  const choiceOf = (tab: Page, name: string) => tab.getByRole('checkbox', { name: `${name}: in Milepost` })
  const saved = async () => (await me.call('readAccount', {})).notifications.muted
  const other = await context.newPage()
  for (const tab of [page, other]) await openApp(tab, '/settings')
  await expect(choiceOf(other, 'My role in a project changes')).toBeChecked()
  await choiceOf(page, 'My role in a project changes').click()
  await expect.poll(saved).toEqual(['role_updated'])
  await choiceOf(other, 'Somebody invites me to a project').click()
  await expect.poll(saved).toEqual(['role_updated', 'collaboration_invite'])
  await expect(choiceOf(other, 'My role in a project changes')).not.toBeChecked()

  const release = await blockRequests(page, '**/api/account/notifications', 'PUT')
  await choiceOf(page, 'My role in a project changes').click()
  await choiceOf(other, 'I am removed from a project, or an invitation is withdrawn').click()
  await expect.poll(saved).toEqual(['role_updated', 'collaboration_invite', 'collaboration_removed'])
  release()
  await expect.poll(saved).toEqual(['collaboration_invite', 'collaboration_removed'])

  await context.setOffline(true)
  await choiceOf(other, 'Somebody invites me to a project').click()
  await expect(other.getByText('Failed to save your notification settings')).toBeVisible()
  await expect(choiceOf(other, 'Somebody invites me to a project')).not.toBeChecked()
})

test('an account is deleted with its password, and kept by signing in within seven days', {
  tag: '@long',
}, async ({ page, me }) => {
  await openApp(page, '/settings')
  const section = page.getByRole('region', { name: 'Delete my account' })
  await section.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete my account' })
  await dialog.getByLabel('Your email address').fill('another@example.com')
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect(dialog.getByText('Enter the email address of your account')).toBeVisible()
  await expect(dialog.getByLabel('Your email address')).toBeFocused()
  await dialog.getByLabel('Your email address').fill(me.email)
  const release = await blockRequests(page, '**/api/account/deletion', 'POST')
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(dialog, 'while the account is being deleted').toBeVisible()
  release()
  await expect(page.getByText('Sign in before then to keep it.')).toBeVisible()
  await expectAllClosed(page)

  await openApp(page, '/login')
  await page.getByLabel('Email').fill(me.email)
  await page.getByLabel('Password', { exact: true }).fill(me.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const question = page.getByRole('alertdialog', { name: 'Keep your account?' })
  await expect(question).toContainText('This account will be deleted on')
  await question.getByRole('button', { name: 'Keep my account' }).click()
  await expect(page).toHaveURL('/dashboard')
})

test('all data of an account can be downloaded as an archive, also from the section that deletes the account', {
  tag: '@long',
}, async ({ page, me }) => {
  await me.call('createProject', { body: { title: 'A radio', description: 'Soldered' } })
  await page.goto('/settings')
  for (const name of ['Download everything', 'Download everything first']) {
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name, exact: true }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/^milepost-[\d-]+\.zip$/)
    const archive = await buffer(await download.createReadStream())
    expect(archive.subarray(0, 2).toString()).toBe('PK')
    expect(archive.includes('projects/a-radio/project.md')).toBe(true)
  }
  await expect(page).toHaveURL(/\/settings$/)
})

test('the access token dialog stays open until it can show the token', { tag: '@long' }, async ({
  page,
  me: _me,
}) => {
  await page.goto('/settings')
  await page.getByRole('button', { name: 'New access token' }).click()
  const dialog = page.getByRole('dialog', { name: 'New access token' })
  await dialog.getByLabel('Name').fill('Nightly copy')
  const release = await blockRequests(page, '**/api/account/tokens', 'POST')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled()
  await page.keyboard.press('Escape')
  for (const _time of [1, 2]) {
    await page.goBack()
    await expectLayers(page, 1)
  }
  release()
  await expect(dialog.getByRole('textbox', { name: 'Access token' })).toHaveValue(/^mp_/)
  await expect(page).toHaveURL('/settings')
})

test('pressing twice signs a session out once', { tag: '@long' }, async ({ page, me, request }) => {
  await request.post('/api/auth/sign-in/email', {
    data: { email: me.email, password: me.password },
    headers: { origin: process.env.MILEPOST_URL ?? '' },
  })
  await openApp(page, '/settings')
  let calls = 0
  page.on('request', (sent) => {
    if (sent.method() === 'DELETE') calls += 1
  })
  const sessions = page.getByRole('list', { name: 'Sessions' })
  await pressTwice(sessions.getByRole('button', { name: /^Sign out/ }))
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  await expect(page.getByText(/^Signed out/)).toBeVisible()
  expect(calls).toBe(1)
})

/** Counts the calls that a page sends from now on. */
function countCalls(page: Page, method: string, path: string): () => number {
  let calls = 0
  page.on('request', (sent) => {
    if (sent.method() === method && new URL(sent.url()).pathname === path) calls += 1
  })
  return () => calls
}

test('pressing twice saves the name once', { tag: '@long' }, async ({ page, me: _me }) => {
  await openApp(page, '/settings')
  const calls = countCalls(page, 'PUT', '/api/account')
  await page.getByLabel('Name', { exact: true }).fill('Ada King')
  await pressTwice(page.getByRole('button', { name: 'Save name' }))
  await expect(page.getByText('Name saved')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save name' })).toBeDisabled()
  expect(calls()).toBe(1)
})

test('pressing twice prepares one archive', { tag: '@long' }, async ({ page, me: _me }) => {
  await openApp(page, '/settings')
  const calls = countCalls(page, 'POST', '/api/exports')
  const downloading = page.waitForEvent('download')
  await pressTwice(page.getByRole('button', { name: 'Download everything', exact: true }))
  await downloading
  expect(calls()).toBe(1)
})

test('pressing twice deletes the account once', { tag: '@long' }, async ({ page, me }) => {
  await openApp(page, '/settings')
  const calls = countCalls(page, 'POST', '/api/account/deletion')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete my account' })
  await dialog.getByLabel('Your email address').fill(me.email)
  await pressTwice(dialog.getByRole('button', { name: 'Delete my account' }))
  await expect(page.getByText('Your account will be deleted on')).toBeVisible()
  expect(calls()).toBe(1)
})

test('pressing twice changes the password once', { tag: '@long' }, async ({ page, me }) => {
  await openApp(page, '/settings')
  const calls = countCalls(page, 'PUT', '/api/account/password')
  await page.getByLabel('Current password').fill(me.password)
  await page.getByLabel('New password').fill('another-engine-password')
  await pressTwice(page.getByRole('button', { name: 'Change password' }))
  await expect(page.getByText('Your password is changed.')).toBeVisible()
  expect(calls()).toBe(1)
})

test('pressing twice creates one access token', { tag: '@long' }, async ({ page, me: _me }) => {
  await openApp(page, '/settings')
  const calls = countCalls(page, 'POST', '/api/account/tokens')
  await page.getByRole('button', { name: 'New access token' }).click()
  const dialog = page.getByRole('dialog', { name: 'New access token' })
  await dialog.getByLabel('Name').fill('Nightly copy')
  await pressTwice(dialog.getByRole('button', { name: 'Create token' }))
  await expect(dialog.getByRole('textbox', { name: 'Access token' })).toHaveValue(/^mp_/)
  expect(calls()).toBe(1)
})
