import type { Page } from '@playwright/test'
import { createAccount, signUp } from '#testing/account.ts'
import { type RunningServer, startServer } from '#testing/start-server.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import {
  blockRequests,
  expect,
  expectAllClosed,
  loseResponses,
  openApp,
  pressTwice,
  sizes,
  test,
  visitor,
} from './fixtures/journey.ts'

let server: RunningServer
test.beforeAll(async () => {
  server = await startServer()
})
test.afterAll(() => server.stop())

test('the first account decides who may register, approves, suspends and announces; for others the page does not exist', {
  tag: '@long',
}, async ({ page, browser }) => {
  const { url } = server
  await openApp(page, `${url}/register`)
  await page.getByLabel('Full Name').fill('Grace Hopper')
  await page.getByLabel('Email').fill('grace@example.com')
  await page.getByLabel('Password', { exact: true }).fill('compilers are fine')
  await page.getByLabel('Confirm Password').fill('compilers are fine')
  await page.getByLabel('I accept the terms and conditions').check()
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome, Grace Hopper' })).toBeVisible()

  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByText(/As an administrator, you change it under Administration/)).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Administration' }).first().click()
  await expect(page.getByRole('heading', { name: 'Administration', level: 1 })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Keep registration open?' })).toBeVisible()
  await expectAccessible(page)
  const registration = page.getByRole('region', { name: 'Registration' })
  await registration.getByLabel('By approval').check()
  await registration.getByRole('button', { name: 'Save registration' }).click()
  await expect(page.getByText('Registration saved')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Keep registration open?' })).toHaveCount(0)
  await expect(registration.getByRole('button', { name: 'Save registration' })).toBeFocused()

  const ada = await visitor(browser, { baseURL: url })
  await openApp(ada, '/register')
  await ada.getByLabel('Full Name').fill('Ada Lovelace')
  await ada.getByLabel('Email').fill('ada@example.com')
  await ada.getByLabel('Password', { exact: true }).fill('difference engine')
  await ada.getByLabel('Confirm Password').fill('difference engine')
  await ada.getByLabel('I accept the terms and conditions').check()
  await ada.getByRole('button', { name: 'Create Account' }).click()
  await expect(ada.getByRole('heading', { name: 'Your account is created' })).toBeVisible()
  await expect(ada.getByText('Your account waits for an administrator')).toBeVisible()
  await expectAccessible(ada)

  const invited = page.getByRole('region', { name: 'Invitations' }).getByLabel('Email')
  await invited.fill('guest@example.com')
  await registration.getByLabel('Allowed email domains').fill('example.org')
  await page.reload()
  await expect(invited).toHaveValue('guest@example.com')
  await expect(registration.getByText('What you typed and did not save is back.')).toBeVisible()
  await expect(registration.getByLabel('Allowed email domains')).toHaveValue('example.org')
  await registration.getByRole('button', { name: 'Discard it' }).click()
  await expect(registration.getByLabel('Allowed email domains')).toHaveValue('')
  const send = await blockRequests(page, '**/api/admin/invitations', 'POST')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await invited.fill('friend@example.com')
  send()
  await expect(page.getByText('Copy the link and give it to guest@example.com')).toBeVisible()
  await expect(invited, 'typed meanwhile').toHaveValue('friend@example.com')
  await page.getByRole('button', { name: 'Approve Ada Lovelace' }).click()
  await expect(page.getByText('Ada Lovelace can sign in now')).toBeVisible()
  await expect(page.getByRole('list', { name: 'People' })).toBeFocused()
  await ada.getByRole('link', { name: 'Sign in' }).last().click()
  await ada.getByLabel('Email').fill('ada@example.com')
  await ada.getByLabel('Password', { exact: true }).fill('difference engine')
  await ada.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(ada.getByRole('heading', { name: 'Welcome, Ada Lovelace' })).toBeVisible()
  await ada.goto('/admin')
  await expect(ada.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()

  const adasActions = page.getByRole('button', { name: 'Actions for Ada Lovelace' })
  await adasActions.click()
  await page.getByRole('button', { name: 'Change storage limit' }).click()
  const limit = page.getByRole('dialog', { name: 'Storage limit of Ada Lovelace' })
  await limit.getByLabel('Limit in GB').fill('plenty')
  await limit.getByRole('button', { name: 'Save limit' }).click()
  await expect(limit.getByText('Enter a number of gigabytes')).toBeVisible()
  await expectAccessible(page)
  await limit.getByLabel('Limit in GB').fill('10')
  await limit.getByRole('button', { name: 'Save limit' }).click()
  await expect(page.getByRole('article', { name: 'Ada Lovelace' })).toContainText('of 10 GB')
  await expectAllClosed(page)
  await adasActions.click()
  await page.getByRole('button', { name: 'Change address' }).click()
  const address = page.getByRole('dialog', { name: 'A new address for Ada Lovelace' })
  await address.getByLabel('New email').fill('grace@example.com')
  await address.getByRole('button', { name: 'Change address' }).click()
  await expect(address.getByText('An account with this email already exists')).toBeVisible()
  await expectAccessible(page)
  await address.getByRole('button', { name: 'Cancel' }).click()
  await expectAllClosed(page)

  await adasActions.click()
  await page.getByRole('button', { name: 'Suspend', exact: true }).click()
  const question = page.getByRole('alertdialog', { name: 'Suspend Ada Lovelace?' })
  await question.getByRole('button', { name: 'Suspend' }).click()
  await expect(page.getByText('Ada Lovelace is suspended')).toBeVisible()
  await expectAllClosed(page)
  await expect(ada.getByText('Your session has ended. Sign in to go on.')).toBeVisible()
  await ada.getByLabel('Email').fill('ada@example.com')
  await ada.getByLabel('Password', { exact: true }).fill('difference engine')
  await ada.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(ada.getByRole('alert')).toContainText('This account is suspended.')

  await page.getByLabel('Text', { exact: true }).fill('Away on Sunday, <b>all day</b>')
  await page.getByRole('button', { name: 'Save announcement' }).click()
  const announcement = page.getByRole('region', { name: 'Message from the administrators' })
  await expect(announcement).toHaveText('Away on Sunday, <b>all day</b>')
  const terms = page.getByRole('textbox', { name: 'Terms and conditions' })
  await terms.fill('Be *kind*')
  await page.getByRole('button', { name: 'Save terms' }).click()
  await expect(page.getByText('Terms saved')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove terms' })).toBeVisible()
  await expect(page.getByText('Email is not set up')).toBeVisible()
  await expect(page.getByText('Nothing has failed.')).toBeVisible()
  await expectAccessible(page)
  await announcement.getByRole('button', { name: 'Dismiss' }).press('Enter')
  await expect(page.getByText('Away on Sunday, <b>all day</b>', { exact: true })).toHaveCount(0)
  await expect(page.getByRole('main')).toBeFocused()

  await openApp(ada, '/register')
  await expect(ada.getByRole('region', { name: 'Message from the administrators' })).toHaveText(
    'Away on Sunday, <b>all day</b>',
  )
  await expectAccessible(ada)
  await expect(ada.getByRole('link', { name: 'Read the terms and conditions' })).toHaveAttribute(
    'href',
    '/terms',
  )
  await openApp(ada, '/terms')
  await expect(ada.getByRole('heading', { name: 'Terms and conditions' })).toBeVisible()
  await expect(ada.getByRole('main').locator('em')).toHaveText('kind')
  await expect(ada.getByRole('region', { name: 'Message from the administrators' })).toHaveCount(0)
  await expectAccessible(ada)
  await ada.context().close()
})

test('actions on an account run one at a time, and a password reset link is shown even if its owner begins to delete the account', {
  tag: '@long',
}, async ({ browser }) => {
  const { url, stop } = await startServer()
  const page = await visitor(browser, { baseURL: url })
  await signUp(page, url, 'Grace Hopper')
  const ada = await createAccount(url, 'Ada Lovelace')
  await openApp(page, '/admin')
  const menu = page.getByRole('button', { name: 'Actions for Ada Lovelace' })
  const makeLink = page.getByRole('button', { name: 'Link for a new password' })
  const release = await blockRequests(page, '**/reset-link')
  await menu.press('Enter')
  await makeLink.press('Enter')
  await expect(page.getByRole('article', { name: 'Ada Lovelace' }).getByRole('status')).toHaveText('Working…')
  await expect(menu).toBeFocused()
  await menu.press('Enter')
  await expect(makeLink).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Suspend', exact: true })).toBeDisabled()
  await ada.call('deleteAccount', { body: { email: ada.email } })
  release()
  const link = page.getByRole('dialog', { name: 'A new password for Ada Lovelace' })
  await expect(page.getByText('Being deleted')).toBeVisible()
  await expect(link).toBeVisible()
  await link.getByRole('button', { name: 'Close' }).last().click()
  await expect(link).toHaveCount(0)
  await page.context().close()
  await stop()
})

test('a list that is fetched again keeps the focus, instead of the button at its end', {
  tag: '@long',
}, async ({ browser }) => {
  const { url, stop } = await startServer()
  const page = await visitor(browser, { baseURL: url })
  await signUp(page, url, 'Grace Hopper')
  const isPeople = (path: URL) => path.pathname === '/api/admin/people'
  await page.route(isPeople, (route) => route.fulfill({ status: 500 }))
  await openApp(page, '/admin')
  const people = page.getByRole('region', { name: 'People', exact: true })
  await expect(people.getByText('The people could not be fetched')).toBeVisible()
  await page.unroute(isPeople)
  const answer = Promise.withResolvers<void>()
  await page.route(isPeople, async (route) => {
    const response = await route.fetch()
    const { people } = await response.json()
    await answer.promise
    await route.fulfill({ response, json: { people, next: people[0]._id } })
  })
  await people.getByRole('button', { name: 'Try again' }).press('Enter')
  await expect(people).toBeFocused()
  answer.resolve()
  await expect(people.getByRole('button', { name: 'Show earlier' })).toBeVisible()
  await expect(people).toBeFocused()
  await page.context().close()
  await stop()
})

test('a password reset link is shown even if a search has removed the row of its account', {
  tag: '@long',
}, async ({ browser }) => {
  const { url, stop } = await startServer()
  const page = await visitor(browser, { baseURL: url })
  await signUp(page, url, 'Grace Hopper')
  await createAccount(url, 'Ada Lovelace')
  await openApp(page, '/admin')
  const release = await blockRequests(page, '**/reset-link')
  await page.getByRole('button', { name: 'Actions for Ada Lovelace' }).click()
  await page.getByRole('button', { name: 'Link for a new password' }).click()
  await page.getByLabel('Search people').fill('Grace')
  await expect(page.getByRole('article', { name: 'Ada Lovelace' })).toHaveCount(0)
  release()
  const link = page.getByRole('dialog', { name: 'A new password for Ada Lovelace' })
  await expect(link.getByLabel('Link')).toHaveValue(/\/reset-password\/./)
  await page.keyboard.press('Escape')
  await expect(link).toHaveCount(0)
  await expect(page.getByLabel('Search people')).toBeFocused()
  await page.context().close()
  await stop()
})

test('a search that is under way does not claim that nobody was found, and lists that cannot be fetched again say so', {
  tag: '@long',
}, async ({ browser }) => {
  const { url, stop } = await startServer()
  const page = await visitor(browser, { baseURL: url })
  await signUp(page, url, 'Grace Hopper')
  await openApp(page, '/admin')
  const people = page.getByRole('region', { name: 'People', exact: true })
  const grace = people.getByRole('article', { name: 'Grace Hopper' })
  await people.getByLabel('Search people').fill('nobody')
  await expect(people.getByText('No account matches “nobody”.')).toBeVisible()
  const release = await blockRequests(page, /\/api\/admin\/people\?/)
  await people.getByLabel('Search people').fill('Grace')
  await expect(people.getByText('Loading the people')).toBeVisible()
  await expect(people.getByText('Nobody found')).toHaveCount(0)
  release()
  await expect(grace).toBeVisible()
  await expect(people.getByText('Loading the people')).toHaveCount(0)

  const isList = (path: URL) => /^\/api\/admin\/[a-z-]+$/.test(path.pathname)
  await page.route(isList, (route) => (route.request().method() === 'GET' ? route.abort() : route.fallback()))
  await page.getByLabel('Text', { exact: true }).fill('Away on Sunday')
  await page.getByRole('button', { name: 'Save announcement' }).click()
  await expect(page.getByText('Announcement saved')).toBeVisible()
  const notice = page.getByText('This could not be fetched again, and may be out of date.')
  for (const name of ['People', 'Invitations', 'This server', 'Audit log'])
    await expect(page.getByRole('region', { name, exact: true }).locator(notice)).toBeVisible()
  await page.unroute(isList)
  await people.getByRole('button', { name: 'Try again' }).click()
  await expect(notice).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Audit log' })).toContainText('changed the announcement')
  await page.context().close()
  await stop()
})

test('pressing twice saves a setting, invites, withdraws and changes an address once', {
  tag: '@long',
}, async ({ browser }) => {
  const { url, stop } = await startServer()
  const page = await visitor(browser, { baseURL: url })
  await signUp(page, url, 'Grace Hopper')
  await createAccount(url, 'Ada Lovelace')
  await openApp(page, '/admin')
  const sent: string[] = []
  page.on('request', (request) => {
    // Others, such as the renewal of a token, may come at any time.
    const isChange = request.method() !== 'GET' && request.url().includes('/api/admin/')
    if (isChange) sent.push(request.method())
  })
  await pressTwice(page.getByRole('button', { name: 'Keep it open' }))
  await expect(page.getByRole('heading', { name: 'Keep registration open?' })).toHaveCount(0)
  await page.getByRole('region', { name: 'Invitations' }).getByLabel('Email').fill('ada@example.com')
  await pressTwice(page.getByRole('button', { name: 'Invite', exact: true }))
  await pressTwice(page.getByRole('button', { name: 'Withdraw the invitation of ada@example.com' }))
  await expect(page.getByText('The invitation of ada@example.com is withdrawn')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Open invitations' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Actions for Ada Lovelace' }).click()
  await page.getByRole('button', { name: 'Change address' }).click()
  const dialog = page.getByRole('dialog', { name: 'A new address for Ada Lovelace' })
  await dialog.getByLabel('New email').fill('ada.lovelace@example.com')
  await pressTwice(dialog.getByRole('button', { name: 'Change address' }))
  await expect(page.getByText('Ada Lovelace signs in with ada.lovelace@example.com now')).toHaveCount(1)
  expect(sent).toEqual(['PUT', 'POST', 'DELETE', 'PUT'])
  await page.context().close()
  await stop()
})

test('the account menu stays within the viewport, and a limit that cannot be saved shows one error message, even after its dialog is closed', {
  tag: '@long',
}, async ({ browser }) => {
  const { url, stop } = await startServer()
  const page = await visitor(browser, { baseURL: url })
  await page.setViewportSize(sizes.phone)
  await signUp(page, url, 'Grace Hopper')
  await createAccount(url, 'Ada Lovelace')
  await openApp(page, '/admin')
  const menu = page.getByRole('button', { name: 'Actions for Ada Lovelace' })
  await menu.evaluate((button) => button.scrollIntoView({ block: 'end' }))
  await menu.click()
  await expect(page.getByRole('button', { name: 'Suspend', exact: true })).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: 'Change storage limit' }).click()
  const limit = page.getByRole('dialog', { name: 'Storage limit of Ada Lovelace' })
  await limit.getByLabel('Limit in GB').fill('much')
  await limit.getByRole('button', { name: 'Save limit' }).click()
  await expect(limit.getByText('Enter a number of gigabytes')).toBeVisible()
  await expect(limit.getByLabel('Limit in GB')).toBeFocused()
  await limit.getByLabel('Limit in GB').fill('12')
  await page.route('**/api/admin/people/*', (route) => route.fulfill({ status: 500 }))
  await limit.getByRole('button', { name: 'Save limit' }).click()
  await expect(limit.getByText('The server is not available right now. Please try again.')).toBeVisible()
  const messages = page.getByRole('list', { name: 'Messages' }).getByRole('listitem')
  await expect(messages).toHaveCount(0)

  const refuse = await blockRequests(page, '**/api/admin/people/*')
  await limit.getByRole('button', { name: 'Save limit' }).click()
  await limit.getByRole('button', { name: 'Cancel' }).click()
  await expectAllClosed(page)
  await menu.click()
  await page.getByRole('button', { name: 'Change storage limit' }).click()
  refuse({ status: 500, json: {} })
  await expect(messages, 'of the dialog that was closed').toHaveText(['Failed to change the storage limit'])
  await expect(limit.getByLabel('Limit in GB'), 'in the dialog that was opened since').toBeVisible()
  await page.context().close()
  await stop()
})

