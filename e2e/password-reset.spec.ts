import type { Route } from '@playwright/test'
import { linkPathIn, test } from './fixtures/email.ts'
import { expect, openApp } from './fixtures/journey.ts'

test('a forgotten password is reset by an emailed link, which works once', { tag: '@long' }, async ({
  page,
  colleague,
  emailServer,
}) => {
  const { email } = await colleague('Grace Hopper')
  await emailServer.sink.emailTo(email) // the confirmation email
  await openApp(page, '/login')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page).toHaveURL('/forgot-password')
  const main = page.getByRole('main')
  // The URL changes before the screen does, and both screens have a field with this name.
  await expect(main.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  await expect(main.getByLabel('Email'), 'typed before').toHaveValue(email)
  await main.getByRole('button', { name: 'Send the link' }).click()
  await expect(main.getByRole('heading', { name: 'Check your email' })).toBeFocused()

  const link = linkPathIn((await emailServer.sink.emailTo(email, 2)).content, 'reset-password')
  await openApp(page, link)
  await main.getByLabel('New password').fill('password1')
  await main.getByRole('button', { name: 'Change password' }).click()
  await expect(main.getByRole('alert')).toHaveText('This password is too common. Please choose another.')
  await main.getByLabel('New password').fill('analytical engine')
  await main.getByRole('button', { name: 'Change password' }).click()
  await expect(main.getByRole('heading', { name: 'Your password is changed' })).toBeFocused()
  await main.getByRole('link', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/login')
  await main.getByLabel('Email').fill(email)
  await main.getByLabel('Password', { exact: true }).fill('analytical engine')
  await main.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL('/dashboard')

  await openApp(page, link)
  await main.getByLabel('New password').fill('another engine')
  await main.getByRole('button', { name: 'Change password' }).click()
  await expect(main.getByRole('heading', { name: 'This link no longer works' })).toBeFocused()
})

for (const [outcome, lose, message] of [
  ['its response was lost', (route) => route.abort(), 'The server cannot be reached.'],
  [
    'a proxy responded instead',
    (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
    'The server is not available right now.',
  ],
] satisfies [string, (route: Route) => Promise<void>, string][]) {
  test(`a link that may have been used although ${outcome} leads to sign-in`, { tag: '@long' }, async ({
    page,
  }) => {
    let tries = 0
    await page.route('**/api/auth/reset-password', (route) => {
      tries += 1
      return tries === 1 ? lose(route) : route.continue()
    })
    await openApp(page, `/reset-password/${'a'.repeat(43)}`)
    const main = page.getByRole('main')
    await main.getByLabel('New password').fill('analytical engine')
    await main.getByRole('button', { name: 'Change password' }).click()
    await expect(main.getByRole('alert')).toContainText(message)
    await main.getByRole('button', { name: 'Change password' }).click()
    await expect(main.getByRole('heading', { name: 'Your password may be changed' })).toBeFocused()
    await main.getByRole('link', { name: 'Sign in' }).click()
    await expect(page).toHaveURL('/login')
  })
}
