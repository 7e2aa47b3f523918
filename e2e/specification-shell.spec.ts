import type { Locator, Page } from '@playwright/test'
import { createJournal } from '#testing/journal.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import {
  blockRequests,
  expect,
  expectLayers,
  holdTraversals,
  openApp,
  pressShortcut,
  sizes,
  test,
} from './fixtures/journey.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const bar = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const shown = (page: Page, text: string) => page.getByText(text, { exact: true }).filter({ visible: true })

test('the navigation bar links a visitor to sign-in and registration', async ({ page }) => {
  await page.goto('/markdown-guide')
  await expect(bar(page).getByRole('link', { name: 'Milepost' })).toHaveAttribute('href', '/')
  await expect(bar(page).getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/login')
  await expect(bar(page).getByRole('link', { name: 'Get Started' })).toHaveAttribute('href', '/register')
  await expect(bar(page).getByRole('link', { name: 'Dashboard' })).toHaveCount(0)
  await expect(page.locator('header').first()).toHaveCSS('position', 'fixed')
})

test('the navigation bar links a signed-in user to the workspace, and signs out', async ({ page, me }) => {
  await page.goto('/markdown-guide')
  await expect(bar(page).getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/dashboard')
  await expect(bar(page).getByRole('link', { name: 'Collaborations' })).toHaveAttribute(
    'href',
    '/collaborations',
  )
  await expect(bar(page).getByRole('link', { name: 'Sign In' })).toHaveCount(0)
  const signOut = page.getByRole('button', { name: 'Sign out' })
  await page.getByRole('button', { name: 'User menu' }).click()
  await expect(page.locator('#user-menu').getByText(me.name)).toBeVisible()
  await expect(shown(page, me.email)).toBeVisible()
  await expect(signOut).toBeVisible()
  await page.getByRole('heading', { level: 1 }).click()
  await expect(signOut).toBeHidden()
  await page.getByRole('button', { name: 'User menu' }).click()
  await bar(page).getByRole('link', { name: 'Dashboard' }).click()
  await expect(page).toHaveURL('/dashboard')
  await expect(signOut).toBeHidden()
})

test('signing out on the landing page reloads it', { tag: '@long' }, async ({ page, me }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'User menu' }).click()
  await expect(shown(page, me.email)).toBeVisible()
  const loaded = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await loaded
  await expect(bar(page).getByRole('link', { name: 'Sign In' })).toBeVisible()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await expect(page).toHaveURL('/')
})

test('signing out on the landing page reloads it only after the menu has removed its history entry', {
  tag: '@long',
}, async ({ page, me }) => {
  const release = await holdTraversals(page)
  await page.goto('/')
  await page.getByRole('button', { name: 'User menu' }).click()
  await expect(shown(page, me.email)).toBeVisible()
  await expectLayers(page, 1)
  const signedOut = page.waitForResponse('**/api/users/sign-out')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await (await signedOut).finished()
  await expect(bar(page).getByRole('link', { name: 'Sign In' })).toBeVisible()
  await expectLayers(page, 1)
  const loaded = page.waitForEvent('load')
  await release()
  await loaded
  await expectLayers(page, 0)
  await expect(page).toHaveURL('/')
})

test('a sign-out that fails at the server is reported on every screen', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const failed = page.getByRole('list', { name: 'Messages' }).getByText('Logout failed')
  await page.route('**/api/users/sign-out', (route) => route.fulfill({ status: 503, json: {} }))
  const projects = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/projects')
  await page.goto('/')
  expect((await projects).status()).toBe(200) // fetched after authentication, also on another screen
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(failed).toBeVisible()
  await expect(bar(page).getByRole('link', { name: 'Sign In' })).toBeVisible()

  await openApp(page, '/login') // a press before hydration would submit nothing
  await page.getByLabel('Email').fill(me.email)
  await page.getByLabel('Password', { exact: true }).fill(me.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: me.name })).toBeVisible() // navigation closes an open menu
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/')
  await expect(failed).toBeVisible()
})

test('the API documentation works under the site’s Content Security Policy, in both themes, and requests no other host', {
  tag: '@long',
}, async ({ page, baseURL }) => {
  const elsewhere: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).protocol !== 'data:' && new URL(request.url()).origin !== baseURL)
      elsewhere.push(request.url())
  })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/api/docs')
  const root = page.locator('html')
  await expect(root).toHaveClass('dark-mode')
  await page.emulateMedia({ colorScheme: 'light' })
  await expect(root).not.toHaveClass('dark-mode')
  await page.evaluate(() => localStorage.setItem('theme', 'dark'))
  await page.reload()
  await expect(root).toHaveClass('dark-mode')
  await expect(page.locator('meta[name=viewport]')).toHaveCount(1)
  // Swagger UI renders only the operations near the window; this one is the first.
  await page.getByText('/api/auth/token', { exact: true }).click()
  await expect(page.getByRole('button', { name: 'Try it out' })).toBeVisible()
  expect(elsewhere).toEqual([])
})

test('any 401 clears the token, removes the user and signs out of the provider', async ({ page, me }) => {
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: me.name })).toBeVisible()
  // The list of the projects may be fetched meanwhile.
  await page.route('**/api/projects', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 401, json: { code: 'unauthenticated', message: 'Sign in' } })
      : route.fallback(),
  )
  const left = page.waitForRequest('**/api/auth/sign-out')
  await page.getByRole('button', { name: 'New Project' }).click()
  await page.getByLabel('Project Title').fill('Canoe')
  await page.getByLabel('Description').fill('Strip by strip')
  await page.getByRole('button', { name: 'Create Project' }).click()
  await left
  await expect(page).toHaveURL(/\/login/)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})