test('a conflict with another administrator’s changes shows both versions before anything is overwritten', {
  tag: '@long',
}, async ({ browser }) => {
  const { url, stop } = await startServer()
  const page = await visitor(browser, { baseURL: url })
  await signUp(page, url, 'Grace Hopper')
  await openApp(page, '/admin')
  const other = await page.context().newPage()
  await openApp(other, '/admin')

  const terms = page.getByRole('textbox', { name: 'Terms and conditions' })
  const section = page.getByRole('region', { name: 'Terms and conditions' })
  await expect(terms).toHaveValue('')
  await terms.fill('Be brave')
  await other.getByRole('textbox', { name: 'Terms and conditions' }).fill('Be kind')
  await other.getByRole('button', { name: 'Save terms' }).click()
  await expect(other.getByText('Terms saved')).toBeVisible()
  await page.getByRole('button', { name: 'Save terms' }).click()
  await expect(section.getByRole('alert')).toContainText('This was changed elsewhere while you were typing.')
  await expect(section.getByRole('alert')).toContainText('Be kind')
  await expect(terms).toHaveValue('Be brave')
  await expectAccessible(page)
  await page.reload()
  await expect(terms, 'kept across a reload').toHaveValue('Be brave')
  await page.getByRole('button', { name: 'Save terms' }).click()
  await expect(section.getByRole('alert')).toContainText('Be kind')
  await section.getByRole('button', { name: 'Use this' }).click()
  await expect(terms).toHaveValue('Be kind')
  await expect(section.getByRole('alert')).toHaveCount(0)

  const registration = page.getByRole('region', { name: 'Registration' })
  const others = other.getByRole('region', { name: 'Registration' })
  await registration.getByLabel('By approval').check()
  await others.getByLabel('Allowed email domains').fill('example.org')
  await others.getByRole('button', { name: 'Save registration' }).click()
  await expect(other.getByText('Registration saved')).toBeVisible()
  await registration.getByRole('button', { name: 'Save registration' }).click()
  await expect(registration.getByRole('alert')).toContainText('example.org')
  await expect(registration.getByLabel('By approval')).toBeChecked()
  await expect(registration.getByLabel('Allowed email domains')).toHaveValue('example.org')
  await registration.getByRole('button', { name: 'Save registration' }).click()
  await expect(page.getByText('Registration saved')).toBeVisible()
  await expect(registration.getByRole('alert')).toHaveCount(0)
  await page.context().close()
  await stop()
})

