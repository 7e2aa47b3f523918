import { blockRequests, expect, openApp, test } from './fixtures/journey.ts'

const guarded = [
  '/dashboard',
  '/collaborations',
  '/projects/0199f1f0-0000-7000-8000-000000000000',
  '/projects/0199f1f0-0000-7000-8000-000000000000/milestones/0199f1f0-0000-7000-8000-000000000001/entries/0199f1f0-0000-7000-8000-000000000002',
]

test('a visitor who opens a workspace screen is asked to sign in and then redirected back', async ({
  page,
}) => {
  for (const path of guarded) {
    await page.goto(path)
    await expect(page).toHaveURL(
      (url) => url.pathname === '/login' && url.searchParams.get('redirect') === path,
    )
  }
})

test('signing in redirects to the requested page', { tag: '@long' }, async ({ page, me }) => {
  await page.evaluate(() => localStorage.clear())
  await page.context().clearCookies()
  await openApp(page, '/login?redirect=%2Fcollaborations')
  await page.getByLabel('Email').fill(me.email)
  await page.getByLabel('Password', { exact: true }).fill(me.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL('/collaborations')
})

test('a redirect never leads to another site', { tag: '@long' }, async ({ page, me }) => {
  await page.evaluate(() => localStorage.clear())
  await page.context().clearCookies()
  await openApp(page, `/login?redirect=${encodeURIComponent('/\\example.org')}`)
  await page.getByLabel('Email').fill(me.email)
  await page.getByLabel('Password', { exact: true }).fill(me.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL('/dashboard')
})

test('a signed-in user is not shown the sign-in screens', async ({ page, me }) => {
  for (const path of ['/login', '/register']) {
    await page.goto(path)
    await expect(page).toHaveURL('/dashboard')
  }
  await expect(page.getByRole('heading', { name: me.name })).toBeVisible()
})

test('signing out ends the session everywhere', async ({ page, me, context }) => {
  await page.goto('/dashboard')
  const other = await context.newPage()
  await other.goto('/dashboard')
  await expect(other.getByRole('heading', { name: me.name })).toBeVisible()
  const token = await page.evaluate(() => localStorage.getItem('token'))
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await expect(other).toHaveURL(/\/login/)
  const headers = { authorization: `Bearer ${token}` }
  await expect.poll(async () => (await page.request.get('/api/projects', { headers })).status()).toBe(401)
})

test('signing in redirects to the screen that was loading when the session ended', {
  tag: '@long',
}, async ({ page, me }) => {
  const release = await blockRequests(page, /\/my-collaborations-screen-[^/]*\.js$/)
  await openApp(page, '/dashboard')
  await page.getByRole('link', { name: 'Collaborations' }).click()
  await expect(page.getByText('Opening the page')).toBeAttached()
  await page.evaluate(() => {
    localStorage.removeItem('token')
    dispatchEvent(new Event('storage'))
  })
  await expect(page.getByRole('heading', { name: me.name })).toHaveCount(0)
  release()
  await expect(page).toHaveURL('/login?redirect=%2Fcollaborations')
  await expect(page.getByText('Your session has ended. Sign in to go on.')).toBeVisible()
})

test('a page that does not exist shows Page Not Found, with status 404', async ({ page }) => {
  const response = await page.goto('/no/such/page')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
  await expect(page.getByText('does not exist or has been moved')).toBeVisible()
  await page.getByRole('link', { name: 'Back to Home' }).click()
  await expect(page).toHaveURL('/')
})

test('the theme follows the system until one is chosen, and is then remembered', { tag: '@long' }, async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ colorScheme: 'dark', baseURL: baseURL ?? '' })
  const page = await context.newPage()
  const isDark = () => page.evaluate(() => document.documentElement.classList.contains('dark'))
  await openApp(page, '/')
  expect(await isDark()).toBe(true)
  await page.getByRole('button', { name: 'Toggle theme' }).first().click()
  await expect.poll(isDark).toBe(false)
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('light')
  await page.reload()
  expect(await isDark()).toBe(false)
  await context.close()
})
