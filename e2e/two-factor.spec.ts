import type { Locator, Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import type { Account } from '#testing/account.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import {
  blockRequests,
  expect,
  expectAllClosed,
  expectLayers,
  openApp,
  pressTwice,
  test,
  visitor,
} from './fixtures/journey.ts'

/** Returns the app's code a number of seconds from now: the server accepts the next one, too. */
const codeOf = (secret: string, seconds = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + seconds * 1000 })

test('two-step sign-in is turned on, asks for a code or a recovery code, and is turned off', {
  tag: '@long',
}, async ({ page, browser, me }) => {
  test.slow()
  await page.goto('/settings')
  const section = page.getByRole('region', { name: 'Two-step sign-in' })
  await section.getByRole('button', { name: 'Turn on two-step sign-in' }).click()
  const setup = page.getByRole('dialog', { name: 'Turn on two-step sign-in' })
  await setup.getByRole('button', { name: 'Continue' }).click()
  await expect(setup.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  await setup.getByRole('button', { name: 'Enter it as text instead' }).click()
  await expectAccessible(page)
  const secret = ((await setup.locator('code').textContent()) ?? '').replaceAll(' ', '')
  await setup.getByRole('textbox', { name: 'Code' }).fill('000000')
  await setup.getByRole('button', { name: 'Turn on' }).click()
  await expect(setup.getByText('This code is not right')).toBeVisible()
  await expect(setup.getByRole('textbox', { name: 'Code' })).toBeFocused()
  await page.keyboard.type(codeOf(secret)) // replaces the wrong one
  await setup.getByRole('button', { name: 'Turn on' }).click()
  const codes = page.getByRole('list', { name: 'Recovery codes' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  await expectAccessible(page)
  const [recovery = ''] = await codes.getByRole('listitem').allTextContents()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('milepost-recovery-codes.txt')
  await page.getByRole('button', { name: 'I have stored them' }).click()
  await expect(section).toContainText('10 recovery codes are left.')

  const other = await visitor(browser)
  const beginSignIn = async () => {
    await openApp(other, '/login?redirect=/collaborations')
    await other.getByLabel('Email').fill(me.email)
    await other.getByLabel('Password', { exact: true }).fill(me.password)
    await other.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(other.getByRole('heading', { name: 'One more step' })).toBeVisible()
  }
  await beginSignIn()
  await expect(other).toHaveURL(/\/login\/code\?redirect=%2Fcollaborations$/)
  await expectAccessible(other)
  await other.reload()
  await openApp(other, other.url())
  await expect(other.getByLabel('Code')).toHaveAttribute('autocomplete', 'one-time-code')
  await other.getByLabel('Code').fill('000000')
  await other.getByRole('button', { name: 'Sign in' }).click()
  await expect(other.getByText('This code is not right')).toBeVisible()
  await expect(other.getByLabel('Code')).toBeFocused()
  const code = codeOf(secret, 30)
  await other.getByLabel('Code').fill(`${code.slice(0, 3)} ${code.slice(3)}`)
  await other.getByRole('button', { name: 'Sign in' }).click()
  await expect(other.getByRole('heading', { name: 'My Collaborations' })).toBeVisible()
  await other.context().clearCookies()
  await other.evaluate(() => localStorage.clear())

  await beginSignIn()
  await other.getByRole('button', { name: 'Use a recovery code' }).click()
  await other.getByLabel('Recovery code').fill(recovery)
  await other.getByRole('button', { name: 'Sign in' }).click()
  await expect(other.getByRole('heading', { name: 'My Collaborations' })).toBeVisible()
  await other.context().close()

  await page.reload()
  await expect(section).toContainText('9 recovery codes are left.')
  await section.getByRole('button', { name: 'Turn off' }).click()
  const off = page.getByRole('dialog', { name: 'Turn off two-step sign-in' })
  await expectAccessible(page)
  await off.getByRole('button', { name: 'Turn off' }).click()
  await expect(section.getByRole('button', { name: 'Turn on two-step sign-in' })).toBeVisible()
})

test('a sign-in that waits too long for its code has to start again', { tag: '@long' }, async ({ page }) => {
  await openApp(page, '/login/code?redirect=/trash')
  const release = await blockRequests(page, '**/api/auth/sign-in/second-factor')
  await page.getByLabel('Code').fill('123456')
  await page.getByRole('button', { name: 'Sign in' }).click()
  // Its error would otherwise be shown below the field for the other kind of code.
  await expect(page.getByRole('button', { name: 'Use a recovery code' })).toBeDisabled()
  release()
  await expect(page.getByRole('heading', { name: 'This sign-in took too long' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Sign in' })).toHaveAttribute(
    'href',
    '/login?redirect=%2Ftrash',
  )
})

test('a code whose response was lost is not reported as expired', { tag: '@long' }, async ({
  page,
  browser,
  me,
}) => {
  const other = await visitor(browser)
  const secret = await turnOn(me)
  await enterPassword(other, me)
  const isFinish = '**/api/auth/sign-in/second-factor'
  await other.route(isFinish, async (route) => {
    // As the browser experiences it: a lost response sets no cookies.
    await page.request.fetch(route.request(), { headers: await route.request().allHeaders() })
    await route.abort()
  })
  await other.getByLabel('Code').fill(codeOf(secret, 30))
  await other.getByRole('button', { name: 'Sign in' }).click()
  await expect(other.getByText('The server cannot be reached.')).toBeVisible()
  await other.unroute(isFinish)
  await other.getByRole('button', { name: 'Sign in' }).click()
  await expect(other.getByRole('heading', { name: 'This sign-in could not be finished' })).toBeFocused()
  await expect(other.getByRole('main').getByRole('link', { name: 'Sign in' })).toBeVisible()
  await other.context().close()
})

test('if no session can be started after a code, the user is asked to sign in again', {
  tag: '@long',
}, async ({ browser, me }) => {
  const other = await visitor(browser)
  const secret = await turnOn(me)
  await enterPassword(other, me)
  await other.route('**/api/users/firebase-auth', (route) => route.fulfill({ status: 500, json: {} }))
  await other.getByLabel('Code').fill(codeOf(secret, 30))
  await other.getByRole('button', { name: 'Sign in' }).click()
  await expect(other.getByText('Authentication failed. Please try again.')).toBeVisible()
  await expect(other.getByRole('heading', { name: 'This sign-in could not be finished' })).toBeVisible()
  await other.context().close()
})

test('a user who has left the sign-in screen is not redirected to the code screen', {
  tag: '@long',
}, async ({ browser, me }) => {
  const other = await visitor(browser)
  await turnOn(me)
  await openApp(other, '/login/code') // loads its code
  const landing = other.getByRole('heading', { name: 'Track Your Journey, Celebrate Progress' })
  await other.getByRole('link', { name: 'Milepost' }).first().click()
  await expect(landing).toBeVisible()
  await other.getByRole('link', { name: 'Sign In' }).first().click()
  const proceed = await blockRequests(other, '**/api/auth/sign-in/email')
  await other.getByLabel('Email').fill(me.email)
  await other.getByLabel('Password', { exact: true }).fill(me.password)
  await other.getByRole('button', { name: 'Sign in', exact: true }).click()
  await other.goBack()
  await expect(landing).toBeVisible()
  // The landing page is another document, so the browser has given the request up, whose answer may still come.
  proceed()
  await other.getByRole('link', { name: 'Get Started' }).first().click()
  await expect(other.getByRole('heading', { name: 'Create your account' })).toBeVisible()
  await other.goBack()
  await expect(other).toHaveURL('/')
  await other.context().close()
})

test('a user who closed a dialog that shows recovery codes is told if its response was lost', {
  tag: '@long',
}, async ({ page, me: _me }) => {
  await page.goto('/settings')
  const section = page.getByRole('region', { name: 'Two-step sign-in' })
  await section.getByRole('button', { name: 'Turn on two-step sign-in' }).click()
  const setup = page.getByRole('dialog', { name: 'Turn on two-step sign-in' })
  await setup.getByRole('button', { name: 'Continue' }).click()
  await setup.getByRole('button', { name: 'Enter it as text instead' }).click()
  const secret = (await setup.locator('code').innerText()).replaceAll(' ', '')
  await setup.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret))
  await loseResponseAndLeave(page, '**/api/account/two-factor', setup, 'Turn on')
  await expect(page.getByText('Two-step sign-in may be on now')).toBeVisible()

  await section.getByRole('button', { name: 'New recovery codes' }).click()
  const dialog = page.getByRole('dialog', { name: 'New recovery codes' })
  await loseResponseAndLeave(page, '**/api/account/two-factor/recovery-codes', dialog, 'Create new codes')
  await expect(page.getByText('Your recovery codes may have been replaced by new ones')).toBeVisible()
})

/** Presses a button of a dialog, goes back before the server has done the work, and loses its response. */
async function loseResponseAndLeave(page: Page, url: string, dialog: Locator, verb: string): Promise<void> {
  const isLeft = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await isLeft.promise
    await route.fetch()
    await route.fulfill({ status: 502, json: {} })
  })
  await dialog.getByRole('button', { name: verb, exact: true }).click()
  await page.goBack()
  await expect(dialog).toBeHidden()
  isLeft.resolve()
}

test('recovery codes are shown even to a user who went back before they arrived', { tag: '@long' }, async ({
  page,
  me,
}) => {
  await turnOn(me)
  await page.goto('/settings')
  const section = page.getByRole('region', { name: 'Two-step sign-in' })
  await section.getByRole('button', { name: 'New recovery codes' }).click()
  const dialog = page.getByRole('dialog', { name: 'New recovery codes' })
  const proceed = await blockRequests(page, '**/api/account/two-factor/recovery-codes')
  await dialog.getByRole('button', { name: 'Create new codes' }).click()
  await expectLayers(page, 1)
  await page.goBack()
  await expect(dialog).toBeHidden()
  await expect(section.getByRole('button', { name: 'New recovery codes' })).toBeFocused()
  proceed()
  await expect(page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10)
  await page.getByRole('button', { name: 'I have stored them' }).click()
  await expectAllClosed(page)

  await section.getByRole('button', { name: 'Turn off' }).click()
  const off = page.getByRole('dialog', { name: 'Turn off two-step sign-in' })
  const refuse = await blockRequests(page, '**/api/account/two-factor/removal')
  await off.evaluate((element) => {
    const press = (text: string) =>
      [...element.querySelectorAll('button')].find(({ textContent }) => textContent === text)?.click()
    press('Turn off')
    press('Cancel') // before the screen shows that the call has begun
  })
  await expect(off).toBeHidden()
  refuse({ status: 409, json: { code: 'conflict', message: 'Two-step sign-in is off' } })
  await expect(page.getByText('Two-step sign-in is off')).toBeVisible()
})

/** Turns two-step sign-in on for an account over HTTP, and returns the secret for the app. */
async function turnOn(account: Account): Promise<string> {
  const { secret } = await account.call('beginTwoFactor', {})
  await account.call('turnOnTwoFactor', { body: { code: codeOf(secret) } })
  return secret
}

async function enterPassword(page: Page, { email, password }: Account): Promise<void> {
  await openApp(page, '/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
}

test('pressing twice turns two-step sign-in on once, shows its recovery codes, and signs in once', {
  tag: '@long',
}, async ({ page, browser, me }) => {
  await openApp(page, '/settings')
  await page.getByRole('button', { name: 'Turn on two-step sign-in' }).click()
  const setup = page.getByRole('dialog', { name: 'Turn on two-step sign-in' })
  await pressTwice(setup.getByRole('button', { name: 'Continue' }))
  await setup.getByRole('button', { name: 'Enter it as text instead' }).click()
  const secret = ((await setup.locator('code').textContent()) ?? '').replaceAll(' ', '')
  await setup.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret))
  await pressTwice(setup.getByRole('button', { name: 'Turn on' }))
  const codes = page.getByRole('list', { name: 'Recovery codes' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)

  const other = await visitor(browser)
  const sent: string[] = []
  other.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname)
  })
  await openApp(other, '/login')
  await other.getByLabel('Email').fill(me.email)
  await other.getByLabel('Password', { exact: true }).fill(me.password)
  await pressTwice(other.getByRole('button', { name: 'Sign in', exact: true }))
  await other.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret, 30))
  await pressTwice(other.getByRole('button', { name: 'Sign in', exact: true }))
  await expect(other).toHaveURL('/dashboard')
  await expect(other.getByRole('list', { name: 'Messages' })).not.toContainText('failed')
  expect(sent.filter((path) => path === '/api/auth/sign-in/email')).toHaveLength(1)
  expect(sent.filter((path) => path === '/api/auth/sign-in/second-factor')).toHaveLength(1)
  await other.context().close()
})
