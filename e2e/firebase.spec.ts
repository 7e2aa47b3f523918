import type { Page } from '@playwright/test'
import { type RunningServer, startServer } from '#testing/start-server.ts'
import { mockGoogle, PROJECT } from './fixtures/firebase.ts'
import { expect, openApp, test } from './fixtures/journey.ts'

const PASSWORD = 'difference engine'

/** Firebase's SDK, which a page loads on demand. */
const program = /\/assets\/firebase-provider-[\w-]+\.js$/

test.describe('with Firebase as the identity provider', () => {
  test.describe.configure({ mode: 'default' })

  let server: RunningServer
  let google: Awaited<ReturnType<typeof mockGoogle>>

  test.beforeAll(async () => {
    google = await mockGoogle()
    server = await startServer(
      {
        IDENTITY_PROVIDER: 'firebase',
        FIREBASE_PROJECT_ID: PROJECT,
        FIREBASE_API_KEY: 'public-key',
        FIREBASE_AUTH_DOMAIN: `${PROJECT}.firebaseapp.com`,
        TEST_GOOGLE_KEYS: google.keys,
      },
      new URL('fixtures/google-keys.ts', import.meta.url),
    )
  })
  test.afterAll(() => server.stop())

  async function register(page: Page, email: string) {
    await openApp(page, `${server.url}/register`)
    await page.getByLabel('Full Name').fill('Ada Lovelace')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Confirm Password').fill(PASSWORD)
    await page.getByLabel('I accept the terms and conditions').check()
    await page.getByRole('button', { name: 'Create Account' }).click()
  }

  async function signIn(page: Page, email: string) {
    await openApp(page, `${server.url}/login`)
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  test('a user signs up, stays signed in, signs out and signs in again', { tag: '@long' }, async ({
    page,
  }) => {
    await google.serve(page)
    const email = `ada-${crypto.randomUUID()}@example.test`
    await register(page, email)
    await expect(page).toHaveURL(`${server.url}/dashboard`)
    await page.reload()
    await page.getByRole('button', { name: 'User menu' }).click()
    await expect(page.locator('#user-menu').getByText('Ada Lovelace')).toBeVisible()
    await expect(page.locator('#user-menu').getByText(email)).toBeVisible()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page).toHaveURL(`${server.url}/`)
    await signIn(page, email)
    await expect(page).toHaveURL(`${server.url}/dashboard`)
  })

  test('links of local accounts have no effect: no code is requested, and no new link is offered', {
    tag: '@long',
  }, async ({ page }) => {
    await google.serve(page)
    await openApp(page, `${server.url}/login/code?redirect=%2Ftrash`)
    await expect(page).toHaveURL(`${server.url}/login?redirect=%2Ftrash`)
    await register(page, `ada-${crypto.randomUUID()}@example.test`)
    await expect(page).toHaveURL(`${server.url}/dashboard`)
    await openApp(page, `${server.url}/verify-email/${'a'.repeat(43)}`)
    await page.getByRole('button', { name: 'Confirm this address' }).click()
    await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Send a new link' })).toHaveCount(0)
    await page.getByRole('main').getByRole('link', { name: 'Go to Dashboard' }).click()
    await expect(page).toHaveURL(`${server.url}/dashboard`)
  })

  test('the sign-in page loads the Firebase SDK and lets it reach Google; other pages do not load it', {
    tag: '@long',
  }, async ({ page }) => {
    await google.serve(page)
    const asked: string[] = []
    page.on('request', (request) => void asked.push(request.url()))
    await page.goto(`${server.url}/`, { waitUntil: 'networkidle' })
    expect(asked.filter((url) => program.test(url))).toEqual([])
    const loaded = page.waitForResponse(program)
    const answer = await page.goto(`${server.url}/login`)
    expect((await loaded).status()).toBe(200)
    expect(answer?.headers()['content-security-policy']).toMatch(
      new RegExp(`frame-src [^;]*https://${PROJECT}\\.firebaseapp\\.com`),
    )
  })

  test('a Firebase SDK that could not be loaded is requested again at the next sign-in', {
    tag: '@long',
  }, async ({ page }) => {
    await google.serve(page, { 'accounts:signInWithPassword': 'INVALID_PASSWORD' })
    await page.route(program, (route) => route.abort())
    await signIn(page, 'ada@example.test')
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(
      'Sign-in failed. Please check your credentials. The server cannot be reached. Check your connection and try again.',
    )
    await page.unroute(program)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(page.getByRole('main').getByRole('alert')).toHaveText('Incorrect password')
  })

  /** Clicks the button, which opens an empty window, and returns the URL that it should have opened. */
  async function chooseGoogle(page: Page) {
    await page.addInitScript(() => {
      const open = window.open.bind(window)
      window.open = (address, ...rest) => {
        Object.assign(window, { asked: String(address) })
        return open('about:blank', ...rest)
      }
    })
    const loaded = page.waitForResponse(program)
    await openApp(page, `${server.url}/login?redirect=/collaborations`)
    await loaded
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Continue with Google' }).click(),
    ])
    return { popup, address: new URL(await page.evaluate<string>('asked')) }
  }

  test('the Google popup always asks for the account, and signs in', { tag: '@long' }, async ({ page }) => {
    await google.serve(page)
    const { address } = await chooseGoogle(page)
    expect(address.host).toBe(`${PROJECT}.firebaseapp.com`)
    expect(address.searchParams.get('providerId')).toBe('google.com')
    expect(address.searchParams.get('customParameters')).toBe('{"prompt":"select_account"}')
    await page.evaluate(`sendPopupEvent(${JSON.stringify(address.searchParams.get('eventId'))})`)
    await expect(page).toHaveURL(`${server.url}/collaborations`)
    await page.getByRole('button', { name: 'User menu' }).click()
    await expect(page.locator('#user-menu').getByText('Ada of Google')).toBeVisible()
  })

  test('closing the Google popup cancels the sign-in', { tag: '@long' }, async ({ page }) => {
    await google.serve(page)
    const { popup } = await chooseGoogle(page)
    await popup.close()
    await expect(page.getByRole('main').getByRole('alert')).toHaveText('Sign-in cancelled')
  })

  test('a blocked Google popup shows an error message', { tag: '@long' }, async ({ page }) => {
    await google.serve(page)
    await page.addInitScript(() => {
      window.open = () => null
    })
    await openApp(page, `${server.url}/login`)
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(
      'Popup blocked. Please allow popups and try again.',
    )
  })

  for (const [fault, text] of [
    ['EMAIL_NOT_FOUND', 'No account found with this email address'],
    ['INVALID_PASSWORD', 'Incorrect password'],
    ['INVALID_EMAIL', 'Invalid email address'],
    ['TOO_MANY_ATTEMPTS_TRY_LATER', 'Too many failed attempts. Please try again later.'],
    ['INVALID_LOGIN_CREDENTIALS', 'Sign-in failed. Please check your credentials.'],
  ] as const) {
    test(`a sign-in that is refused with ${fault} is explained`, { tag: '@long' }, async ({ page }) => {
      await google.serve(page, { 'accounts:signInWithPassword': fault })
      await signIn(page, 'ada@example.test')
      await expect(page.getByRole('main').getByRole('alert')).toHaveText(text)
    })
  }

  for (const [fault, text] of [
    ['EMAIL_EXISTS', 'An account with this email already exists'],
    ['WEAK_PASSWORD', 'Password is too weak. Please use at least 6 characters.'],
    ['OPERATION_NOT_ALLOWED', 'Account creation failed. Please try again.'],
  ] as const) {
    test(`a sign-up that is refused with ${fault} is explained`, { tag: '@long' }, async ({ page }) => {
      await google.serve(page, { 'accounts:signUp': fault })
      await register(page, 'ada@example.test')
      await expect(page.getByRole('main').getByRole('alert')).toHaveText(text)
    })
  }

  test('without a network no input is lost', { tag: '@long' }, async ({ page }) => {
    await page.route(/^https:/, (route) => route.abort())
    await signIn(page, 'ada@example.test')
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(
      'Sign-in failed. Please check your credentials. The server cannot be reached. Check your connection and try again.',
    )
    await expect(page.getByLabel('Email')).toHaveValue('ada@example.test')
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue(PASSWORD)
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(
      'Google sign-in failed. Please try again.',
    )
    await expect(page.getByLabel('Email')).toHaveValue('ada@example.test')
  })
})

test('if this server is the provider, no Firebase code is loaded and no page may reach Google', {
  tag: '@long',
}, async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => void asked.push(request.url()))
  const answer = await page.goto('/login', { waitUntil: 'networkidle' })
  expect(asked.filter((url) => program.test(url))).toEqual([])
  expect(answer?.headers()['content-security-policy']).not.toMatch(/google|firebase/)
})
