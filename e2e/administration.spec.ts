import { createAccount, signUp } from '#testing/account.ts'
import { type RunningServer, startServer } from '#testing/start-server.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import { expect, expectAllClosed, holdBack, openApp, test, visitor } from './fixtures/journey.ts'

let server: RunningServer
test.beforeAll(async () => {
  server = await startServer()
})
test.afterAll(() => server.stop())

test('the first account decides who may register, approves, suspends and announces; to others there is no such page', async ({
  page,
  browser,
}) => {
  const { url } = server
  await openApp(page, `${url}/register`)
  await page.getByLabel('Full Name').fill('Grace Hopper')
  await page.getByLabel('Email').fill('grace@example.com')
  await page.getByLabel('Password', { exact: true }).fill('compilers are fine')
  await page.getByLabel('Confirm Password').fill('compilers are fine')
  await page.getByLabel('I accept the terms and conditions').check()
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome, Grace Hopper' })).toBeVisible()

  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('link', { name: 'Administration' }).click()
  await expect(page.getByRole('heading', { name: 'Administration', level: 1 })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Shall registration stay open?' })).toBeVisible()
  await expectAccessible(page)
  const registration = page.getByRole('region', { name: 'Registration' })
  await registration.getByLabel('By approval').check()
  await registration.getByRole('button', { name: 'Save registration' }).click()
  await expect(page.getByText('Registration saved')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Shall registration stay open?' })).toHaveCount(0)
  await expect(registration.getByRole('button', { name: 'Save registration' })).toBeFocused()

  const ada = await visitor(browser, { baseURL: url })
  await openApp(ada, '/register')
  await ada.getByLabel('Full Name').fill('Ada Lovelace')
  await ada.getByLabel('Email').fill('ada@example.com')
  await ada.getByLabel('Password', { exact: true }).fill('difference engine')
  await ada.getByLabel('Confirm Password').fill('difference engine')
  await ada.getByLabel('I accept the terms and conditions').check()
  await ada.getByRole('button', { name: 'Create Account' }).click()
  await expect(ada.getByRole('heading', { name: 'Your account is made' })).toBeVisible()
  await expect(ada.getByText('Your account waits for an administrator')).toBeVisible()
  await expectAccessible(ada)

  const invited = page.getByRole('region', { name: 'Invitations' }).getByLabel('Email')
  await invited.fill('guest@example.com')
  await registration.getByLabel('Allowed email domains').fill('example.org')
  await page.reload()
  await expect(invited).toHaveValue('guest@example.com')
  await expect(registration.getByText('What you typed and did not save is back.')).toBeVisible()
  await expect(registration.getByLabel('Allowed email domains')).toHaveValue('example.org')
  await registration.getByRole('button', { name: 'Discard it' }).click()
  await expect(registration.getByLabel('Allowed email domains')).toHaveValue('')
  const send = await holdBack(page, '**/api/admin/invitations', 'PUT')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await invited.fill('friend@example.com')
  send()
  await expect(page.getByText('Copy the link and give it to guest@example.com')).toBeVisible()
  await expect(invited, 'typed meanwhile').toHaveValue('friend@example.com')
  await page.getByRole('button', { name: 'Approve Ada Lovelace' }).click()
  await expect(page.getByText('Ada Lovelace can sign in now')).toBeVisible()
  await expect(page.getByRole('list', { name: 'People' })).toBeFocused()
  await ada.getByRole('link', { name: 'Sign in' }).last().click()
  await ada.getByLabel('Email').fill('ada@example.com')
  await ada.getByLabel('Password', { exact: true }).fill('difference engine')
  await ada.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(ada.getByRole('heading', { name: 'Welcome, Ada Lovelace' })).toBeVisible()
  await ada.goto('/admin')
  await expect(ada.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()

  await page.getByRole('button', { name: 'Actions for Ada Lovelace' }).click()
  await page.getByRole('button', { name: 'Suspend', exact: true }).click()
  const question = page.getByRole('alertdialog', { name: 'Suspend Ada Lovelace?' })
  await question.getByRole('button', { name: 'Suspend' }).click()
  await expect(page.getByText('Ada Lovelace is suspended')).toBeVisible()
  await expectAllClosed(page)
  await expect(ada.getByText('Your session has ended. Sign in to go on.')).toBeVisible()
  await ada.getByLabel('Email').fill('ada@example.com')
  await ada.getByLabel('Password', { exact: true }).fill('difference engine')
  await ada.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(ada.getByRole('alert')).toContainText('This account is suspended.')

  await page.getByLabel('Text', { exact: true }).fill('Away on Sunday, <b>all day</b>')
  await page.getByRole('button', { name: 'Save announcement' }).click()
  const announcement = page.getByRole('region', { name: 'Message from the administrators' })
  await expect(announcement).toHaveText('Away on Sunday, <b>all day</b>')
  const terms = page.getByRole('textbox', { name: 'Terms and conditions' })
  await terms.fill('Be *kind*')
  await page.getByRole('button', { name: 'Save terms' }).click()
  await expect(page.getByText('Terms saved')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove terms' })).toBeVisible()
  await expect(page.getByText('Email is not set up')).toBeVisible()
  await expect(page.getByText('Nothing has failed.')).toBeVisible()
  await expectAccessible(page)
  await announcement.getByRole('button', { name: 'Dismiss' }).press('Enter')
  await expect(page.getByText('Away on Sunday, <b>all day</b>', { exact: true })).toHaveCount(0)
  await expect(page.getByRole('main')).toBeFocused()

  await openApp(ada, '/register')
  await expect(ada.getByRole('region', { name: 'Message from the administrators' })).toHaveText(
    'Away on Sunday, <b>all day</b>',
  )
  await expectAccessible(ada)
  await expect(ada.getByRole('link', { name: 'Read the terms and conditions' })).toHaveAttribute(
    'href',
    '/terms',
  )
  await openApp(ada, '/terms')
  await expect(ada.getByRole('heading', { name: 'Terms and conditions' })).toBeVisible()
  await expect(ada.getByRole('main').locator('em')).toHaveText('kind')
  await expect(ada.getByRole('region', { name: 'Message from the administrators' })).toHaveCount(0)
  await expectAccessible(ada)
  await ada.context().close()
})

test('one thing at a time is done to an account, and a link for a new password is made once', {
  tag: '@long',
}, async ({ browser }) => {
  const { url, stop } = await startServer()
  const page = await visitor(browser, { baseURL: url })
  await signUp(page, url, 'Grace Hopper')
  await createAccount(url, 'Ada Lovelace')
  await openApp(page, '/admin')
  const menu = page.getByRole('button', { name: 'Actions for Ada Lovelace' })
  const makeLink = page.getByRole('button', { name: 'Link for a new password' })
  const letGo = await holdBack(page, '**/reset-link')
  await menu.press('Enter')
  await makeLink.press('Enter')
  await expect(page.getByRole('article', { name: 'Ada Lovelace' }).getByRole('status')).toHaveText('Working…')
  await expect(menu).toBeFocused()
  await menu.press('Enter')
  await expect(makeLink).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Suspend', exact: true })).toBeDisabled()
  letGo()
  await expect(page.getByRole('dialog', { name: 'A new password for Ada Lovelace' })).toBeVisible()
  await page.context().close()
  await stop()
})
