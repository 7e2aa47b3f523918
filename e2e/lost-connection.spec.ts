import { randomUUID } from 'node:crypto'
import type { Locator } from '@playwright/test'
import { createJournal } from '#testing/journal.ts'
import { expectAccessible, expectFitting } from './fixtures/accessibility.ts'
import { expectContent } from './fixtures/editor.ts'
import {
  blockRequests,
  expect,
  expectLayers,
  holdTraversals,
  openApp,
  openListening,
  test,
  withoutEvents,
} from './fixtures/journey.ts'

test('a screen whose code cannot be fetched does not open, and can be retried', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { projectPath } = await createJournal(me)
  const code = /\/my-collaborations-screen-[^/]*\.js$/
  await page.route(code, (route) => route.abort())
  await openApp(page, projectPath)
  await page.getByRole('link', { name: 'Collaborations', exact: true }).first().click()
  const message = page.getByText('This page could not be opened. Check your connection, then try again.')
  await expect(message).toBeVisible()
  await expect(page).toHaveURL(projectPath)
  await expect(page.getByRole('heading', { name: 'A bakery' })).toBeVisible()
  await page.unroute(code)
  const release = await blockRequests(page, code)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Opening the page')).toBeAttached()
  release()
  await expect(page).toHaveURL('/collaborations')
  await expect(page.getByText('No Collaborations Yet')).toBeVisible()
  await page.unroute(code)
  await page.route(/\/project-screen-[^/]*\.js$/, (route) => route.abort())
  await page.reload()
  await expect(page.getByText('No Collaborations Yet')).toBeVisible()
  await page.goBack()
  await expect(page.getByText('This page could not be opened.')).toBeVisible()
  await expect(page).toHaveURL('/collaborations')
  await page.unrouteAll()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'A bakery' })).toBeVisible()
})

