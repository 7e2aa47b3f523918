import type { Page } from '@playwright/test'
import type { Collaborator } from '#contract/collaborators.ts'
import { createProject, invite } from '#testing/journal.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import {
  test as base,
  blockRequests,
  expect,
  expectNoSidewaysScroll,
  openApp,
  sizes,
  withoutEvents,
} from './fixtures/journey.ts'

const UNREAD = '**/api/notifications/unread-count'

const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ })
const badge = (page: Page) => bell(page).locator('[data-badge]')
const panel = (page: Page) => page.getByRole('region', { name: 'Notifications' })
const items = (page: Page) => panel(page).getByRole('listitem')
const dots = (page: Page) => panel(page).locator('[data-unread]')
const toasts = (page: Page) => page.getByRole('listitem').filter({ hasText: /notifications/i })

type Fixtures = {
  /** Another person invites `me` to a project with this title. */
  invited: (title: string) => Promise<Collaborator>
}

const test = base.extend<Fixtures>({
  invited: async ({ owner, me }, use) => {
    await use(async (title) => {
      const body = { title, description: 'Together' }
      const { _id: projectId } = await owner.call('createProject', { body })
      return owner.call('inviteCollaborator', { params: { projectId }, body: { email: me.email } })
    })
  },
})

/** Invites `me` to Boat 1, Boat 2 and so on. */
async function invitedOften(invited: Fixtures['invited'], times: number): Promise<void> {
  for (let n = 1; n <= times; n++) await invited(`Boat ${n}`)
}

/** Blocks the event stream, so that everything is fetched by requests of the page. */

test('the bell shows the unread count; opening an invitation leads to its page and marks it as read', async ({
  page,
  invited,
}) => {
  await invited('Boat 1')
  const { inviteToken } = await invited('Boat 2')
  await page.goto('/dashboard')
  await expect(badge(page)).toHaveText('2')
  await expect(bell(page)).toHaveAccessibleName('Notifications, 2 unread')

  await bell(page).click()
  await expect(panel(page).getByRole('heading', { name: 'Notifications' })).toBeVisible()
  await expect(items(page)).toHaveCount(2)
  await expect(dots(page)).toHaveCount(2)
  await expect(items(page).first()).toContainText('Boat 2')
  await expect(items(page).first()).toContainText('Unread')
  await expect(items(page).first().locator('time')).toHaveText('Just now')
  await expectAccessible(page)
  await expect(items(page).first().locator('time')).toHaveAttribute('datetime', /^\d{4}-.*Z$/)

  await items(page).first().getByRole('link').click()
  await expect(page).toHaveURL(`/invite/${inviteToken}`)
  await expect(panel(page)).toBeHidden()
  await expect(badge(page)).toHaveText('1')
  await bell(page).click()
  await expect(dots(page)).toHaveCount(1)
  await expect(items(page).last()).toContainText('Unread')
})

test('marking all as read shows a toast, and is rolled back with an error toast on failure', async ({
  page,
  me,
  invited,
}) => {
  await invitedOften(invited, 2)
  await page.goto('/dashboard')
  await bell(page).click()
  await expect(dots(page)).toHaveCount(2)
  const markAll = panel(page).getByRole('button', { name: 'Mark all read' })

  await page.route('**/mark-all-read', (route) => route.fulfill({ status: 500, json: {} }))
  await markAll.click()
  await expect(toasts(page)).toHaveText('Failed to mark notifications as read')
  await expect(dots(page)).toHaveCount(2)
  await expect(badge(page)).toHaveText('2')
  await expect(page.getByRole('status').filter({ hasText: 'New notification' })).toHaveCount(0)

  await page.unroute('**/mark-all-read')
  await markAll.click()
  await expect(toasts(page).last()).toHaveText('All notifications marked as read')
  await expect(dots(page)).toHaveCount(0)
  await expect(badge(page)).toHaveCount(0)
  await expect(bell(page)).toHaveAccessibleName('Notifications')
  await expect(markAll).toHaveCount(0)
  await expect(panel(page).getByRole('heading', { name: 'Notifications' })).toBeFocused()
  expect(await me.call('countUnreadNotifications', {})).toEqual({ count: 0 })
})

test('a double click on Mark all read marks the notifications once', { tag: '@long' }, async ({
  page,
  invited,
}) => {
  await invitedOften(invited, 2)
  await page.goto('/dashboard')
  await bell(page).click()
  const sent: string[] = []
  page.on('request', (request) => request.url().endsWith('/mark-all-read') && sent.push(request.url()))
  const release = await blockRequests(page, '**/mark-all-read')
  await panel(page).getByRole('button', { name: 'Mark all read' }).dblclick()
  await expect(dots(page)).toHaveCount(0)
  release()
  await expect(toasts(page)).toHaveText('All notifications marked as read')
  expect(sent).toHaveLength(1)
})

