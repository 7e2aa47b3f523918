import { randomBytes } from 'node:crypto'
import { devices, type Locator, type Page } from '@playwright/test'
import { startServer } from '#testing/start-server.ts'
import { test as base, blockRequests, expect, openApp, pressTwice } from './fixtures/journey.ts'
import { startIssuer } from './fixtures/oidc-issuer.ts'

type Stage = { url: string; openIssuer: () => Promise<void>; headers: { [name: string]: string } }

/** Journeys on a separate server, which was started while the issuer was down. */
const test = base.extend<object, { stage: Stage }>({
  stage: [
    async ({}, use) => {
      const issuer = await startIssuer()
      const { url, stop } = await startServer(issuer.settings)
      await use({ url, openIssuer: () => issuer.open(url), headers: issuer.headers })
      await stop()
      await issuer.close()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: ({ stage }, use) => use(stage.url),
})
test.describe.configure({ mode: 'default' })

const googleName = () => `grace-${randomBytes(6).toString('hex')}`

/** Presses the button and returns the window that it opens. */
async function openWindow(page: Page): Promise<Page> {
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  return opened
}

/** Signs in at the stand-in and consents, after `meanwhile`. */
async function signInAtGoogle(page: Page, name: string, meanwhile?: () => Promise<void>): Promise<void> {
  await passIssuer(await openWindow(page), name, meanwhile)
}

/** Signs in and consents on the pages of the stand-in. */
async function passIssuer(popup: Page, name: string, meanwhile?: () => Promise<void>): Promise<void> {
  await popup.getByPlaceholder('Enter any login').fill(name)
  await popup.getByPlaceholder('and password').fill('a password of the tests')
  await popup.getByRole('button', { name: 'Sign-in' }).click()
  await popup.getByRole('button', { name: 'Continue' }).waitFor()
  await meanwhile?.()
  await popup.getByRole('button', { name: 'Continue' }).click()
}

/** Changes a parameter of the request to the issuer, like an attacker in between. */
async function tamperWith(page: Page, parameter: string): Promise<void> {
  await page.context().route('**/api/auth/google/start?*', async (route) => {
    const response = await route.fetch({ maxRedirects: 0 })
    const address = new URL(response.headers().location ?? '')
    address.searchParams.set(parameter, 'something-else-entirely')
    await route.fulfill({ response, headers: { ...response.headers(), location: address.href } })
  })
}

async function whoAmI(page: Page): Promise<{ _id: string; name: string; email: string }> {
  const token = await page.evaluate(() => localStorage.getItem('token'))
  const response = await page.request.get('/api/users/me', { headers: { authorization: `Bearer ${token}` } })
  return response.json()
}

/** Asserts that the banner and a toast show the error, and that nobody is signed in. */
async function expectFault(page: Page, text: string): Promise<void> {
  await expect(page.getByRole('main').getByText(text)).toBeVisible()
  await expect(page.getByText(text)).toHaveCount(2)
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
}

test('an unreachable issuer shows an error message, and is retried at the next press', {
  tag: '@long',
}, async ({ page, stage }) => {
  await openApp(page, '/login')
  await openWindow(page)
  await expectFault(page, 'Google cannot be reached from this server at the moment. Please try again later.')
  await stage.openIssuer()
  await signInAtGoogle(page, googleName())
  await expect(page).toHaveURL('/dashboard')
})

test.describe('with Google', () => {
  test.beforeEach(({ stage }) => stage.openIssuer())

  test('signing in with Google creates an account and redirects to the requested page', async ({ page }) => {
    const name = googleName()
    await openApp(page, '/register?redirect=%2Fcollaborations')
    await signInAtGoogle(page, name)
    await expect(page).toHaveURL('/collaborations')
    expect(await whoAmI(page)).toMatchObject({ name: 'Grace Hopper', email: `${name}@example.com` })
  })

  test('a second sign-in with Google opens the same account, which has no password', {
    tag: '@long',
  }, async ({ page }) => {
    const name = googleName()
    await openApp(page, '/login')
    await signInAtGoogle(page, name)
    await expect(page).toHaveURL('/dashboard')
    const first = await whoAmI(page)
    await page.getByRole('button', { name: 'User menu' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('link', { name: 'Sign In' }).first()).toBeVisible()

    await openApp(page, '/login')
    await page.getByLabel('Email').fill(`${name}@example.com`)
    await page.getByLabel('Password', { exact: true }).fill('difference engine')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expectFault(page, 'This account has no password. Please continue with Google.')

    await openWindow(page)
    await expect(page).toHaveURL('/dashboard')
    expect(await whoAmI(page)).toEqual(first)
  })

  test('pressing the button twice at once opens one popup', { tag: '@long' }, async ({ page }) => {
    const opened: Page[] = []
    page.on('popup', (popup) => opened.push(popup))
    for (const path of ['/login', '/register']) {
      await openApp(page, path)
      await pressTwice(page.getByRole('button', { name: 'Continue with Google' }))
      await expect.poll(() => opened.length).toBeGreaterThan(0)
      await opened[0]?.getByPlaceholder('Enter any login').waitFor()
      expect(opened.splice(0)).toHaveLength(1)
    }
  })

  test('closing the popup cancels the sign-in', { tag: '@long' }, async ({ page }) => {
    await openApp(page, '/login')
    const popup = await openWindow(page)
    await popup.close()
    await expectFault(page, 'Sign-in cancelled')
  })

  test('denying access at Google cancels the sign-in', { tag: '@long' }, async ({ page }) => {
    await openApp(page, '/register')
    const popup = await openWindow(page)
    await popup.getByRole('link', { name: 'Cancel' }).click()
    await expectFault(page, 'Sign-in cancelled')
  })

  test('a blocked popup shows an error message', async ({ page }) => {
    // Chromium's headless shell blocks no popups. A browser that does returns no window.
    await page.addInitScript(() => Reflect.set(window, 'open', () => null))
    await openApp(page, '/login')
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await expectFault(page, 'Popup blocked. Please allow popups and try again.')
  })

  test('a blocked popup can be replaced by the same tab', { tag: '@long' }, async ({ page }) => {
    await page.addInitScript(() => Reflect.set(window, 'open', () => null))
    await openApp(page, '/login?redirect=%2Fcollaborations')
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await page.getByRole('button', { name: 'Go on without a popup' }).click()
    await passIssuer(page, googleName())
    await expect(page).toHaveURL('/collaborations')
  })

  test('an issuer whose pages disconnect the popup signs in all the same', { tag: '@long' }, async ({
    page,
    stage,
  }) => {
    stage.headers['cross-origin-opener-policy'] = 'same-origin'
    const name = googleName()
    await openApp(page, '/login?redirect=%2Fcollaborations')
    // The page takes the popup for closed, because a page under test always has the focus.
    await signInAtGoogle(page, name, () =>
      expect(page.getByRole('main').getByText('Sign-in cancelled')).toBeVisible(),
    )
    await expect(page).toHaveURL('/collaborations')
    expect(await whoAmI(page)).toMatchObject({ email: `${name}@example.com` })
    delete stage.headers['cross-origin-opener-policy']
  })

  test.describe('on a phone', () => {
    test.use({ userAgent: devices['iPhone 15'].userAgent, viewport: { width: 390, height: 844 } })

    test('the sign-in stays in the tab, and keeps where to go and what was typed', { tag: '@long' }, async ({
      page,
    }) => {
      await openApp(page, '/login?redirect=%2Fcollaborations')
      await page.getByLabel('Email').fill('typed@example.com')
      await page.getByRole('button', { name: 'Continue with Google' }).click()
      await page.getByRole('link', { name: 'Cancel' }).click()
      await expect(page).toHaveURL('/login?redirect=%2Fcollaborations')
      await expectFault(page, 'Sign-in cancelled')
      await expect(page.getByLabel('Email')).toHaveValue('typed@example.com')
      await page.getByRole('button', { name: 'Continue with Google' }).click()
      await passIssuer(page, googleName())
      await expect(page).toHaveURL('/collaborations')
    })
  })

  /** Signs in with Google to an account that is being deleted, and returns the dialog that it opens. */
  async function returnToLeaving(page: Page): Promise<Locator> {
    const name = googleName()
    await openApp(page, '/login')
    await signInAtGoogle(page, name)
    await expect(page).toHaveURL('/dashboard')
    const token = await page.evaluate(() => localStorage.getItem('token'))
    const left = await page.request.post('/api/account/deletion', {
      headers: { authorization: `Bearer ${token}` },
      data: { email: `${name}@example.com` },
    })
    expect(left.ok()).toBe(true)
    await openApp(page, '/login')
    await openWindow(page)
    const question = page.getByRole('alertdialog', { name: 'Keep your account?' })
    await expect(question).toContainText('This account will be deleted on')
    return question
  }

  test('keeping an account that is being deleted opens no second popup', { tag: '@long' }, async ({
    page,
  }) => {
    const question = await returnToLeaving(page)
    let opened = 0
    page.on('popup', () => {
      opened += 1
    })
    await question.getByRole('button', { name: 'Keep my account' }).click()
    await expect(page.getByText('Your account and your projects stay')).toBeVisible()
    await expect(page).toHaveURL('/dashboard')
    expect(opened).toBe(0)
  })

  test('keeping an account cannot be cancelled once the request is sent', { tag: '@long' }, async ({
    page,
  }) => {
    const question = await returnToLeaving(page)
    const release = await blockRequests(page, '**/api/users/firebase-auth')
    await question.getByRole('button', { name: 'Keep my account' }).click()
    await expect(question.getByRole('button', { name: 'Keep my account' })).toHaveAttribute(
      'aria-busy',
      'true',
    )
    await page.keyboard.press('Escape')
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeDisabled()
    release()
    await expect(page.getByText('Your account and your projects stay')).toBeVisible()
    await expect(page).toHaveURL('/dashboard')
  })

  test('returning from Google after the sign-in has expired shows an error message', {
    tag: '@long',
  }, async ({ page }) => {
    await openApp(page, '/login')
    await signInAtGoogle(page, googleName(), () => page.context().clearCookies({ name: /milepost\.google/ }))
    await expectFault(page, 'Google sign-in failed. Please try again.')
  })

  test('each of two tabs that sign in with Google waits for its own popup', { tag: '@long' }, async ({
    page,
    context,
  }) => {
    const other = await context.newPage()
    await openApp(page, '/login')
    await openApp(other, '/login')
    await signInAtGoogle(page, googleName(), async () => {
      const popup = await openWindow(other)
      await popup.waitForURL(/\/interaction\//)
    })
    await expect(page).toHaveURL('/dashboard')
    await expect(other).toHaveURL('/dashboard')
  })

  test('a popup whose code cannot be fetched shows an error message, and opens at the next press', {
    tag: '@long',
  }, async ({ page }) => {
    const code = /\/assets\/issuer-[\w-]{8}\.js$/
    await page.route(code, (route) => route.abort())
    await openApp(page, '/register')
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await expectFault(page, 'Google sign-in failed. Please try again.')
    await page.unroute(code)
    await signInAtGoogle(page, googleName())
    await expect(page).toHaveURL('/dashboard')
  })

  test('a message that does not come from the last page of the popup is ignored', { tag: '@long' }, async ({
    page,
    stage,
  }) => {
    await openApp(page, '/login')
    const started = page.context().waitForEvent('request', (request) => request.url().includes('/start?'))
    const popup = await openWindow(page)
    await expect(popup.getByPlaceholder('Enter any login')).toBeVisible()
    const name = new URL((await started).url()).searchParams.get('window')
    const forged = { type: 'milepost:google', window: name, outcome: 'failed' }
    await page.evaluate(() => {
      let heard = 0
      addEventListener('message', () => Reflect.set(window, 'heard', ++heard))
    })
    // From the window while it shows another origin; from the right origin, but another window; with another window's name.
    await popup.evaluate((message) => window.opener.postMessage(message, '*'), forged)
    await page.evaluate((message) => window.postMessage(message, location.origin), forged)
    await popup.evaluate((address) => location.assign(address), `${stage.url}/favicon.svg`)
    await popup.waitForURL('**/favicon.svg')
    await popup.evaluate((message) => window.opener.postMessage(message, location.origin), {
      ...forged,
      window: 'another-window-entirely',
    })
    await expect.poll(() => page.evaluate(() => Reflect.get(window, 'heard'))).toBe(3)
    await expect(page.getByText('Google sign-in failed')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Continue with Google' })).toHaveAttribute(
      'aria-busy',
      'true',
    )
    await popup.evaluate((message) => window.opener.postMessage(message, location.origin), forged)
    await expectFault(page, 'Google sign-in failed. Please try again.')
  })

  for (const parameter of ['state', 'nonce']) {
    test(`a response with a wrong ${parameter} signs nobody in`, { tag: '@long' }, async ({ page }) => {
      await tamperWith(page, parameter)
      await openApp(page, '/login')
      await signInAtGoogle(page, googleName())
      await expectFault(page, 'Google sign-in failed. Please try again.')
    })
  }

  test('a failed exchange of the Google sign-in for a session signs nobody in', { tag: '@long' }, async ({
    page,
  }) => {
    await page.route('**/api/users/firebase-auth', (route) => route.fulfill({ status: 500, body: 'down' }))
    await openApp(page, '/login')
    await signInAtGoogle(page, googleName())
    await expect(page.getByText('Authentication failed. Please try again.')).toBeVisible()
    await expect(page.getByRole('main').getByText('Google sign-in failed', { exact: true })).toBeVisible()
  })
})

base('a server without Google says so, and opens nothing', { tag: '@long' }, async ({ page }) => {
  let opened = 0
  page.on('popup', () => {
    opened += 1
  })
  for (const path of ['/login', '/register']) {
    await openApp(page, path)
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await expect(page.getByText('Google sign-in is not set up on this server.')).toBeVisible()
  }
  expect(opened).toBe(0)
})
