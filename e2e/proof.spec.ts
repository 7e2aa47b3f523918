import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { signIn } from '#testing/account.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import { simulateDevice } from './fixtures/authenticator.ts'
import { expect, expectAllClosed, expectNoSidewaysScroll, openApp, sizes, test } from './fixtures/journey.ts'
import { signedInLongAgo } from './fixtures/proofs.ts'

/** Returns the app's code a number of seconds from now: the server accepts the next one, too. */
const codeOf = (secret: string, seconds = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + seconds * 1000 })

const question = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' })
const tokens = (page: Page) => page.getByRole('region', { name: 'Access tokens' })

for (const colorScheme of ['light', 'dark'] as const) {
  test(`an access token is created once the person has confirmed that it is them (${colorScheme})`, {
    tag: '@long',
  }, async ({ page, me }) => {
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
    // Until it says so, the first press is still being answered, and another one means the same.
    await expect(dialog.getByRole('alert')).toContainText('This needs a confirmation that it is you')

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

test('other sessions are ended once the person has confirmed that it is them; the sessions stay if they cancel', {
  tag: '@long',
}, async ({ page, baseURL, me }) => {
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

test('a passkey confirms that it is them, too', { tag: '@long' }, async ({ page, me }) => {
  await simulateDevice(page)
  await openApp(page, '/settings')
  const passkeys = page.getByRole('region', { name: 'Passkeys' })
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill('Laptop')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(passkeys.getByRole('listitem')).toHaveCount(1)
  await expectAllClosed(page)

  await signedInLongAgo(me)
  await passkeys.getByRole('button', { name: 'Remove Laptop' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expectAccessible(page)
  await question(page).getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByText('Laptop is removed')).toBeVisible()
  await expect(passkeys.getByRole('listitem')).toHaveCount(0)
  await expectAllClosed(page)
})

test('with two-step sign-in, the password needs a code, which then turns it off', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { secret } = await me.call('beginTwoFactor', {})
  await me.call('turnOnTwoFactor', { body: { code: codeOf(secret) } })
  await signedInLongAgo(me)
  await openApp(page, '/settings')
  const section = page.getByRole('region', { name: 'Two-step sign-in' })
  await section.getByRole('button', { name: 'Turn off' }).click()
  await page
    .getByRole('dialog', { name: 'Turn off two-step sign-in' })
    .getByRole('button', { name: 'Turn off' })
    .click()
  await question(page).getByLabel('Your password').fill(me.password)
  await question(page).getByRole('button', { name: 'Confirm' }).click()
  await expect(question(page).getByText('Enter a code')).toBeVisible()
  await expect(question(page).getByRole('textbox', { name: 'Code' })).toBeFocused()
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await expect(question(page).getByText('This code is not right')).toBeVisible()
  await expectAccessible(page)
  await question(page).getByRole('textbox', { name: 'Code' }).fill(codeOf(secret, 30))
  await page.keyboard.press('Enter')
  await expect(page.getByText('Two-step sign-in is off')).toBeVisible()
  await expect(section.getByRole('button', { name: 'Turn on two-step sign-in' })).toBeVisible()
})
