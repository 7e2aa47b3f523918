import type { Page } from '@playwright/test'
import { type Account, signUp } from '#testing/account.ts'
import { type RunningServer, startReplica, startServer } from '#testing/start-server.ts'
import { test as base, expect, expectFollowers, visitor } from './fixtures/journey.ts'

const POLL_MS = 30_000

type Person = Account & { page: Page }

/** Two people in separate browsers, each served by another process on the same database. */
const test = base.extend<{ grace: Person; ada: Person }, { servers: [RunningServer, RunningServer] }>({
  servers: [
    async ({}, use) => {
      const first = await startServer()
      const second = await startReplica(first)
      await use([first, second])
      await second.stop()
      await first.stop()
    },
    { scope: 'worker' },
  ],
  grace: async ({ browser, servers }, use) => {
    const page = await visitor(browser, { baseURL: servers[0].url })
    await use({ ...(await signUp(page, servers[0].url, 'Grace Hopper')), page })
    await page.context().close()
  },
  ada: async ({ browser, servers }, use) => {
    const page = await visitor(browser, { baseURL: servers[1].url })
    await use({ ...(await signUp(page, servers[1].url)), page })
    await page.context().close()
  },
})

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test.describe.configure({ mode: 'default' })

/** Stops the page's polling every half minute, so that all updates come as events. */
const holdPollBack = (page: Page) =>
  page.addInitScript((pollMs) => {
    const set = window.setInterval
    const held = (handler: TimerHandler, ms?: number, ...rest: unknown[]) => {
      if (ms !== pollMs) return set(handler, ms, ...rest)
      document.documentElement.dataset.pollHeldBack = 'yes'
      return 0
    }
    Object.assign(window, { setInterval: held })
  }, POLL_MS)

/** Resolves when the page has opened the event stream. */
const listening = (page: Page) => page.waitForResponse((response) => response.url().endsWith('/api/events'))

const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ })
const badge = (page: Page) => bell(page).locator('[data-badge]')
const news = (page: Page) => page.getByRole('region', { name: 'Notifications' })

/** Opens a screen that does not poll, and waits for the event stream. */
async function open({ page }: Person, path: string) {
  await holdPollBack(page)
  await Promise.all([listening(page), page.goto(path)])
}

async function readNewest({ page }: Person, text: string) {
  await bell(page).click()
  const newest = news(page).getByRole('listitem').first()
  await expect(newest).toContainText(text)
  return newest
}

test('two people work together, and each sees the other’s changes immediately', { tag: '@long' }, async ({
  grace,
  ada,
}) => {
  const { _id: projectId } = await grace.call('createProject', {
    body: { title: 'A canoe', description: 'Strip by strip' },
  })
  await open(grace, `/projects/${projectId}`)
  await open(ada, '/dashboard')
  await expect(ada.page.locator('[data-poll-held-back]'), 'no poll tells her').toHaveCount(1)
  await expect(bell(ada.page)).toHaveAccessibleName('Notifications')

  await test.step('an invitation rings the bell of the invited person', async () => {
    await grace.page.getByRole('button', { name: 'Collaborators' }).click()
    const dialog = grace.page.getByRole('dialog', { name: 'Manage Collaborators' })
    await dialog.getByLabel('Email').fill(ada.email)
    await dialog.getByRole('button', { name: 'Send Invitation' }).click()
    await expect(badge(ada.page)).toHaveText('1')
    const invitation = await readNewest(ada, 'Grace Hopper invited you to “A canoe”')
    await invitation.getByRole('link').click()
  })

  await test.step('accepting it rings the bell of the owner, whose open dialog shows it', async () => {
    const dialog = grace.page.getByRole('dialog', { name: 'Manage Collaborators' })
    await expect(dialog.getByText('Pending')).toBeVisible()
    await ada.page.getByRole('button', { name: 'Accept Invitation' }).click()
    await expect(dialog.getByText('Pending')).toHaveCount(0)
    await grace.page.keyboard.press('Escape')
    await expect(badge(grace.page)).toHaveText('1')
    await readNewest(grace, 'Ada Lovelace accepted the invitation to “A canoe”')
    await grace.page.keyboard.press('Escape')
    await expect(ada.page).toHaveURL(`/projects/${projectId}`)
    await expect(ada.page.getByText('Collaborator (viewer)')).toBeVisible()
    await expect(ada.page.getByRole('button', { name: 'Add Milestone' })).toHaveCount(0)
  })

  await test.step('what one adds, the other sees', async () => {
    await addMilestone(grace.page, 'Lumber')
    await expect(ada.page.getByText('Lumber').first()).toBeVisible()
  })

  await test.step('a new role gives its rights on the open page', async () => {
    await grace.page.getByRole('button', { name: 'Collaborators' }).click()
    await grace.page.getByLabel('Role of Ada Lovelace').selectOption('editor')
    await expect(ada.page.getByText('Collaborator (editor)')).toBeVisible()
    await expect(badge(ada.page)).toHaveText('1')
    await grace.page.keyboard.press('Escape')
    await addMilestone(ada.page, 'Steam the ribs')
    await expect(grace.page.getByText('Steam the ribs').first()).toBeVisible()
  })

  await test.step('who is removed sees nothing of it any longer, also on the open page', async () => {
    await grace.page.getByRole('button', { name: 'Collaborators' }).click()
    await grace.page.getByRole('button', { name: 'Remove Ada Lovelace' }).click()
    await grace.page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await expect(ada.page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
    await expect(ada.page.getByText('Lumber')).toHaveCount(0)
    await expect(badge(ada.page)).toHaveText('2')
    await readNewest(ada, 'You no longer collaborate on “A canoe”')
  })
})

async function addMilestone(page: Page, title: string) {
  await page.getByRole('button', { name: 'Add Milestone' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Milestone' })
  await dialog.getByLabel('Title').fill(title)
  await dialog.getByLabel('Description').fill('Together')
  await dialog.getByRole('button', { name: 'Create Milestone' }).click()
  await expect(dialog).toBeHidden()
}

test('a notification that is read in one tab is read in the others', { tag: '@long' }, async ({
  grace,
  ada,
}) => {
  await open(ada, '/dashboard')
  const other = { ...ada, page: await ada.page.context().newPage() }
  await holdPollBack(other.page)
  await other.page.goto('/collaborations')
  await expectFollowers(other.page, 2)
  const { _id: projectId } = await grace.call('createProject', {
    body: { title: 'A kayak', description: 'Skin on frame' },
  })
  await grace.call('inviteCollaborator', { params: { projectId }, body: { email: ada.email } })
  await expect(badge(ada.page)).toHaveText('1')
  await expect(badge(other.page)).toHaveText('1')
  await bell(ada.page).click()
  await news(ada.page).getByRole('button', { name: 'Mark all read' }).click()
  await expect(badge(ada.page)).toHaveCount(0)
  await expect(badge(other.page)).toHaveCount(0)
})
