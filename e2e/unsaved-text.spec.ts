import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { bakery } from './bakery.ts'
import { expect, expectNoSidewaysScroll, openApp, sizes, test } from './journey.ts'
import type { Member } from './member.ts'

const leaveQuestion = (page: Page) => page.getByRole('alertdialog', { name: 'Leave without saving?' })

/** Has the server refuse the session, as when it was revoked elsewhere. */
async function endSession(page: Page): Promise<void> {
  await page.context().clearCookies()
  await page.route('**/api/projects*', (route) =>
    route.fulfill({ status: 401, json: { code: 'not_signed_in', message: 'Please sign in to continue' } }),
  )
  await page.evaluate(() => localStorage.setItem('token', 'revoked'))
  await page.evaluate(() => dispatchEvent(new Event('storage')))
}

async function signInAgain(page: Page, { email, password }: Member): Promise<void> {
  await expect(page.getByText('Your session has ended. Sign in to go on.')).toBeVisible()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
