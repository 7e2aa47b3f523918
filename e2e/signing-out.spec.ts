import { chromium, type Page } from '@playwright/test'
import { type Account, signUp } from '#testing/account.ts'
import { createJournal, createProject } from '#testing/journal.ts'
import { expectFitting } from './fixtures/accessibility.ts'
import {
  blockRequests,
  expect,
  expectAllClosed,
  openApp,
  stopTime,
  test,
  visitor,
  waitUntilShown,
} from './fixtures/journey.ts'

async function signOut(page: Page) {
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
}

async function signIn(page: Page, { email, password }: Account) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Signs out, and signs another person in from the landing page. */
async function changePerson(page: Page, next: Account, { keepsText = false } = {}) {
  await signOut(page)
  if (keepsText) await page.getByRole('button', { name: 'Keep it here' }).click()
  await expect(page).toHaveURL('/')
  await page.getByRole('link', { name: 'Sign In' }).first().click()
  await signIn(page, next)
}

/** Signs somebody else in by another tab, as if `page` had been suspended since before its person signed out. */
async function takeOver(page: Page, { token }: Account) {
  const other = await page.context().newPage()
  await other.goto('/robots.txt')
  await other.evaluate((next) => localStorage.setItem('token', next), token)
  await other.close()
}

async function fillProject(page: Page) {
  await page.getByRole('button', { name: 'New Project' }).click()
  await page.getByLabel('Project Title').fill('Canoe')
  await page.getByLabel('Description').fill('Strips')
}

