import type { Page } from '@playwright/test'
import { expectAccessible } from './fixtures/accessibility.ts'
import { blockRequests, expect, stopTime, test } from './fixtures/journey.ts'

const platforms = ['x.com', 'facebook.com', 'linkedin.com', 'wa.me', 'mailto:', 'reddit.com']

/** Prevents the page from opening windows and records their URLs; `allowed` of them succeed. */
async function watchWindows(page: Page, allowed = Number.POSITIVE_INFINITY) {
  await page.addInitScript((limit) => {
    const asked: string[][] = []
    Object.assign(window, { asked })
    window.open = (url, _target, features) => {
      asked.push([String(url), String(features)])
      return asked.length > limit ? null : ({} as Window)
    }
  }, allowed)
  return () => page.evaluate(() => (window as unknown as { asked: [string, string][] }).asked)
}

async function openDialog(page: Page, title: string) {
  await page.goto('/dashboard')
  await page.getByRole('button', { name: `Share ${title}` }).click()
  return page.getByRole('dialog')
}

test('a project is shared to one, several or all platforms, each in a popup', async ({ page, me }) => {
  const body = { title: 'Canoe', description: 'Strip by strip', isPublic: true }
  const { _id } = await me.call('createProject', { body })
  const asked = await watchWindows(page)
  const dialog = await openDialog(page, 'Canoe')
  await expect(dialog.getByText('Strip by strip')).toBeVisible()
  const link = `${new URL(page.url()).origin}/world/${_id}`
  await expect(dialog.getByLabel('Direct link')).toHaveValue(link)

  // By keyboard, also past a button whose tooltip closes when the focus leaves it.
  await dialog.getByRole('checkbox', { name: 'Facebook' }).focus()
  await page.keyboard.press('Tab')
  await expect(page.locator('[popover]:popover-open')).toHaveText('Share on Facebook')
  await page.keyboard.press('Tab')
  await expect(dialog.getByRole('checkbox', { name: 'LinkedIn' })).toBeFocused()

  await dialog.getByRole('button', { name: 'Share on Facebook' }).click()
  await expect(dialog.getByRole('button', { name: 'Share to Selected (0)' })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: 'Reddit' }).check()
  await dialog.getByRole('checkbox', { name: 'Email' }).check()
  await dialog.getByRole('button', { name: 'Share to Selected (2)' }).click()
  await dialog.getByRole('button', { name: 'Share to All Platforms' }).click()

  const windows = await asked()
  expect(windows.map(([url]) => platforms.findIndex((platform) => url.includes(platform)))).toEqual([
    1, 4, 5, 0, 1, 2, 3, 4, 5,
  ])
  for (const [url, features] of windows) {
    expect(decodeURIComponent(url)).toContain(link)
    expect(features).toContain('width=600,height=400')
  }
})

test('popups that the browser blocks are reported', { tag: '@long' }, async ({ page, me }) => {
  await me.call('createProject', { body: { title: 'Canoe', description: 'Strips', isPublic: true } })
  await watchWindows(page, 1)
  const dialog = await openDialog(page, 'Canoe')
  await dialog.getByRole('button', { name: 'Share to All Platforms' }).click()
  await expect(dialog.getByText('Your browser held back 5 windows.')).toBeVisible()
})

test('the link is copied, and a private project is made public in the dialog', async ({
  page,
  me,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const body = { title: 'Canoe', description: 'Strips', isPublic: false }
  const { _id: projectId } = await me.call('createProject', { body })
  const dialog = await openDialog(page, 'Canoe')
  await expect(dialog.getByText('must be public for others to view it')).toBeVisible()
  await dialog.getByRole('button', { name: 'Make it public' }).click()
  await expect(page.getByText('Project updated successfully')).toBeVisible()
  await expect(dialog.getByText('must be public for others')).toBeVisible()
  await expect(dialog.getByRole('link', { name: 'Open page' })).toBeVisible()
  await stopTime(page)
  await dialog.getByRole('button', { name: 'Copy link' }).click()
  await expect(dialog.getByText('Copied!')).toBeVisible()
  await page.clock.runFor(1900)
  await expect(dialog.getByText('Copied!')).toBeVisible()
  await page.clock.runFor(200)
  await expect(dialog.getByRole('button', { name: 'Copy link' })).toBeVisible()
  await page.clock.resume()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe(`${new URL(page.url()).origin}/world/${projectId}`)
  await page.goto(copied)
  await expect(page.getByRole('heading', { level: 1, name: 'Canoe' })).toBeVisible()
})

test('a double click on Make it public publishes the project once', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const body = { title: 'Canoe', description: 'Strips', isPublic: false }
  await me.call('createProject', { body })
  const dialog = await openDialog(page, 'Canoe')
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()))
  await dialog.getByRole('button', { name: 'Make it public' }).evaluate((button: HTMLElement) => {
    button.click()
    button.click()
  })
  await expect(page.getByText('Project updated successfully')).toBeVisible()
  await expect(dialog.getByRole('link', { name: 'Open page' })).toBeVisible()
  expect(sent).toHaveLength(1)
})

test('a project that was edited while publishing it failed was not changed elsewhere', {
  tag: '@long',
}, async ({ page, me }) => {
  const body = { title: 'Canoe', description: 'Strips', isPublic: false }
  const { _id: projectId } = await me.call('createProject', { body })
  const sharing = await openDialog(page, 'Canoe')
  const fail = await blockRequests(page, '**/api/projects/*', 'PUT')
  await sharing.getByRole('button', { name: 'Make it public' }).click()
  await expect(sharing.getByRole('link', { name: 'Open page' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Edit project Canoe' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Project' })
  await dialog.getByLabel('Project Title').fill('Kayak')
  fail({ status: 500, json: { code: 'internal', message: 'Something went wrong' } })
  await expect(page.getByText('Failed to update project')).toBeVisible()
  await page.unroute('**/api/projects/*')
  await dialog.getByRole('button', { name: 'Update Project' }).click()
  await expect(page.getByText('Project updated successfully')).toBeVisible()
  await expect(dialog).toBeHidden()
  const saved = await me.call('readProject', { params: { projectId } })
  expect(saved).toMatchObject({ title: 'Kayak', isPublic: true })
})

test('a public project gets a readable address, which leads to its page', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const body = { title: 'Canoe', description: 'Strip by strip', isPublic: true }
  const { _id: projectId } = await me.call('createProject', { body })
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Share Canoe' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share Project' })
  const field = dialog.getByLabel('After the last slash')
  const save = dialog.getByRole('button', { name: 'Save address' })
  await field.fill('admin')
  await save.click()
  await expect(dialog.getByText('This address cannot be used.')).toBeVisible()
  const slug = `canoe-${projectId.slice(-12)}`
  await field.fill(slug)
  await save.click()
  await expect(dialog.getByRole('button', { name: 'Copy readable address' })).toBeVisible()
  await expect(save).toBeDisabled()
  await expectAccessible(page)
  await page.goto(`/world/${slug}`)
  await expect(page).toHaveURL(`/world/${projectId}`)
  await expect(page.getByRole('heading', { name: 'Canoe', level: 1 })).toBeVisible()
})
