import type { Page } from '@playwright/test'
import type { Account } from '#testing/account.ts'
import { blockRequests, expect, openApp, test } from './fixtures/journey.ts'

const UNREACHABLE = 'The server cannot be reached. Check your connection and try again.'

async function forget(page: Page) {
  await page.evaluate(() => localStorage.clear())
  await page.context().clearCookies()
}

async function signIn(page: Page, email: string, password: string) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('the sign-in screen has its fields, and links to reset the password and to register', async ({
  page,
}) => {
  await openApp(page, '/login?redirect=%2Fcollaborations')
  await expect(page.getByRole('button', { name: 'Continue with Google' })).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveAttribute('type', 'email')
  const password = page.getByLabel('Password', { exact: true })
  await expect(password).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect(password).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Hide password' }).click()
  await expect(password).toHaveAttribute('type', 'password')
  await page.getByRole('checkbox', { name: 'Remember me' }).check()
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page).toHaveURL('/forgot-password?redirect=%2Fcollaborations')
  await expect(page.getByText('npm run reset-password')).toBeVisible()
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await expect(page).toHaveURL('/login?redirect=%2Fcollaborations')
  await page.getByRole('main').getByRole('link', { name: 'Create an account' }).click()
  await expect(page).toHaveURL('/register?redirect=%2Fcollaborations')
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/login?redirect=%2Fcollaborations')
})

test('a refused sign-in shows the reason in a red banner and in a toast', async ({ page, me }) => {
  await forget(page)
  await openApp(page, '/login')
  const banner = page.getByRole('main').getByRole('alert')
  const said = async (text: string) => {
    await expect(banner).toHaveText(text)
    // Only the last: several would cover the button on a phone.
    await expect(page.getByRole('list', { name: 'Messages' }).getByRole('listitem')).toHaveText([text])
  }
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(banner).toHaveText('Email is required')
  await signIn(page, 'ada', me.password)
  await expect(banner).toHaveText('Invalid email address')
  await signIn(page, me.email, '')
  await expect(banner).toHaveText('Password is required')
  await signIn(page, `nobody-${me.email}`, me.password)
  await said('No account found with this email address')
  await signIn(page, me.email, 'not this one')
  await said('Incorrect password')
  const tooMany = { status: 429, json: { code: 'too_many_requests', message: 'Wait a little' } }
  await page.route('**/api/auth/sign-in/email', (route) => route.fulfill(tooMany))
  await signIn(page, me.email, me.password)
  await said('Too many failed attempts. Please try again later.')
  await page.route('**/api/auth/sign-in/email', (route) => route.abort())
  await signIn(page, me.email, me.password)
  await said(`Sign-in failed. Please check your credentials. ${UNREACHABLE}`)
  await page.unroute('**/api/auth/sign-in/email')
  await signIn(page, me.email, me.password)
  await expect(page).toHaveURL('/dashboard')
  // No refusal is read on the next screen.
  expect(await page.getByRole('list', { name: 'Messages' }).getByRole('listitem').count()).toBe(0)
})

test('a second attempt causes no layout shift while the request is pending', { tag: '@long' }, async ({
  page,
  me,
}) => {
  await page.evaluate(() => localStorage.clear())
  await openApp(page, '/login')
  await page.getByLabel('Email').fill(me.email)
  await page.getByLabel('Password', { exact: true }).fill('not-my-password')
  const button = page.locator('form button[type=submit]')
  await button.click()
  await expect(page.getByRole('alert')).toHaveText('Incorrect password')
  const before = await button.boundingBox()
  const release = await blockRequests(page, '**/api/auth/sign-in/**')
  await button.click()
  await expect(button).toHaveAttribute('aria-busy', 'true')
  expect(await button.boundingBox()).toEqual(before)
  release()
})

test('a failed exchange signs out of the provider, clears the token and shows an error message', {
  tag: '@long',
}, async ({ page, me }) => {
  await forget(page)
  await openApp(page, '/login')
  await page.route('**/api/users/firebase-auth', (route) =>
    route.fulfill({ status: 401, json: { code: 'unauthenticated', message: 'No' } }),
  )
  const left = page.waitForRequest('**/api/auth/sign-out')
  await signIn(page, me.email, me.password)
  await left
  await expect(page.getByText('Authentication failed. Please try again.').first()).toBeVisible()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await expect(page.getByRole('main').getByRole('alert')).toHaveText('Login failed')
  await expect(page).toHaveURL('/login')
  await openApp(page, '/register')
  await register(page, { name: 'Ada', email: `new-${me.email}`, password: me.password })
  await expect(page.getByRole('main').getByRole('alert')).toHaveText('Registration failed')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})