test('a screen whose code is no longer on the server is loaded after the menu has removed its history entry', {
  tag: '@long',
}, async ({ page, me }) => {
  const { projectPath } = await createJournal(me)
  const code = /\/activity-screen-[^/]*\.js$/
  const releaseTraversals = await holdTraversals(page)
  await openApp(page, projectPath)
  await page.route(code, (route) => route.fulfill({ status: 404 }))
  const releaseLoad = await blockRequests(page, /\/activity$/)
  await page.getByRole('button', { name: 'More actions' }).click()
  await expectLayers(page, 1)
  const missing = page.waitForResponse(code)
  await page.getByRole('link', { name: 'Activity' }).click()
  await missing
  await page.evaluate(() => scheduler.postTask(() => {}, { priority: 'background' })) // it has been handled
  await page.unroute(code)
  await releaseTraversals()
  releaseLoad()
  await expect(page.getByRole('heading', { name: 'Activity' })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(projectPath)
  await expectLayers(page, 0)
})

test('signing out without a connection hides private content', {
  tag: '@long',
}, async ({ page, me }) => {
  await createJournal(me)
  // Before the code of other screens is prefetched.
  await page.route(/\/login-screen-[^/]*\.js$/, (route) => route.abort())
  await openApp(page, '/dashboard')
  await expect(page.getByRole('heading', { name: 'A bakery' })).toBeVisible()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'A bakery' })).toHaveCount(0)
  await expect(page.getByRole('main').getByText(me.name)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'User menu' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Sign In' }).first()).toBeVisible()
  await expect(page.getByRole('heading', { name: 'The sign-in page could not be opened' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Messages' }).getByRole('listitem')).toHaveText(
    /^Logout failed/,
  )
  await expectAccessible(page)
  await page.unrouteAll()
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
})

test('a composer that cannot fetch what draws pictures tries again, says so, and keeps the text', {
  tag: '@long',
}, async ({ page, me }) => {
  const content = `![](/files/${randomUUID()})\n\nIt rose.`
  const { listPath, milestoneId, entries } = await createJournal(me, [{ title: 'Rye', content }])
  let asked = 0
  await page.route(/\/assets\/media-[\w-]{8}\.js$/, (route) => {
    asked += 1
    return route.abort()
  })
  await page.goto(`${listPath}&edit=${entries[0]?._id}&milestone=${milestoneId}`)
  await expect(page.getByText('This could not be opened. Check your connection')).toBeVisible()
  await expectContent(page.getByLabel('Content'), content)
  expect(asked).toBe(2)
})

test('a composer whose code could not be fetched opens at the next press, with its styles', {
  tag: '@long',
}, async ({ page, me }) => {
  await createJournal(me)
  await openApp(page, '/dashboard')
  await expect(page.getByRole('button', { name: 'Notifications' })).toBeVisible()
  await page.context().setOffline(true)
  const write = page.getByRole('button', { name: 'Write' })
  await write.click()
  await expect(page.getByText('This could not be opened. Check your connection')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.context().setOffline(false)
  await write.click()
  const composer = page.getByRole('dialog', { name: 'Add Entry' })
  await expect(composer.getByLabel('Content')).toBeVisible()
  await expect(composer.locator('.composer-text').first()).toHaveCSS('--text-height', '45dvh')
})

test('a page whose scripts cannot be fetched does not keep its loading screen, and can be reloaded', {
  tag: '@long',
}, async ({ page, me: _me }) => {
  const isScript = /\/assets\/.*\.js$/
  const reload = page.getByRole('button', { name: 'Reload the page' })
  await page.route(isScript, (route) => route.abort())
  await page.goto('/about')
  await expect(page.getByRole('alert')).toContainText('This page could not be loaded completely.')
  await expect(page.getByText('Loading', { exact: true })).toBeHidden()
  await expect(page.getByRole('heading', { name: 'About Milepost' })).toBeVisible()
  await page.unroute(isScript)
  await reload.click()
  await expect(page.getByRole('button', { name: 'User menu' })).toBeVisible()
  await expect(reload).toHaveCount(0)

  await page.route(isScript, (route) => route.abort())
  await page.goto('/dashboard')
  await expect(reload).toBeVisible()
  await page.evaluate(() => localStorage.clear())
  await page.goto('/login')
  await expect(reload).toBeVisible()
})

test('the screens of a signed-in user open without a connection', { tag: '@long' }, async ({ page, me }) => {
  const fetched = page.waitForResponse(/\/login-screen-[^/]*\.js$/)
  await page.clock.install()
  await openApp(page, '/dashboard')
  await expect(page.getByRole('heading', { name: me.name })).toBeVisible()
  await page.clock.runFor(10_000)
  await (await fetched).finished()
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Collaborations' }).click()
  await expect(page).toHaveURL('/collaborations')
  await expect(page.getByRole('heading', { name: 'My Collaborations' })).toBeVisible()
})

test('the focus stays in place during a retry, and on the button if the retry fails', {
  tag: '@long',
}, async ({ page, me }) => {
  const refusal = { status: 400, json: { code: 'invalid', message: 'Not today' } }
  async function expectFocusKept(url: string, place: Locator) {
    const retry = place.getByRole('button', { name: 'Try again' })
    await expect(retry).toBeVisible()
    for (const outcome of [refusal, 'continue'] as const) {
      // Takes the place of the route before, so that nothing that is fetched meanwhile succeeds.
      const release = await blockRequests(page, url)
      await retry.press('Enter')
      await expect(place).toBeFocused()
      release(outcome)
      if (outcome === refusal) await expect(retry).toBeFocused()
    }
    await expect(place.getByRole('listitem')).toHaveCount(1)
    await expect(place).toBeFocused()
  }

  const { projectId, projectPath } = await createJournal(me)
  await me.call('inviteCollaborator', {
    params: { projectId },
    body: { email: 'guest@example.com', role: 'viewer' },
  })
  await withoutEvents(page)
  await page.route('**/api/account/sessions', (route) => route.fulfill(refusal))
  await page.goto('/settings')
  await expectFocusKept('**/api/account/sessions', page.getByRole('region', { name: 'Sessions' }))

  await page.route('**/collaborators', (route) => route.fulfill(refusal))
  await page.goto(projectPath)
  await page.getByRole('button', { name: 'Collaborators' }).click()
  await expectFocusKept('**/collaborators', page.getByRole('dialog', { name: 'Manage Collaborators' }))
})

test('on a phone, the focus moves on when a retry replaces the timeline with the entries', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath } = await createJournal(me, [{ title: 'Rye' }])
  await page.setViewportSize({ width: 390, height: 844 })
  const milestones = '**/milestones'
  await page.route(milestones, (route) => route.fulfill({ status: 400, json: { code: 'invalid' } }))
  await page.goto(listPath)
  const retry = page.getByRole('button', { name: 'Try again' })
  await expect(retry).toBeVisible()
  await page.unroute(milestones)
  await retry.press('Enter')
  await expect(page.getByRole('link', { name: 'Rye' })).toBeVisible()
  await expect(page.locator('*:focus')).toHaveAttribute('id', 'main')
})