test('deleting a notification is optimistic, and is rolled back without a toast on failure', {
  tag: '@long',
}, async ({ page, me, invited }) => {
  await invitedOften(invited, 2)
  await page.goto('/dashboard')
  await bell(page).click()
  await expect(items(page)).toHaveCount(2)
  const remove = () =>
    items(page)
      .first()
      .getByRole('button', { name: /^Delete notification/ })

  const failing = '**/api/notifications/*-*'
  await page.route(failing, (route) =>
    route.request().method() === 'DELETE' ? route.abort() : route.fallback(),
  )
  const logged = page.waitForEvent('console', (message) => message.text().includes('ApiError'))
  await remove().click()
  await logged
  await expect(items(page)).toHaveCount(2)
  await expect(badge(page)).toHaveText('2')
  await expect(page.getByRole('heading', { name: 'Notifications' })).toBeFocused()

  await page.unroute(failing)
  await page.mouse.move(0, 0)
  await remove().hover()
  await expect(
    page.getByText('Delete notification', { exact: false }),
    'its tooltip comes and goes',
  ).toBeVisible()
  await remove().click()
  await expect(items(page)).toHaveCount(1)
  await expect(items(page)).toContainText('Boat 1')
  await expect(badge(page)).toHaveText('1')
  await expect.poll(async () => (await me.call('listNotifications', {})).notifications.length).toBe(1)
  await expect(toasts(page)).toHaveCount(0)

  await remove().click()
  await expect(panel(page).getByText('No notifications yet')).toBeVisible()
  await expect(badge(page)).toHaveCount(0)
})

test('pressing Delete twice deletes a notification once', { tag: '@long' }, async ({ page, invited }) => {
  await invitedOften(invited, 3)
  const calls: string[] = []
  await page.route('**/api/notifications/*', (route) => {
    if (route.request().method() !== 'DELETE') return route.fallback()
    return void calls.push(route.request().url())
  })
  await page.goto('/dashboard')
  await expect(badge(page)).toHaveText('3')
  await bell(page).click()
  const remove = items(page).first().getByRole('button')
  await remove.evaluate((button: HTMLElement) => {
    button.click()
    button.click()
  })
  await expect(items(page)).toHaveCount(2)
  await expect(badge(page)).toHaveText('2')
  expect(calls).toHaveLength(1)
})

test('notifications with the same title have delete buttons with distinct names', { tag: '@long' }, async ({
  page,
  invited,
}) => {
  await invitedOften(invited, 2)
  await page.goto('/dashboard')
  await bell(page).click()
  await expect(items(page).getByRole('button')).toHaveCount(2)
  const names = ['Boat 2', 'Boat 1'].map(
    (title) => `Delete notification You are invited to a project: Grace Hopper invited you to “${title}”`,
  )
  for (const [index, name] of names.entries())
    await expect(items(page).getByRole('button').nth(index)).toHaveAccessibleName(name)
})

test('the tooltip of the bell is hidden while its list is open', { tag: '@long' }, async ({
  page,
  invited,
}) => {
  await invited('Boat 1')
  await page.clock.install()
  await page.goto('/dashboard')
  const tip = page.locator('[popover=manual]:popover-open')
  await expect(badge(page)).toHaveText('1') // a tooltip reads its text when it opens
  await bell(page).hover()
  await expect(tip).toHaveText('Notifications, 1 unread')
  await bell(page).focus()
  await page.keyboard.press('Enter')
  await expect(panel(page)).toBeVisible()
  await expect(tip).toHaveCount(0)

  await panel(page).hover()
  await bell(page).hover()
  await page.clock.runFor(1000)
  await expect(tip).toHaveCount(0)
  await bell(page).click()
  await expect(panel(page)).toBeHidden()
})

test('a notification that cannot be marked as read still opens its link, and stays unread without a toast', {
  tag: '@long',
}, async ({ page, invited }) => {
  const { inviteToken } = await invited('A canoe')
  await page.route('**/api/notifications/*/read', (route) => route.abort())
  await page.goto('/dashboard')
  await bell(page).click()
  const logged = page.waitForEvent('console', (message) => message.text().includes('ApiError'))
  await items(page).getByRole('link').click()
  await expect(page).toHaveURL(`/invite/${inviteToken}`)
  await logged
  await expect(badge(page)).toHaveText('1')
  await expect(toasts(page)).toHaveCount(0)
})

test('the badge shows at most 9+, and the list ten notifications', { tag: '@long' }, async ({
  page,
  invited,
}) => {
  await invitedOften(invited, 12)
  await page.goto('/dashboard')
  await expect(badge(page)).toHaveText('9+')
  await bell(page).click()
  await expect(items(page)).toHaveCount(10)
  await expect(items(page).first()).toContainText('Boat 12')
  await items(page)
    .first()
    .getByRole('button', { name: /^Delete notification/ })
    .click()
  await expect(items(page).last(), 'what comes next moves up').toContainText('Boat 2')
  await expect(items(page)).toHaveCount(10)
})

