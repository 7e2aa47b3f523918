import type { Page } from '@playwright/test'
import { signIn } from '#testing/account.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import { expect, expectAllClosed, expectNoSidewaysScroll, openApp, sizes, test } from './fixtures/journey.ts'
import { signedInLongAgo } from './fixtures/proofs.ts'

const question = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' })
const tokens = (page: Page) => page.getByRole('region', { name: 'Access tokens' })

for (const colorScheme of ['light', 'dark'] as const) {
  test(`an access token is created once the person has confirmed that it is them (${colorScheme})`, async ({
    page,
    me,
  }) => {
    await page.emulateMedia({ colorScheme })
    await signedInLongAgo(me)
    await openApp(page, '/settings')
    await tokens(page).getByRole('button', { name: 'New access token' }).click()
    const dialog = page.getByRole('dialog', { name: 'New access token' })
    await dialog.getByLabel('Name').fill('Nightly copy')
    await dialog.getByRole('button', { name: 'Create token' }).click()

    await expect(question(page).getByLabel('Your password')).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(question(page)).toHaveCount(0)
    await expect(dialog.getByLabel('Name'), 'what was typed').toHaveValue('Nightly copy')
    await expect(dialog.getByRole('button', { name: 'Create token' })).toBeFocused()

    await page.keyboard.press('Enter')
    await question(page).getByRole('button', { name: 'Confirm' }).click()
    await expect(question(page).getByText('Enter your password')).toBeVisible()
    await expect(question(page).getByLabel('Your password')).toBeFocused()
    await page.keyboard.type('a wrong guess')
    await page.keyboard.press('Enter')
    await expect(question(page).getByText('Incorrect password')).toBeVisible()
    await page.setViewportSize({ width: 320, height: 640 })
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await page.setViewportSize(sizes.desktop)
    await question(page).getByLabel('Your password').fill(me.password)
    await page.keyboard.press('Enter')

    await expect(dialog.getByRole('textbox', { name: 'Access token' })).toHaveValue(/^mp_/)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expectAllClosed(page)
    await expect(tokens(page).getByRole('listitem')).toHaveCount(1)
  })
}

test('other sessions are ended once the person has confirmed that it is them; the sessions stay if they cancel', async ({
  page,
  baseURL,
  me,
}) => {
  await signIn(baseURL ?? '', me)
  await signedInLongAgo(me)
  await openApp(page, '/settings')
  const sessions = page.getByRole('region', { name: 'Sessions' })
  const end = sessions.getByRole('button', { name: 'Sign out everywhere else' })
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  await end.click()
  await question(page).getByRole('button', { name: 'Cancel' }).click()
  await expectAllClosed(page)
  await expect(end).toBeFocused()
  await expect(page.getByText('Failed to sign out')).toHaveCount(0)
  await expect(sessions.getByRole('listitem')).toHaveCount(2)

  await end.click()
  await question(page).getByLabel('Your password').fill(me.password)
  await question(page).getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('Signed out everywhere else')).toBeVisible()
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  await expectAllClosed(page)
})