test('a text typed before another tab saves its own survives a reload', { tag: '@long' }, async ({
  browser,
}) => {
  const { url, stop } = await startServer()
  const page = await visitor(browser, { baseURL: url })
  await signUp(page, url, 'Grace Hopper')
  const other = await page.context().newPage()
  for (const tab of [page, other]) await openApp(tab, '/admin')
  const section = (tab: Page) => tab.getByRole('region', { name: 'Announcement', exact: true })
  await section(page).getByLabel('Text').fill('Away on Sunday')
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Welcome' })).toBeVisible()
  await page.goBack()
  await expect(section(page).getByLabel('Text')).toHaveValue('Away on Sunday')
  await section(other).getByLabel('Text').fill('Back on Monday')
  await blockRequests(other, '**/api/admin')
  await section(other).getByRole('button', { name: 'Save announcement' }).click()
  await expect(other.getByText('Announcement saved')).toBeVisible()
  // Removed only once everything is fetched again, it could be that of the other tab.
  expect(await other.evaluate(() => JSON.stringify(localStorage))).not.toContain('Back on Monday')
  await page.reload()
  await expect(section(page).getByLabel('Text')).toHaveValue('Away on Sunday')
  await page.context().close()
  await stop()
})

test('a change that was saved although its response was lost causes no conflict', {
  tag: '@long',
}, async ({ browser }) => {
  const { url, stop } = await startServer()
  const page = await visitor(browser, { baseURL: url })
  await signUp(page, url, 'Grace Hopper')
  await openApp(page, '/admin')
  /** Drops the responses to a number of saves; the first reaches the server, later ones do not. */
  const loseResponses = async (tries: number) => {
    let isDone = false
    await page.route(
      /\/api\/admin\/(announcement|terms|registration)$/,
      async (route) => {
        if (!isDone) await route.fetch()
        isDone = true
        await route.abort()
      },
      { times: tries },
    )
  }
  const section = (name: string) => page.getByRole('region', { name, exact: true })
  const ALL_TRIES = 3

  await loseResponses(1)
  const terms = section('Terms and conditions')
  await terms.getByLabel('Terms and conditions').fill('Be kind.')
  await terms.getByRole('button', { name: 'Save terms' }).click()
  await expect(page.getByText('Terms saved')).toBeVisible()
  await loseResponses(1)
  const registration = section('Registration')
  await registration.getByLabel('By approval').check()
  await registration.getByLabel('Allowed email domains').fill('Example.org')
  await registration.getByRole('button', { name: 'Save registration' }).click()
  await expect(page.getByText('Registration saved')).toBeVisible()
  await expect(page.getByText(/Failed/)).toHaveCount(0)

  await page.route('**/api/admin', (route) => route.abort())
  await loseResponses(ALL_TRIES)
  const announcement = section('Announcement')
  await announcement.getByLabel('Text').fill('Away on Sunday')
  const save = announcement.getByRole('button', { name: 'Save announcement' })
  await save.click()
  await expect(page.getByText('Announcement saved')).toBeVisible()
  await announcement.getByLabel('Text').fill('Away on Sunday morning')
  await save.click()
  await expect(page.getByText('Announcement saved')).toBeVisible()
  await expect(announcement.getByRole('alert')).toHaveCount(0)
  await page.unroute('**/api/admin')
  await page.reload()
  await expect(announcement.getByLabel('Text')).toHaveValue('Away on Sunday morning')
  await expect(announcement.getByText('What you typed and did not save is back.')).toHaveCount(0)
  await page.context().close()
  await stop()
})