test('the registration validates its input, with the specified messages', async ({ page }) => {
  await openApp(page, '/register')
  const banner = page.getByRole('main').getByRole('alert')
  const create = page.getByRole('button', { name: 'Create Account' })
  const password = page.getByLabel('Password', { exact: true })
  const confirm = page.getByLabel('Confirm Password')
  await expect(page.getByRole('button', { name: 'Continue with Google' })).toBeVisible()
  for (const [typed, label] of [
    ['abc', 'Too weak'],
    ['abcdef', 'Weak'],
    ['Abcdef', 'Fair'],
    ['Abcdef1', 'Good'],
    ['Abcdef1!', 'Strong'],
  ] as const) {
    await password.fill(typed)
    await expect(page.getByText(label, { exact: true }).last()).toBeVisible()
  }

  await expect(create).toBeDisabled()
  await page.getByLabel('Full Name').fill('Ada Lovelace')
  await page.getByLabel('Full Name').press('Enter')
  await expect(banner).toHaveText('Please accept the terms and conditions')
  await page.getByRole('checkbox', { name: 'I accept the terms and conditions' }).check()
  await expect(page.getByRole('link', { name: 'About Milepost' })).toHaveAttribute('href', '/about')
  await page.getByLabel('Email').fill('ada')
  await create.click()
  await expect(banner).toHaveText('Invalid email address')
  await page.getByLabel('Email').fill('ada@example.com')
  await password.fill('abcde')
  await confirm.fill('abcde')
  await create.click()
  await expect(banner).toHaveText('Password must be at least 6 characters long')
  // A mismatch is reported first, also for a common password. Each banner differs from the previous one, so that each attempt can
  // be awaited.
  await password.fill('Password1!')
  await confirm.fill('Abcdef1?')
  await create.click()
  await expect(banner).toHaveText('Passwords do not match')
  await expect(confirm).toHaveAccessibleDescription('Passwords do not match')
  await confirm.fill('Password1!')
  await create.click()
  await expect(banner).toHaveText('This password is too common. Please choose another.')
  await password.fill('Abcdef1!')
  await confirm.fill('Abcdef1!')
  await page.getByLabel('Full Name').fill(' ')
  await create.click()
  await expect(banner).toHaveText('Name is required')
})

test('a refused registration shows the reason in a red banner and in a toast', { tag: '@long' }, async ({
  page,
  me,
}) => {
  await forget(page)
  await openApp(page, '/register')
  await register(page, me)
  const said = async (text: string) => {
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(text)
    await expect(page.getByRole('list', { name: 'Messages' }).getByText(text)).toBeVisible()
  }
  await said('An account with this email already exists')
  const issues = [{ path: 'password', message: 'no' }]
  const weak = { status: 400, json: { code: 'invalid', message: 'no', issues } }
  await page.route('**/api/auth/sign-up/email', (route) => route.fulfill(weak))
  await page.getByRole('button', { name: 'Create Account' }).click()
  await said('Password is too weak. Please use at least 6 characters.')
  await page.route('**/api/auth/sign-up/email', (route) => route.abort())
  await page.getByRole('button', { name: 'Create Account' }).click()
  await said(`Account creation failed. Please try again. ${UNREACHABLE}`)
})

test('registering redirects to the requested page', { tag: '@long' }, async ({ page }) => {
  await openApp(page, '/register?redirect=%2Fcollaborations')
  await register(page, { name: 'Ada', email: `new-${Date.now()}@example.com`, password: 'engine-no-2' })
  await expect(page).toHaveURL('/collaborations')
})

async function register(page: Page, { name, email, password }: Pick<Account, 'name' | 'email' | 'password'>) {
  await page.getByLabel('Full Name').fill(name)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm Password').fill(password)
  await page.getByRole('checkbox', { name: /terms/ }).check()
  await page.getByRole('button', { name: 'Create Account' }).click()
}
