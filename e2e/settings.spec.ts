import { expect, expectAllClosed, holdBack, openApp, test, visitor } from './fixtures/journey.ts'

test.describe.configure({ mode: 'default' })

test('changing the password signs out every other browser, which shows it at once', async ({
  page,
  browser,
  me,
}) => {
  const other = await visitor(browser)
  await openApp(other, '/login?redirect=/collaborations')
  await other.getByLabel('Email').fill(me.email)
  await other.getByLabel('Password', { exact: true }).fill(me.password)
  await other.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(other.getByRole('heading', { name: 'My Collaborations' })).toBeVisible()

  await page.goto('/settings')
  const sessions = page.getByRole('region', { name: 'Sessions' })
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  const password = page.getByRole('region', { name: 'Password' })
  await password.getByLabel('Current password').fill('a wrong guess')
  await password.getByLabel('New password').fill('analytical engine')
  await password.getByRole('button', { name: 'Change password' }).click()
  await expect(password.getByText('Incorrect password')).toBeVisible()
  await expect(password.getByLabel('Current password')).toBeFocused()
  await password.getByLabel('Current password').fill(me.password)
  await password.getByRole('button', { name: 'Change password' }).click()
  await expect(password.getByRole('status')).toContainText('You are signed out everywhere else.')
  await expect(sessions.getByRole('listitem')).toHaveCount(1)

  await expect(other.getByText('Your session has ended. Sign in to go on.')).toBeVisible()
  await other.context().close()
})

test('a new name and the theme hold at once', async ({ page, me }) => {
  await page.goto('/settings')
  const profile = page.getByRole('region', { name: 'Profile' })
  await expect(profile.getByLabel('Name')).toHaveValue(me.name)
  await profile.getByLabel('Name').fill('Countess of Lovelace')
  await profile.getByRole('button', { name: 'Save name' }).click()
  await expect(page.getByText('Name saved')).toBeVisible()
  await expect(page.locator('#user-menu').getByText('Countess of Lovelace')).toBeAttached()

  const theme = page.getByRole('group', { name: 'Theme' })
  await theme.getByText('Dark').click()
  await expect(page.locator('html')).toHaveClass(/dark/)
  await page.getByRole('button', { name: 'Toggle theme' }).click()
  await expect(theme.getByLabel('Light')).toBeChecked()
  await expect(page.locator('html')).not.toHaveClass(/dark/)
})

test('a name that is typed while another is saved stays, and is saved next', { tag: '@long' }, async ({
  page,
  me: _me,
}) => {
  await page.goto('/settings')
  const profile = page.getByRole('region', { name: 'Profile' })
  const name = profile.getByLabel('Name')
  const save = profile.getByRole('button', { name: 'Save name' })
  const letGo = await holdBack(page, '**/api/account', 'PUT')
  await name.fill('Countess')
  await name.press('Enter')
  await expect(save).toHaveAttribute('aria-busy', 'true')
  await name.fill('Countess of Lovelace')
  letGo()
  await expect(page.getByText('Name saved')).toBeVisible()
  await expect(page.locator('#user-menu').getByText('Countess', { exact: true })).toBeAttached()
  await expect(name).toHaveValue('Countess of Lovelace')
  await page.reload()
  await expect(name).toHaveValue('Countess of Lovelace')
  await save.click()
  await expect(page.locator('#user-menu').getByText('Countess of Lovelace')).toBeAttached()
  await page.reload()
  await expect(name).toHaveValue('Countess of Lovelace')
  await expect(save).toBeDisabled()
})

test('an account is deleted with its password, and kept by signing in within seven days', async ({
  page,
  me,
}) => {
  await openApp(page, '/settings')
  const section = page.getByRole('region', { name: 'Delete my account' })
  await section.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete my account' })
  await dialog.getByLabel('Your password').fill('a wrong guess')
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect(dialog.getByText('Incorrect password')).toBeVisible()
  await dialog.getByLabel('Your password').fill(me.password)
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page.getByText('Sign in before then to keep it.')).toBeVisible()
  await expectAllClosed(page)

  await openApp(page, '/login')
  await page.getByLabel('Email').fill(me.email)
  await page.getByLabel('Password', { exact: true }).fill(me.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const question = page.getByRole('alertdialog', { name: 'Keep your account?' })
  await expect(question).toContainText('This account will be deleted on')
  await question.getByRole('button', { name: 'Keep my account' }).click()
  await expect(page).toHaveURL('/dashboard')
})
