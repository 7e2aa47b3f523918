import type { Page, Response } from '@playwright/test'
import type { Account } from '#testing/account.ts'
import { createJournal } from '#testing/journal.ts'
import { expect, holdBack, openApp, test } from './fixtures/journey.ts'

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
async function changePerson(page: Page, next: Account) {
  await signOut(page)
  await expect(page).toHaveURL('/')
  await page.getByRole('link', { name: 'Sign In' }).first().click()
  await signIn(page, next)
}

/** Waits until the effects of a response, such as a message, are shown. */
async function waitUntilShown(page: Page, response: Promise<Response>) {
  await (await response).finished()
  await page.getByRole('button', { name: 'Toggle theme' }).click()
  await expect(page.locator('html')).toHaveClass(/dark/)
}

async function fillProject(page: Page) {
  await page.getByRole('button', { name: 'New Project' }).click()
  await page.getByLabel('Project Title').fill('Canoe')
  await page.getByLabel('Description').fill('Strips')
}

test('a change that is refused as the session ends shows the next person nothing of it', {
  tag: '@long',
}, async ({ page, me, colleague }) => {
  await createJournal(me)
  const grace = await colleague('Grace Hopper')
  await openApp(page, '/dashboard')
  await page.getByRole('button', { name: 'Delete project A bakery' }).click()
  const refuse = await holdBack(page, '**/api/projects/*', 'DELETE')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  refuse({ status: 401, json: { code: 'not_signed_in', message: 'Sign in.' } })
  await expect(page.getByText('Your session has ended. Sign in to go on.')).toBeVisible()
  const letGo = await holdBack(page, '**/api/projects')
  await signIn(page, grace)
  await expect(page.getByRole('heading', { name: 'Welcome, Grace Hopper' })).toBeVisible()
  await expect(page.getByText('Loading projects')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'A bakery' })).toHaveCount(0)
  letGo()
  await expect(page.getByText("You don't have any projects yet.")).toBeVisible()
})

test('a text whose saving fails after its author has signed out is not shown to the next person', {
  tag: '@long',
}, async ({ page, me, colleague }) => {
  const grace = await colleague('Grace Hopper')
  await openApp(page, '/dashboard')
  const answer = await holdBack(page, '**/api/projects', 'POST')
  await fillProject(page)
  await page.getByRole('button', { name: 'Create Project' }).click()
  await expect(page.getByText('Saving…')).toBeVisible()
  await changePerson(page, grace)
  await expect(page.getByRole('heading', { name: 'Welcome, Grace Hopper' })).toBeVisible()
  const failed = page.waitForResponse((response) => response.status() === 500)
  answer({ status: 500, json: { code: 'internal', message: 'Out of order' } })
  await waitUntilShown(page, failed)
  await expect(page.getByText('Failed to create project')).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await changePerson(page, me)
  await expect(page.getByRole('dialog').getByText('Canoe')).toBeVisible()
})

test('what is sent again after its author has signed out is not done in the name of the next person', {
  tag: '@long',
}, async ({ page, me, colleague }) => {
  const grace = await colleague('Grace Hopper')
  await openApp(page, '/dashboard')
  const answer = await holdBack(page, '**/api/projects', 'POST')
  await fillProject(page)
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByRole('button', { name: 'Create Project' }).click()
  await sent
  await changePerson(page, grace)
  await expect(page.getByRole('heading', { name: 'Welcome, Grace Hopper' })).toBeVisible()
  answer('abort')
  await changePerson(page, me)
  // The typed text is restored once the call has finally failed.
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await grace.call('listProjects', {})).toEqual([])
})

test('an account that is changed as its owner signs out is not shown to the next person', {
  tag: '@long',
}, async ({ page, me, colleague }) => {
  const grace = await colleague('Grace Hopper')
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
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
  await changePerson(page, grace)
  await expect(page.getByRole('heading', { name: 'Welcome, Grace Hopper' })).toBeVisible()
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(name).toHaveValue(grace.name)
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
  letGo()
  await waitUntilShown(page, saved)
  await expect(name).toHaveValue(grace.name)
  await expect(page.getByText(me.email)).toHaveCount(0)
  await expect(page.getByText('Name saved')).toHaveCount(0)
})

test('a link that is pressed before the landing page has come signs out as well', {
  tag: '@long',
}, async ({ page, me }) => {
  await createJournal(me)
  const letGo = await holdBack(page, /\/landing-screen-[^/]*\.js$/)
  await openApp(page, '/dashboard')
  await expect(page.getByRole('heading', { name: 'A bakery' })).toBeVisible()
  await signOut(page)
  await expect(page.getByText('Opening the page')).toBeAttached()
  await page.getByRole('link', { name: 'Collaborations' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'User menu' })).toHaveCount(0)
  letGo()
})

test('signing out on the landing page takes nothing from who has gone on to type elsewhere', {
  tag: '@long',
}, async ({ page, me }) => {
  const letGo = await holdBack(page, '**/api/users/sign-out')
  await openApp(page, '/')
  await signOut(page)
  await page.getByRole('link', { name: 'Sign In' }).first().click()
  await page.getByLabel('Email').fill(me.email)
  await page.getByLabel('Password', { exact: true }).fill(me.password)
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  const confirmed = page.waitForResponse('**/api/users/sign-out')
  letGo()
  await (await confirmed).finished()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: `Welcome, ${me.name}` })).toBeVisible()
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
})
