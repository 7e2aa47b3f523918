import { expectAccessible } from './fixtures/accessibility.ts'
import { test } from './fixtures/email.ts'
import {
  blockRequests,
  expect,
  expectNoSidewaysScroll,
  openApp,
  sizes,
  waitUntilReady,
} from './fixtures/journey.ts'

test.describe.configure({ mode: 'default' })
test('an emailed link confirms the email of the signed-in account, once', { tag: '@long' }, async ({
  page,
  me,
  emailServer,
}) => {
  const link = await emailServer.linkTo(me.email)
  await page.evaluate(() => localStorage.clear())
  await page.context().clearCookies()

  await page.goto(link)
  await expect(page).toHaveURL(
    (url) => url.pathname === '/login' && url.searchParams.get('redirect') === link,
  )
  await page.getByLabel('Email').fill(me.email)
  await page.getByLabel('Password', { exact: true }).fill(me.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()

  await expect(page).toHaveURL(link)
  await expect(page.getByText(`You are signed in with ${me.email}.`)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Confirm this address' }).click()
  await expect(page.getByRole('heading', { name: 'Your email address is confirmed' })).toBeFocused()

  await page.reload()
  await waitUntilReady(page)
  await page.getByRole('button', { name: 'Confirm this address' }).click()
  await expect(page.getByRole('heading', { name: 'Your email address is confirmed' })).toBeFocused()

  await openApp(page, '/verify-email/no-such-link')
  await page.getByRole('button', { name: 'Confirm this address' }).click()
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeFocused()
  await page.getByRole('button', { name: 'Send a new link' }).click()
  await expect(page.getByRole('heading', { name: 'Your email address is confirmed' })).toBeFocused()
  await page.getByRole('link', { name: 'Go to Dashboard' }).click()
  await expect(page).toHaveURL('/dashboard')
})

test('a link for another account confirms nothing, and leads to sign-in', { tag: '@long' }, async ({
  page,
  me,
  colleague,
  emailServer,
}) => {
  const other = await colleague('The bread baker')
  const link = await emailServer.linkTo(other.email)
  await page.goto(link)
  await expect(page.getByText(`You are signed in with ${me.email}.`)).toBeVisible()
  await page.getByRole('button', { name: 'Confirm this address' }).click()
  await expect(page.getByRole('heading', { name: 'This link is for another account' })).toBeFocused()
  await page.getByRole('button', { name: 'Sign in with another account' }).click()
  await expect(page).toHaveURL(
    (url) => url.pathname === '/login' && url.searchParams.get('redirect') === link,
  )
})

test('confirming again causes no layout shift while the request is pending', { tag: '@long' }, async ({
  page,
  me: _me,
}) => {
  await openApp(page, '/verify-email/token')
  await page.route('**/api/auth/verify-email*', (route) => route.abort())
  const confirm = page.getByRole('button', { name: 'Confirm this address' })
  await confirm.click()
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
  const before = await confirm.boundingBox()
  const release = await blockRequests(page, '**/api/auth/verify-email*')
  await confirm.click()
  await expect(confirm).toHaveAttribute('aria-busy', 'true')
  expect((await confirm.boundingBox())?.y).toBe(before?.y)
  release()
})

for (const [size, viewport] of Object.entries(sizes)) {
  test(`the page is accessible in both themes on a ${size}`, {
    tag: '@long',
  }, async ({ page, me, emailServer }) => {
    await page.setViewportSize(viewport)
    await page.goto(await emailServer.linkTo(me.email))
    await expect(page.getByRole('button', { name: 'Confirm this address' })).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })
}