test('Back to a public page after signing out elsewhere shows no member', { tag: '@long' }, async ({
  baseURL,
}) => {
  // Playwright turns the cache of pages off.
  const browser = await chromium.launch({
    ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
    args: ['--no-sandbox'],
  })
  const page = await visitor(browser)
  const { name } = await signUp(page, baseURL ?? '')
  await openApp(page, '/about')
  await expect(page.getByRole('button', { name: 'User menu' })).toBeVisible()
  await page.goto('/robots.txt')
  await page.evaluate(() => localStorage.removeItem('token'))
  await page.context().clearCookies()
  await page.goBack()
  await expect(page).toHaveURL('/about')
  await expect(page.getByRole('button', { name: 'User menu' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
  await expect(page.getByText(name)).toHaveCount(0)
  await browser.close()
})

test('a change that is refused as the session ends is not shown to the next user', {
  tag: '@long',
}, async ({ page, me, colleague }) => {
  await createJournal(me)
  const grace = await colleague('Grace Hopper')
  await openApp(page, '/dashboard')
  await page.getByRole('button', { name: 'Delete project A bakery' }).click()
  const refuse = await blockRequests(page, '**/api/projects/*', 'DELETE')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  refuse({ status: 401, json: { code: 'not_signed_in', message: 'Sign in.' } })
  await expect(page.getByText('Your session has ended. Sign in to go on.')).toBeVisible()
  const release = await blockRequests(page, '**/api/projects')
  await signIn(page, grace)
  await expect(page.getByRole('heading', { name: 'Welcome, Grace Hopper' })).toBeVisible()
  await expect(page.getByText('Loading projects')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'A bakery' })).toHaveCount(0)
  release()
  await expect(page.getByText("You don't have any projects yet.")).toBeVisible()
})

test('a text that is not saved when its author signs out is kept, and not shown to the next user', {
  tag: '@long',
}, async ({ page, me, colleague }) => {
  const grace = await colleague('Grace Hopper')
  await openApp(page, '/dashboard')
  const answer = await blockRequests(page, '**/api/projects', 'POST')
  await fillProject(page)
  await page.getByRole('button', { name: 'Create Project' }).click()
  await expect(page.getByText('Saving...')).toBeVisible()
  await changePerson(page, grace, { keepsText: true })
  await expect(page.getByRole('heading', { name: 'Welcome, Grace Hopper' })).toBeVisible()
  answer('abort') // the next page has ended the request
  await expect(page.getByText('Failed to create project')).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await changePerson(page, me)
  await expect(page.getByRole('dialog').getByLabel('Project Title')).toHaveValue('Canoe')
})

test('a change that is being saved as its author signs out is saved first', { tag: '@long' }, async ({
  page,
  me,
}) => {
  await openApp(page, '/dashboard')
  const release = await blockRequests(page, '**/api/projects', 'POST')
  await fillProject(page)
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByRole('button', { name: 'Create Project' }).click()
  await sent
  await signOut(page)
  await page.getByRole('button', { name: 'Discard it' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Loading', visible: true })).toBeVisible()
  release()
  await expect(page).toHaveURL('/')
  await page.getByRole('link', { name: 'Sign In' }).first().click()
  await signIn(page, me)
  await expect(page.getByRole('heading', { name: 'Canoe' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a request that is retried after its author has signed out is not executed as the next user', {
  tag: '@long',
}, async ({ page, me, colleague }) => {
  const grace = await colleague('Grace Hopper')
  await openApp(page, '/dashboard')
  const answer = await blockRequests(page, '**/api/projects', 'POST')
  await fillProject(page)
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByRole('button', { name: 'Create Project' }).click()
  await sent
  await changePerson(page, grace, { keepsText: true })
  await expect(page.getByRole('heading', { name: 'Welcome, Grace Hopper' })).toBeVisible()
  answer('abort')
  await changePerson(page, me)
  // The typed text is restored once the call has finally failed.
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await grace.call('listProjects', {})).toEqual([])
})

test('an account that is changed as its owner signs out is not shown to the next user', {
  tag: '@long',
}, async ({ page, me, colleague }) => {
  const grace = await colleague('Grace Hopper')
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/account', async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback()
    const response = await route.fetch()
    await held
    await route.fulfill({ response })
  })
  await openApp(page, '/settings')
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('Countess of Lovelace')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect.poll(async () => (await me.call('readAccount', {})).name).toBe('Countess of Lovelace')
  await changePerson(page, grace, { keepsText: true })
  await expect(page.getByRole('heading', { name: 'Welcome, Grace Hopper' })).toBeVisible()
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(name).toHaveValue(grace.name)
  release()
  await expect(page.getByText(me.email)).toHaveCount(0)
  await expect(page.getByText('Name saved')).toHaveCount(0)
})

test('after signing out, nothing that was typed stays in the browser, unless its author keeps it', async ({
  page,
  me,
}) => {
  const stored = () => page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
  await openApp(page, '/settings')
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('Countess of Lovelace')
  await signOut(page)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(name).toHaveValue('Countess of Lovelace')
  await signOut(page)
  await page.getByRole('button', { name: 'Keep it here' }).click()
  await expect(page).toHaveURL('/')
  expect(await stored()).toContain('Countess')

  await page.getByRole('link', { name: 'Sign In' }).first().click()
  await signIn(page, me)
  await expect(page.getByRole('heading', { name: `Welcome, ${me.name}` })).toBeVisible()
  await signOut(page)
  await page.getByRole('button', { name: 'Discard it' }).click()
  await expect(page).toHaveURL('/')
  expect(await stored()).not.toContain('Countess')
})

test('changes that wait for the connection can be sent before signing out', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { projectPath } = await createJournal(me)
  await openApp(page, projectPath)
  const isMilestone = /\/milestones\/[^/]+$/
  await page.route(isMilestone, (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.fallback(),
  )
  await page.getByRole('checkbox', { name: 'Complete The first loaf' }).click({ force: true })
  await expect(page.getByText('Not saved yet: waiting for the connection…')).toBeVisible()
  await signOut(page)
  const question = page.getByRole('dialog', { name: 'Keep what you have not saved?' })
  await expect(question).toContainText('You made changes that wait for the connection.')
  await expectFitting(page)
  await page.unroute(isMilestone)
  const made = page.waitForResponse((response) => response.request().method() === 'PUT')
  await question.getByRole('button', { name: 'Send it now' }).click()
  expect(await (await made).json()).toMatchObject({ completed: true })
  await expect(page).toHaveURL('/')
})

test('signing in before the server has confirmed the end of the last session discards nothing', {
  tag: '@long',
}, async ({ page, me }) => {
  const release = await blockRequests(page, '**/api/users/sign-out')
  await openApp(page, '/dashboard')
  await expect(page.getByRole('heading', { name: `Welcome, ${me.name}` })).toBeVisible()
  await signOut(page)
  await expect(page.getByRole('heading', { name: `Welcome, ${me.name}` })).toHaveCount(0)
  await page.getByRole('link', { name: 'Sign In' }).first().click()
  await page.getByLabel('Email').fill(me.email)
  await page.getByLabel('Password', { exact: true }).fill(me.password)
  const confirmed = page.waitForResponse('**/api/users/sign-out')
  release()
  await (await confirmed).finished()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: `Welcome, ${me.name}` })).toBeVisible()
})

