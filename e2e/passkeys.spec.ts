import type { Page, Route } from '@playwright/test'
import { expectAccessible } from './fixtures/accessibility.ts'
import { simulateDevice, withoutSuggestions } from './fixtures/authenticator.ts'
import { blockRequests, expect, expectAllClosed, openApp, test } from './fixtures/journey.ts'

const section = (page: Page) => page.getByRole('region', { name: 'Passkeys' })

/** Adds a passkey in the settings. */
async function addPasskey(page: Page, name = 'Laptop'): Promise<void> {
  await openApp(page, '/settings')
  await section(page).getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(section(page).getByRole('listitem')).toContainText(name)
  await expectAllClosed(page)
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.waitForURL('/')
  await expect(page.getByRole('link', { name: 'Sign In' }).first()).toBeVisible()
}

const byPasskey = (page: Page) => page.getByRole('button', { name: 'Use a passkey' })

test('a passkey that was added in the settings signs in by its button until it is removed', {
  tag: '@long',
}, async ({ page, me: _me }) => {
  const device = await simulateDevice(page)
  await page.goto('/settings')
  await section(page).getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(dialog.getByText('Name is required')).toBeVisible()
  await expect(dialog.getByLabel('Name'), 'the first refused field').toBeFocused()
  await dialog.getByLabel('Name').fill('Laptop')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(section(page).getByRole('listitem')).toContainText('Never used')
  expect(await device.count()).toBe(1)
  await expectAllClosed(page)

  const answer = await blockRequests(page, '**/api/account/passkeys/*', 'PUT')
  await section(page).getByRole('button', { name: 'Rename Laptop' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('My laptop')
  await page.getByRole('button', { name: 'Save name' }).last().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expectAllClosed(page)
  answer({ status: 500, json: {} })
  await expect(page.getByText('The name could not be saved')).toBeVisible()
  await page.unrouteAll()

  await section(page).getByRole('button', { name: 'Rename Laptop' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Old laptop')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(section(page).getByRole('listitem')).toContainText('Old laptop')
  await expectAllClosed(page)
  await expectAccessible(page)

  await withoutSuggestions(page)
  await signOut(page)
  await openApp(page, '/login?redirect=/collaborations')
  await byPasskey(page).click()
  await expect(page.getByRole('heading', { name: 'My Collaborations' })).toBeVisible()

  await page.goto('/settings')
  await expect(section(page).getByRole('listitem')).toContainText('Last used')
  await section(page).getByRole('button', { name: 'Remove Old laptop' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(section(page).getByRole('listitem')).toHaveCount(0)
  await expectAllClosed(page)
  await signOut(page)
  await openApp(page, '/login')
  await byPasskey(page).click()
  await expect(page.getByText('This server does not know the passkey')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})

test('a passkey can be added once the list has loaded, or has failed to load', { tag: '@long' }, async ({
  page,
  me,
}) => {
  await simulateDevice(page)
  const add = section(page).getByRole('button', { name: 'Add a passkey' })
  const answer = await blockRequests(page, '**/api/account/passkeys', 'GET')
  await page.goto('/settings')
  await expect(page.getByText(me.email).last()).toBeVisible()
  await expect(section(page).getByText('Loading your passkeys')).toBeAttached()
  await expect(add).toBeDisabled()
  answer({ status: 403, json: { code: 'forbidden', message: 'No' } })
  await expect(section(page).getByText('Your passkeys could not be fetched')).toBeVisible()
  await expect(add).toBeEnabled()
  await page.unrouteAll()
  await page.reload()
  await add.click()
  await expect(page.getByRole('dialog', { name: 'Add a passkey' })).toBeVisible()
})

test('a refused passkey is reported even if the dialog was closed meanwhile', { tag: '@long' }, async ({
  page,
  me: _me,
}) => {
  await simulateDevice(page)
  await page.goto('/settings')
  const answer = await blockRequests(page, '**/credential')
  await section(page).getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill('Laptop')
  const sent = page.waitForRequest('**/credential')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await sent
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expectAllClosed(page)
  answer({ status: 409, json: { code: 'conflict', message: 'You have too many passkeys' } })
  await expect(page.getByText('You have too many passkeys')).toBeVisible()
})

test('the new name of a passkey that was removed elsewhere stays visible with the refusal', {
  tag: '@long',
}, async ({ page, me }) => {
  await simulateDevice(page)
  await addPasskey(page)
  await section(page).getByRole('button', { name: 'Rename Laptop' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename Laptop' })
  await dialog.getByLabel('Name').fill('Kitchen laptop')
  for (const { _id } of await me.call('listPasskeys', {}))
    await me.call('removePasskey', { params: { passkeyId: _id } })
  await dialog.getByRole('button', { name: 'Save name' }).click()
  await expect(section(page).getByRole('listitem')).toHaveCount(0)
  await expect(dialog.getByText('Passkey not found')).toBeVisible()
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await expect(dialog.getByLabel('Name')).toHaveValue('Kitchen laptop')
})

test('a passkey is suggested in the email field, and signs in when it is chosen', { tag: '@long' }, async ({
  page,
  me: _me,
}) => {
  const device = await simulateDevice(page)
  await addPasskey(page)
  await device.setPresence(false)
  await signOut(page)
  await openApp(page, '/register')
  await device.setPresence(true) // a simulated device chooses the first suggestion
  await page.getByRole('link', { name: 'Sign in' }).last().click()
  await expect(page).toHaveURL('/dashboard')
})

test('passkeys that cannot be suggested are requested once, and show no error until the button is pressed', {
  tag: '@long',
}, async ({ page }) => {
  await simulateDevice(page)
  let asked = 0
  await page.route('**/api/auth/passkey/challenge', (route) => {
    asked += 1
    return route.fulfill({ status: 429, json: { code: 'too_many_requests', message: 'Too many requests' } })
  })
  const first = page.waitForResponse('**/api/auth/passkey/challenge')
  await openApp(page, '/login')
  await first
  await page.getByLabel('Email', { exact: true }).fill('ada@example.test')
  await expect(page.getByText('Too many requests')).toHaveCount(0)
  expect(asked).toBe(1)
  await byPasskey(page).click()
  await expect(page.getByText('Too many requests')).toBeVisible()
})

test('a device that does not verify the person neither adds a passkey nor signs in', {
  tag: '@long',
}, async ({ page, me: _me }) => {
  const device = await simulateDevice(page)
  await addPasskey(page)
  await device.setVerified(false)
  await withoutSuggestions(page)
  await signOut(page)
  await openApp(page, '/login')
  await byPasskey(page).click()
  await expect(page.getByText('No passkey was used. Try again, or sign in another way.')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})

for (const { fate, end, said } of [
  {
    fate: 'was lost',
    end: (route: Route) => route.abort(),
    said: 'The server cannot be reached.',
  },
  {
    fate: 'came too late for a proxy',
    end: (route: Route) => route.fulfill({ status: 504, body: 'Gateway Timeout' }),
    said: 'The server is not available right now.',
  },
])
  test(`a response to adding a passkey that ${fate} creates no second one, and its name survives a reload`, {
    tag: '@long',
  }, async ({ page, me: _me }) => {
    const device = await simulateDevice(page)
    await page.goto('/settings')
    const open = section(page).getByRole('button', { name: 'Add a passkey' })
    await open.click()
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
    await dialog.getByLabel('Name').fill('Phone')
    await page.reload()
    await open.click()
    await expect(dialog.getByLabel('Name')).toHaveValue('Phone')
    await page.route(
      '**/credential',
      async (route) => {
        await route.fetch()
        await end(route)
      },
      { times: 1 },
    )
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(dialog.getByText(said)).toBeVisible()
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await expectAllClosed(page)
    await expect(section(page).getByRole('listitem')).toHaveCount(1)
    expect(await device.count()).toBe(1)
  })

test('a sign-in with a passkey whose response was lost says that the server cannot be reached', {
  tag: '@long',
}, async ({ page, me }) => {
  await simulateDevice(page)
  await addPasskey(page)
  await withoutSuggestions(page)
  await signOut(page)
  await openApp(page, '/login')
  await page.route('**/api/auth/passkey/sign-in', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await byPasskey(page).click()
  await expect(
    page.getByText('The server cannot be reached. Check your connection and try again.'),
  ).toBeVisible()
  await page.unrouteAll()
  await byPasskey(page).click()
  await expect(page.getByRole('heading', { name: me.name })).toBeVisible()
})