test('the list has a loading state and an empty state, and closes in every way', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const release = await blockRequests(page, '**/api/notifications')
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: me.name })).toBeVisible()
  await bell(page).click()
  await expect(panel(page).getByRole('status')).toHaveText('Loading')
  release()
  await expect(panel(page).getByText('No notifications yet')).toBeVisible()
  await expect(panel(page).getByRole('button', { name: 'Mark all read' })).toHaveCount(0)

  await panel(page).getByRole('button', { name: 'View all notifications' }).click()
  await expect(panel(page)).toBeHidden()
  await expect(page).toHaveURL('/dashboard')

  await bell(page).click()
  await page.getByRole('heading', { level: 1 }).click()
  await expect(panel(page)).toBeHidden()

  await bell(page).focus()
  await page.keyboard.press('Enter')
  await expect(panel(page)).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(panel(page).getByRole('button', { name: 'View all notifications' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(panel(page)).toBeHidden()
  await expect(bell(page)).toBeFocused()

  await bell(page).click()
  await page.getByRole('link', { name: 'Collaborations' }).click()
  await expect(page).toHaveURL('/collaborations')
  await expect(panel(page)).toBeHidden()
})

test('notifications that cannot be fetched can be retried, without a toast', {
  tag: '@long',
}, async ({ page, me }) => {
  await withoutEvents(page)
  await page.route('**/api/notifications*', (route) => route.fulfill({ status: 404, json: {} }))
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: me.name })).toBeVisible()
  const logged = page.waitForEvent('console', (message) => message.text().includes('ApiError'))
  await bell(page).click()
  await expect(panel(page).getByText('Your notifications could not be loaded.')).toBeVisible()
  await logged
  await page.unroute('**/api/notifications*')
  await panel(page).getByRole('button', { name: 'Try again' }).click()
  await expect(panel(page).getByText('No notifications yet')).toBeVisible()
  await expect(panel(page).locator(':focus')).toContainText('No notifications yet')
  await expect(toasts(page)).toHaveCount(0)
})

test('unread notifications are fetched every 30 seconds, and announced once', async ({
  page,
  me,
  invited,
}) => {
  await withoutEvents(page)
  await page.clock.install()
  const counted = page.waitForResponse(UNREAD)
  await page.goto('/dashboard')
  await counted
  await expect(bell(page)).toHaveAccessibleName('Notifications')
  const announcement = page.getByRole('status').filter({ hasText: 'New notification' })
  await expect(announcement).toHaveCount(0)

  await invited('A canoe')
  await page.clock.runFor(30_000)
  await expect(badge(page)).toHaveText('1')
  await expect(announcement).toHaveText('New notification. 1 unread.')
  await me.call('markAllNotificationsRead', {})
  await page.clock.runFor(30_000)
  await expect(badge(page)).toHaveCount(0)
  await expect(announcement).toHaveCount(0)
})

test('polling pauses while the page is hidden, and resumes immediately when it is visible', {
  tag: '@long',
}, async ({ page, me }) => {
  await withoutEvents(page)
  await page.clock.install()
  const asked: string[] = []
  page.on('request', (request) => request.url().endsWith('/unread-count') && asked.push(request.url()))
  const lookedAt = (state: 'hidden' | 'visible') =>
    page.evaluate((now) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => now })
      window.dispatchEvent(new Event('visibilitychange'))
    }, state)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: me.name })).toBeVisible()
  await expect.poll(() => asked.length).toBe(1)
  await lookedAt('hidden')
  await page.clock.fastForward(300_000)
  expect(asked).toHaveLength(1)
  const again = page.waitForRequest(UNREAD)
  await lookedAt('visible')
  await again
})

test('a visitor has no bell, and no notifications are requested', { tag: '@long' }, async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/api/notifications') && asked.push(request.url()))
  await page.goto('/')
  await page.getByRole('link', { name: 'Sign In' }).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(bell(page)).toHaveCount(0)
  expect(asked).toEqual([])
})

for (const [size, viewport] of Object.entries(sizes)) {
  test(`notifications are accessible in both themes on a ${size}`, {
    tag: '@long',
  }, async ({ page, invited }) => {
    await invitedOften(invited, 3)
    await page.setViewportSize(viewport)
    await page.goto('/dashboard')
    await bell(page).click()
    await expect(items(page)).toHaveCount(3)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })
}

test('a double click on Delete does not delete the notification that moves up', {
  tag: '@long',
}, async ({ page, me, owner }) => {
  for (const title of ['Canoe', 'Kayak', 'Raft']) await invite(owner, await createProject(owner, title), me)
  await openApp(page, '/dashboard')
  await page.getByRole('button', { name: 'Notifications, 3 unread' }).click()
  const remove = page.getByRole('button', { name: /^Delete notification/ })
  await expect(remove).toHaveCount(3)
  const { x, y } = (await remove.first().boundingBox()) ?? { x: 0, y: 0 }
  await page.mouse.move(x + 8, y + 8)
  await page.mouse.down()
  await page.mouse.up()
  await expect(remove).toHaveCount(2)
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  await page.getByRole('button', { name: 'Mark all read' }).click()
  await expect(page.getByText('All notifications marked as read')).toBeVisible()
  await expect(remove).toHaveCount(2)
})