test('a tab in which another user has signed in keeps the previous user’s text for that user', {
  tag: '@long',
}, async ({ page, me, colleague }) => {
  const grace = await colleague('Grace Hopper')
  const { listPath } = await createJournal(me)
  await openApp(page, listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  const composer = page.getByRole('dialog', { name: 'Add Entry' })
  await composer.getByLabel('Title').fill('Rye')
  await takeOver(page, grace)
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  await expect(composer).toHaveCount(0)
  await page.getByRole('link', { name: 'Back to Dashboard' }).click()
  await page.getByRole('button', { name: 'New Project' }).click()
  await page.getByLabel('Project Title').fill('Compiler')
  await takeOver(page, me)
  await expect(page.getByRole('heading', { name: `Welcome, ${me.name}` })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect((await grace.call('listDrafts', {})).drafts).toEqual([])
  await page.getByRole('button', { name: 'Write' }).click()
  await expect(composer.getByLabel('Title')).toHaveValue('Rye')
})

test('an account whose deletion is confirmed after another user has signed in leaves that user signed in', {
  tag: '@long',
}, async ({ page, me, colleague }) => {
  const grace = await colleague('Grace Hopper')
  await openApp(page, '/settings')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete my account' })
  await dialog.getByLabel('Your email address').fill(me.email)
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/account/deletion', async (route) => {
    const response = await route.fetch()
    await held
    await route.fulfill({ response })
  })
  const deleted = page.waitForResponse((response) => response.url().endsWith('/api/account/deletion'))
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await takeOver(page, grace)
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue(grace.name)
  release()
  await waitUntilShown(page, deleted)
  await expect(page.getByText('Your account will be deleted')).toHaveCount(0)
  await expect(page).toHaveURL('/settings')
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBe(grace.token)
})

test('an entry that is saved after its session has ended does not navigate away from the sign-in page', {
  tag: '@long',
}, async ({ page, me }) => {
  const { entryPath } = await createJournal(me, [{ title: 'Rye' }])
  await openApp(page, entryPath(0))
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  const release = await blockRequests(page, '**/entries/*', 'PUT')
  await page.getByRole('dialog').getByLabel('Title').fill('Oats')
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await page.evaluate(() => {
    localStorage.removeItem('token')
    dispatchEvent(new Event('storage'))
  })
  await expect(page.getByText('Your session has ended. Sign in to go on.')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill(me.password)
  const url = page.url()
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
  release()
  await waitUntilShown(page, saved)
  await expect(page).toHaveURL(url)
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(me.password)
})

test('offers to a user, such as to undo a deletion, disappear at sign-out', { tag: '@long' }, async ({
  page,
  me,
}) => {
  await createJournal(me)
  await createProject(me, 'Canoe')
  await openApp(page, '/dashboard')
  const messages = page.getByRole('list', { name: 'Messages' })
  const undo = messages.getByRole('button', { name: 'Undo' })
  const remove = async (title: string) => {
    await page.getByRole('button', { name: `Delete project ${title}` }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect(undo).toBeVisible()
  }
  await remove('A bakery')
  const release = await blockRequests(page, '**/restore', 'POST')
  await undo.click()
  await remove('Canoe')
  await expectAllClosed(page)
  await stopTime(page) // messages go by themselves
  await signOut(page)
  await expect(page).toHaveURL('/')
  await expect(undo).toHaveCount(0)
  release()
  await expect(messages.getByRole('listitem')).toHaveCount(0)
})