test('a text that is being saved cannot be removed, refused fields get the focus, and correcting a refused domain clears its error', {
  tag: '@long',
}, async ({ browser }) => {
  const { url, stop } = await startServer()
  const page = await visitor(browser, { baseURL: url })
  await signUp(page, url, 'Grace Hopper')
  await openApp(page, '/admin')
  for (const [name, label, verb] of [
    ['Announcement', 'Text', 'announcement'],
    ['Terms and conditions', 'Terms and conditions', 'terms'],
  ] as const) {
    const section = page.getByRole('region', { name, exact: true })
    const save = section.getByRole('button', { name: `Save ${verb}` })
    const remove = section.getByRole('button', { name: `Remove ${verb}` })
    await section.getByLabel(label).fill('Be kind')
    await save.click()
    await expect(remove).toBeEnabled()
    const send = await blockRequests(page, `**/api/admin/${verb}`, 'PUT')
    await section.getByLabel(label).fill('Be brave')
    await save.click()
    await expect(remove).toBeDisabled()
    send()
    await expect(remove).toBeEnabled()
    await expect(section.getByLabel(label)).toHaveValue('Be brave')
  }

  for (const [label, text, verb] of [
    ['Text', 'x'.repeat(301), 'Save announcement'],
    ['Email', 'nobody', 'Invite'],
  ] as const) {
    const field = page.getByLabel(label, { exact: true })
    await field.fill(text)
    await page.getByRole('button', { name: verb, exact: true }).press('Enter')
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(field).toBeFocused()
  }
  const registration = page.getByRole('region', { name: 'Registration' })
  const domains = registration.getByLabel('Allowed email domains')
  await domains.fill('not a domain')
  await registration.getByRole('button', { name: 'Save registration' }).click()
  await expect(domains).toHaveAttribute('aria-invalid', 'true')
  await expect(domains).toBeFocused()
  await domains.press('End')
  await domains.pressSequentially('s')
  await expect(domains).not.toHaveAttribute('aria-invalid', 'true')
  await page.context().close()
  await stop()
})

