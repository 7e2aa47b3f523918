import { startServer } from '#testing/start-server.ts'
import { expectFitting } from './fixtures/accessibility.ts'
import { test as base, expect, openApp } from './fixtures/journey.ts'
import { startIssuer } from './fixtures/oidc-issuer.ts'

/** Journeys on a separate server, on which people sign in only through an issuer. */
const test = base.extend<object, { url: string }>({
  url: [
    async ({}, use) => {
      const issuer = await startIssuer()
      const { url, stop } = await startServer({ ...issuer.settings, SIGN_IN: 'issuer' })
      await issuer.open(url)
      await use(url)
      await stop()
      await issuer.close()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: ({ url }, use) => use(url),
})

test('if sign-in is only through an issuer, no screen asks for a password, and each says why', {
  tag: '@long',
}, async ({ page }) => {
  for (const path of ['/login', '/register']) {
    await page.goto(path)
    await expect(page.getByRole('button', { name: 'Continue with Google' })).toBeVisible()
    await expect(page.getByText('That is the only way to sign in to this server')).toBeVisible()
    await expect(page.locator('input')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Use a passkey' })).toHaveCount(0)
    await expectFitting(page)
  }
  for (const path of ['/forgot-password', '/reset-password/no-such-link']) {
    await page.goto(path)
    await expect(page.getByText('This server has no passwords')).toBeVisible()
    await expect(page.locator('input')).toHaveCount(0)
  }

  await openApp(page, '/login?redirect=/settings')
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  const popup = await opened
  await popup.getByPlaceholder('Enter any login').fill('grace')
  await popup.getByPlaceholder('and password').fill('a password of the tests')
  await popup.getByRole('button', { name: 'Sign-in' }).click()
  await popup.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('This server has no passwords: you sign in with Google.')).toBeVisible()
  await expect(page.getByText('This server has no passkeys: you sign in with Google.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toHaveCount(0)
  await expect(page.locator('input[type=password]')).toHaveCount(0)
  await expectFitting(page)
})