test('the input of a form stays visible when the project is deleted elsewhere', {
  tag: '@long',
}, async ({ page, me }) => {
  const first = await createJournal(me)
  await openListening(page, first.projectPath)
  await page.getByRole('button', { name: 'Add Milestone' }).click()
  await page.getByLabel('Title').fill('The second loaf')
  await page.getByLabel('Description').fill('Rye this time')
  await me.call('deleteProject', { params: { projectId: first.projectId } })
  const dialog = page.getByRole('dialog', { name: 'Your text is still here' })
  await expect(dialog.getByText('The second loaf')).toBeVisible()
  await expect(dialog.getByText('Rye this time')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Copy description' })).toBeVisible()
  await expectFitting(page)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Project not found' })).toBeVisible()

  const second = await createJournal(me, [{ title: 'Rye' }])
  await openListening(page, second.listPath)
  await page.getByRole('button', { name: 'Edit entry Rye' }).click()
  await page.getByLabel('Title').fill('Wheat')
  await me.call('deleteProject', { params: { projectId: second.projectId } })
  await expect(dialog.getByText('Wheat')).toBeVisible()
  await expect(dialog.getByText('Fed the starter.')).toBeVisible()

  const third = await createJournal(me)
  await page.goto(third.projectPath)
  await page.getByRole('button', { name: 'Collaborators' }).click()
  await page.getByLabel('Email').fill('guest@example.com')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Collaborators' }).click()
  await expect(page.getByLabel('Email')).toHaveValue('guest@example.com')
  await me.call('deleteProject', { params: { projectId: third.projectId } })
  await expect(dialog.getByText('guest@example.com')).toBeVisible()
})

test('the input of a form whose save fails while another screen is being opened stays visible', {
  tag: '@long',
}, async ({ page, me }) => {
  await createJournal(me)
  const release = await blockRequests(page, '**/api/projects', 'POST')
  const openScreen = await blockRequests(page, /\/my-collaborations-screen-[^/]*\.js$/)
  await openApp(page, '/dashboard')
  await page.getByRole('button', { name: 'New Project' }).click()
  await page.getByLabel('Project Title').fill('Canoe')
  await page.getByLabel('Description').fill('Strip it')
  await page.getByRole('button', { name: 'Create Project' }).click()
  await page.getByRole('link', { name: 'Collaborations' }).click()
  await expect(page.getByText('Opening the page')).toBeAttached()
  release({ status: 500, json: { code: 'internal', message: 'Not today' } })
  await expect(page.getByRole('dialog', { name: 'Create New Project' })).toBeVisible()
  openScreen()
  const dialog = page.getByRole('dialog', { name: 'Your text is still here' })
  await expect(dialog).toContainText('You left its form before it was saved.')
  await expect(dialog.getByText('Strip it')).toBeVisible()
  await expect(page).toHaveURL('/collaborations')
})

test('the draft of an entry that was deleted elsewhere can be copied', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { listPath, milestoneId, entries } = await createJournal(me, [{ title: 'Rye' }])
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Edit entry Rye' }).click()
  await page.getByLabel('Title').fill('Wheat')
  await me.call('deleteEntry', { params: { milestoneId, entryId: entries[0]?._id ?? '' } })
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByText('What you wrote is still here.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Continue writing' })).toBeVisible()
  const later = await page.context().newPage() // this one is still going back
  await later.goto(`${listPath}&edit=${entries[0]?._id}&milestone=${milestoneId}`)
  const draft = later.getByRole('region', { name: 'What you wrote is still in this browser' })
  await expect(draft.getByText('Wheat')).toBeVisible()
  await expect(draft.getByRole('button', { name: 'Copy content' })).toBeVisible()
  await expectAccessible(later)
})

test('content and open forms stay after a failed refetch, which can be retried', {
  tag: '@long',
}, async ({ page, me }) => {
  await withoutEvents(page)
  const { projectId, entryPath } = await createJournal(me, [{ title: 'Rye' }])
  const notice = page.getByText('This could not be fetched again, and may be out of date.')
  const retry = page.getByRole('button', { name: 'Try again' })
  const url = `**/api/projects/${projectId}`
  await openApp(page, '/dashboard')
  await page.route(url, (route) => route.fulfill({ status: 500, json: {} }))
  await page.getByRole('link', { name: 'View Details' }).click()
  await page.getByRole('button', { name: 'Add Milestone' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('The second loaf')
  await expect(page.getByText('Failed to fetch project').first()).toBeVisible()
  await expect(dialog.getByLabel('Title')).toHaveValue('The second loaf')
  await dialog.getByLabel('Description').fill('Rye this time')
  await dialog.getByRole('button', { name: 'Create Milestone' }).click()
  await expect(page.getByRole('link', { name: 'The second loaf' })).toBeVisible()
  await expect(notice).toBeVisible()
  await expectFitting(page)
  await page.unroute(url)
  await retry.click()
  await expect(notice).toHaveCount(0)

  await page.goto(entryPath(0))
  await expect(page.getByText('Fed the starter.')).toBeVisible()
  await page.route('**/entries/*', (route) => route.fulfill({ status: 500, json: {} }))
  await page.clock.install()
  await page.clock.runFor(60_000)
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
  await page.clock.runFor(10_000)
  await expect(notice).toBeVisible()
  await expect(page.getByText('Fed the starter.')).toBeVisible()
  await page.unroute('**/entries/*')
  await retry.click()
  await expect(notice).toHaveCount(0)
})
