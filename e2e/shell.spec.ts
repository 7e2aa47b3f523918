import type { Page } from '@playwright/test'
import { createJournal, loafEntries } from '#testing/journal.ts'
import { blockRequests, expect, openApp, test, waitUntilReady } from './fixtures/journey.ts'

/** Returns the statuses and headers of documents as they were transmitted, before the browser's cache completes them. */
async function documentsOf(page: Page) {
  const session = await page.context().newCDPSession(page)
  const answers: { status: number; policy: string | undefined }[] = []
  session.on('Network.responseReceivedExtraInfo', ({ statusCode, headers }) => {
    if (headers['cache-control'] === 'no-cache, no-transform') {
      answers.push({ status: statusCode, policy: headers['content-security-policy'] })
    }
  })
  await session.send('Network.enable')
  return answers
}

test('an unchanged page is not sent again, and its scripts still run', { tag: '@long' }, async ({ page }) => {
  const documents = await documentsOf(page)
  for (const visit of ['first', 'second', 'third']) {
    await page.goto('/')
    await expect(page.getByRole('region', { name: 'Milepost in numbers' }), visit).toContainText('+')
  }
  expect(documents[0]).toMatchObject({ status: 200, policy: expect.stringContaining('sha256-') })
  expect(documents.slice(1)).toEqual([
    { status: 304, policy: undefined },
    { status: 304, policy: undefined },
  ])
})

test('navigation moves the focus to the new screen and announces its title', async ({ page }) => {
  const said = page.locator('[aria-live=polite][aria-atomic=true]')
  await openApp(page, '/login')
  await page.getByRole('link', { name: 'Get Started' }).first().click()
  await expect(page).toHaveURL(/\/register/)
  await expect(page.locator('main')).toBeFocused()
  await expect(page).toHaveTitle('Create Account · Milepost')
  await expect(said).toHaveText('Create Account · Milepost')
  await page.goBack()
  await expect(page).toHaveURL('/login')
  await expect(page).toHaveTitle('Sign In · Milepost')
  await expect(said).toHaveText('Sign In · Milepost')
})

test('pressing the theme button before the scripts of the page takes effect immediately and once', {
  tag: '@long',
}, async ({ page }) => {
  const release = await blockRequests(page, '**/assets/main-*.js')
  await page.goto('/markdown-guide', { waitUntil: 'domcontentloaded' })
  const root = page.locator('html')
  await expect(root).not.toHaveClass(/dark/)
  await page.getByRole('button', { name: /theme/i }).first().click()
  await expect(root).toHaveClass(/dark/)
  release()
  await waitUntilReady(page)
  await expect(root).toHaveClass(/dark/)
})

test('the first tab stop skips the navigation', { tag: '@long' }, async ({ page }) => {
  await page.goto('/markdown-guide')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('main')).toBeFocused()
})

test('a user with a stored session sees the Loading screen until the session is read', async ({
  page,
  me,
}) => {
  const loading = page.getByText('Loading', { exact: true })
  const release = await blockRequests(page, /\/api\/(?:users|auth)\//)
  await page.goto('/', { waitUntil: 'commit' })
  await expect(loading).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden()
  await expect(page.getByText('Loaf fourteen. The crumb is open at last.')).toBeHidden()
  release()
  await page.getByRole('button', { name: 'User menu' }).click()
  await expect(page.getByText(me.email).filter({ visible: true })).toBeVisible()
  await expect(loading).toBeHidden()
})

test('a visitor sees no Loading screen', { tag: '@long' }, async ({ page }) => {
  await page.goto('/', { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('Loading', { exact: true })).toBeHidden()
})

test('with reduced motion the theme changes without a transition', { tag: '@long' }, async ({ page }) => {
  await openApp(page, '/markdown-guide')
  const transitions = await page.evaluate(() => {
    document.documentElement.classList.toggle('dark')
    return document.getAnimations().length
  })
  expect(transitions).toBe(0)
})

test('the focus moves to a nearby element when a press removes or disables the button', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath } = await createJournal(me, loafEntries(7))
  await page.goto(listPath)
  const pages = page.getByRole('navigation', { name: 'Pages of entries' })
  for (const name of ['Next page', 'Previous page']) {
    await pages.getByRole('button', { name }).press('Enter')
    await expect(pages.getByRole('button', { name })).toBeDisabled()
    await expect(page.locator('main :focus')).toContainText('Loaf')
  }
  await page.getByLabel('Search entries').fill('nothing')
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter')
  await expect(page.locator('main :focus')).toContainText('Loaf')

  await page.goto('/dashboard')
  await page.getByLabel('Search projects').fill('nothing')
  await page.getByRole('button', { name: 'Clear Search' }).press('Enter')
  await expect(page.getByRole('region', { name: 'Projects' })).toBeFocused()

  await page.goto('/settings')
  const profile = page.getByRole('region', { name: 'Profile' })
  await profile.getByLabel('Name').fill('Countess')
  await profile.getByRole('button', { name: 'Save name' }).press('Enter')
  await expect(profile.getByRole('button', { name: 'Save name' })).toBeDisabled()
  await expect(profile).toBeFocused()
})

test('a screen that is loaded again is where it was, at an address in capitals with a space behind it too', {
  tag: '@long',
}, async ({ page, me }) => {
  const { projectId, milestoneId } = await createJournal(
    me,
    loafEntries(24).map((entry) => ({ ...entry, content: 'It rose.\n\n'.repeat(20) })),
  )
  const query = `selected=${milestoneId.toUpperCase()}&size=24&view=list`
  await openApp(page, `/projects/${projectId.toUpperCase()}%20?${query}`)
  await expect(page.getByText('Showing 1-24 of 24 entries')).toBeVisible()
  expect(new URL(page.url()).pathname).toBe(`/projects/${projectId}`)
  await page.evaluate(() => scrollTo(0, 900))
  await page.reload()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(900)
})

test('with more contrast, quiet text is as strong as the rest', { tag: '@long' }, async ({ page }) => {
  const quiet = () =>
    page
      .locator('main .text-muted')
      .first()
      .evaluate((text) => getComputedStyle(text).color)
  await openApp(page, '/login')
  const ink = await page.evaluate(() => getComputedStyle(document.body).color)
  expect(await quiet()).not.toBe(ink)
  await page.emulateMedia({ contrast: 'more' })
  expect(await quiet()).toBe(ink)
})
