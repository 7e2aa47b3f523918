import { Secret, TOTP } from 'otpauth'
import { expectAccessible } from './fixtures/accessibility.ts'
import { expect, openApp, test, visitor } from './fixtures/journey.ts'

/** The code that an app shows so many seconds from now: the server accepts the next one, too. */
const codeOf = (secret: string, seconds = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + seconds * 1000 })

test('two-step sign-in is turned on, asks for a code or a recovery code, and is turned off', async ({
  page,
  browser,
  me,
}) => {
  test.slow()
  await page.goto('/settings')
  const section = page.getByRole('region', { name: 'Two-step sign-in' })
  await section.getByRole('button', { name: 'Turn on two-step sign-in' }).click()
  const setup = page.getByRole('dialog', { name: 'Turn on two-step sign-in' })
  await setup.getByLabel('Your password').fill('a wrong guess')
  await setup.getByRole('button', { name: 'Continue' }).click()
  await expect(setup.getByText('Incorrect password')).toBeVisible()
  await setup.getByLabel('Your password').fill(me.password)
  await setup.getByRole('button', { name: 'Continue' }).click()
  await expect(setup.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  await setup.getByRole('button', { name: 'Enter it as text instead' }).click()
  await expectAccessible(page)
  const secret = ((await setup.locator('code').textContent()) ?? '').replaceAll(' ', '')
  await setup.getByRole('textbox', { name: 'Code' }).fill('000000')
  await setup.getByRole('button', { name: 'Turn on' }).click()
  await expect(setup.getByText('This code is not right')).toBeVisible()
  await setup.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret))
  await setup.getByRole('button', { name: 'Turn on' }).click()
  const codes = page.getByRole('list', { name: 'Recovery codes' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  await expectAccessible(page)
  const [recovery = '', spare = ''] = await codes.getByRole('listitem').allTextContents()
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
  await off.getByLabel('Your password').fill(me.password)
  await off.getByLabel('Code').fill(spare)
  await expectAccessible(page)
  await off.getByRole('button', { name: 'Turn off' }).click()
  await expect(section.getByRole('button', { name: 'Turn on two-step sign-in' })).toBeVisible()
})

test('a sign-in that waited too long for its code begins again', { tag: '@long' }, async ({ page }) => {
  await openApp(page, '/login/code?redirect=/trash')
  await page.getByLabel('Code').fill('123456')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'This sign-in took too long' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Sign in' })).toHaveAttribute(
    'href',
    '/login?redirect=%2Ftrash',
  )
})