test('actions of an administrator are done once if responses are lost for a while', { tag: '@long' }, async ({
  browser,
}) => {
  const { url, stop } = await startServer()
  const page = await visitor(browser, { baseURL: url })
  await signUp(page, url, 'Grace Hopper')
  await createAccount(url, 'Ada Lovelace')
  await openApp(page, '/admin')
  const choose = async (action: string) => {
    await page.getByRole('button', { name: 'Actions for Ada Lovelace' }).click()
    await page.getByRole('button', { name: action, exact: true }).click()
  }
  const dialog = page.getByRole('dialog', { name: /Ada Lovelace/ })

  let reconnect = await loseResponses(page, 'PUT', /\/people\/[^/]+$/)
  await choose('Suspend')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend' }).click()
  await reconnect()
  await expect(page.getByText('Ada Lovelace is suspended')).toBeVisible()
  reconnect = await loseResponses(page, 'PUT', /\/people\/[^/]+$/)
  await choose('Change storage limit')
  await dialog.getByLabel('Limit in GB').fill('2')
  await dialog.getByRole('button', { name: 'Save limit' }).click()
  await reconnect()
  await expect(page.getByText('The storage limit of Ada Lovelace is changed')).toBeVisible()
  reconnect = await loseResponses(page, 'PUT', /\/people\/[^/]+\/email$/)
  await choose('Change address')
  await dialog.getByLabel('New email').fill('Countess@example.com')
  await dialog.getByRole('button', { name: 'Change address' }).click()
  await reconnect()
  await expect(page.getByText('Ada Lovelace signs in with Countess@example.com now')).toBeVisible()
  await expect(dialog).toHaveCount(0)

  const invitations = page.getByRole('region', { name: 'Invitations' })
  reconnect = await loseResponses(page, 'POST', /\/invitations$/)
  await invitations.getByLabel('Email').fill('guest@example.com')
  await invitations.getByRole('button', { name: 'Invite', exact: true }).click()
  await reconnect()
  await expect(page.getByText('Copy the link and give it to guest@example.com')).toBeVisible()
  reconnect = await loseResponses(page, 'DELETE', /\/invitations\/[^/]+$/)
  await invitations.getByRole('button', { name: /^Withdraw/ }).click()
  await reconnect()
  await expect(page.getByText('The invitation of guest@example.com is withdrawn')).toBeVisible()
  await expect(page.getByText(/^Failed|cannot be reached/)).toHaveCount(0)
  await page.context().close()
  await stop()
})