test('the guard shows a spinner while the session is read', { tag: '@long' }, async ({ page, me }) => {
  const release = await blockRequests(page, '**/api/auth/token')
  await page.goto('/dashboard', { waitUntil: 'commit' })
  await expect(shown(page, 'Loading').first()).toBeVisible()
  release()
  await expect(page.getByRole('heading', { name: me.name })).toBeVisible()
})

test('the guard says that the server cannot be reached until it can', { tag: '@long' }, async ({
  page,
  me,
}) => {
  await page.route('**/api/auth/token', (route) => route.abort())
  await page.clock.install()
  await openApp(page, '/dashboard')
  const waiting = shown(page, 'The server cannot be reached at the moment. Trying again…')
  await expect(async () => {
    await page.clock.runFor(100)
    await expect(waiting).toBeVisible({ timeout: 100 })
  }).toPass()
  await page.unrouteAll()
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(page.getByRole('heading', { name: me.name })).toBeVisible()
})

test('toasts appear at the bottom right', async ({ page, me }) => {
  await me.call('createProject', { body: { title: 'Canoe', description: 'Strips', isPublic: false } })
  await page.setViewportSize(sizes.desktop)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Delete project Canoe' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  const toast = page.getByRole('listitem').filter({ hasText: 'Project deleted successfully' })
  await expect(toast).toBeVisible()
  const box = await toast.boundingBox()
  expect(box?.x).toBeGreaterThan(sizes.desktop.width / 2)
  expect(box?.y).toBeGreaterThan(sizes.desktop.height * 0.75)
})

test('toasts are above the toolbar of the composer and the buttons of a dialog', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { projectPath } = await createJournal(me)
  const top = async (locator: Locator) => (await locator.boundingBox())?.y ?? 0
  const lowestToast = async () => {
    const box = await page.locator('[data-toasts]').boundingBox()
    return (box?.y ?? 0) + (box?.height ?? Number.POSITIVE_INFINITY)
  }
  await page.setViewportSize(sizes.phone)
  await page.goto(projectPath)
  await page.getByRole('button', { name: 'Write' }).click()
  const toolbar = page.getByRole('toolbar', { name: 'Formatting' })
  await expect(toolbar).toBeVisible()
  expect(await lowestToast()).toBeLessThanOrEqual(await top(toolbar))

  await page.setViewportSize({ width: 768, height: 560 })
  await page.goto('/settings')
  await page.getByRole('button', { name: 'New access token' }).click()
  const cancel = page.getByRole('dialog').getByRole('button', { name: 'Cancel' })
  await expect(cancel).toBeVisible()
  expect(await lowestToast()).toBeLessThanOrEqual(await top(cancel))
})

test('on a touch screen, controls are at least 40 px high', { tag: '@long' }, async ({ browser }) => {
  const context = await browser.newContext({ viewport: sizes.phone, hasTouch: true, isMobile: true })
  const page = await context.newPage()
  await page.goto('/login')
  const controls = [
    page.getByText('Remember me'),
    page.getByRole('button', { name: 'Show password' }),
    page.getByRole('link', { name: 'Forgot password?' }),
  ]
  for (const control of controls) {
    await expect(control).toBeVisible()
    const height = await control.evaluate(
      (element) => (element.closest('label') ?? element).getBoundingClientRect().height,
    )
    expect(height).toBeGreaterThanOrEqual(40)
  }
  await context.close()
})

test('the ? key lists the shortcuts for signed-in users', { tag: '@long' }, async ({ page, me }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: me.name })).toBeVisible()
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  const search = page.getByPlaceholder('Search projects...')
  await expect(search).toBeVisible()
  await pressShortcut(page, '/')
  await expect(search).toBeFocused()
  await page.keyboard.type('?')
  await expect(search).toHaveValue('?')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'New Project' }).focus()
  await page.keyboard.type('?')
  await expect(list).toBeVisible()
  for (const name of ['Search this list, or everything', 'Save', 'Bold'])
    await expect(list.getByText(name, { exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(list).toBeHidden()
  await expect(page.getByRole('button', { name: 'New Project' })).toBeFocused()
})

test.describe('on a phone', () => {
  test.use({ viewport: sizes.phone })

  test('the menu contains every item, with the theme named', async ({ page }) => {
    await page.goto('/markdown-guide')
    const menu = page.getByRole('button', { name: 'Menu', exact: true })
    await menu.click()
    for (const name of ['Sign In', 'Get Started']) {
      await expect(page.getByRole('link', { name, exact: true }).filter({ visible: true })).toBeVisible()
    }
    await shown(page, 'Dark Mode').click()
    await expect(shown(page, 'Light Mode')).toBeVisible()
    await expect
      .poll(() => page.evaluate(() => [document.documentElement.className, localStorage.getItem('theme')]))
      .toEqual([expect.stringContaining('dark'), 'dark'])
    await page.mouse.click(5, sizes.phone.height - 5) // beside the menu and the page's content
    await expect(shown(page, 'Light Mode')).toBeHidden()
    await menu.click()
    await page.getByRole('link', { name: 'Sign In' }).filter({ visible: true }).click()
    await expect(page).toHaveURL('/login')
    await expect(shown(page, 'Light Mode')).toBeHidden()
  })
})
