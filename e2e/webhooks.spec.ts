import type { Page } from '@playwright/test'
import { createProject } from '#testing/journal.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import {
  blockRequests,
  expect,
  expectLayers,
  loseResponses,
  openApp,
  pressTwice,
  stopTime,
  test,
} from './fixtures/journey.ts'

const url = 'https://example.invalid/hook'

async function openWebhooks(page: Page, projectId: string) {
  await openApp(page, `/projects/${projectId}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Webhooks' }).click()
  return page.getByRole('dialog', { name: 'Webhooks' })
}

test('a webhook is added with a secret that is shown once, switched off and deleted', {
  tag: '@long',
}, async ({ page, me }) => {
  const dialog = await openWebhooks(page, await createProject(me))
  await dialog.getByLabel('URL').fill('http://example.invalid/hook')
  await dialog.getByRole('button', { name: 'Add webhook' }).click()
  await expect(dialog.getByText('The URL must begin with https://')).toBeVisible()
  await expect(dialog.getByLabel('URL')).toHaveValue('http://example.invalid/hook')
  await expect(dialog.getByLabel('URL')).toBeFocused()
  await dialog.getByLabel('URL').fill(url)
  await dialog.getByRole('button', { name: 'Add webhook' }).click()
  await expect(dialog.getByRole('region', { name: 'Secret' })).toContainText('whsec_')
  await expect(dialog.getByLabel('URL')).toHaveValue('')
  const webhooks = dialog.getByRole('list', { name: 'Webhooks' })
  await expect(webhooks.getByText('On', { exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: 'Show log of' }).click()
  await expect(dialog.getByText('Nothing was sent in the last seven days.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Send a test message' }).click()
  await expect(dialog.getByRole('list', { name: 'Log of' })).toContainText('webhook.test')
  const secret = await dialog.getByRole('region', { name: 'Secret' }).getByText('whsec_').textContent()
  await dialog.getByRole('button', { name: 'New secret' }).click()
  await expect(webhooks.getByText('Also signed with the former secret until')).toBeVisible()
  await expect(dialog.getByRole('region', { name: 'Secret' })).toContainText('the new secret')
  await expect(dialog.getByRole('region', { name: 'Secret' })).not.toContainText(secret ?? '')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Switch off' }).click()
  await expect(webhooks.getByText('Off', { exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(dialog.getByText('No webhooks yet.')).toBeVisible()
  await expect(dialog.getByRole('region', { name: 'Secret' })).toBeHidden()
})

test('a webhook is shown as switched off, on and deleted if every response was lost', {
  tag: '@long',
}, async ({ page, me }) => {
  const params = { projectId: await createProject(me) }
  await me.call('createWebhook', { params, body: { url } })
  const dialog = await openWebhooks(page, params.projectId)
  let reconnect = await loseResponses(page, 'PUT', /\/webhooks\/[^/]+$/)
  await dialog.getByRole('button', { name: 'Switch off' }).click()
  await reconnect()
  await expect(page.getByText('Webhook switched off')).toBeVisible()
  reconnect = await loseResponses(page, 'PUT', /\/webhooks\/[^/]+$/)
  await dialog.getByRole('button', { name: 'Switch on' }).click()
  await reconnect()
  await expect(page.getByText('Webhook switched on')).toBeVisible()
  reconnect = await loseResponses(page, 'DELETE', /\/webhooks\/[^/]+$/)
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await reconnect()
  await expect(page.getByText('Webhook deleted')).toBeVisible()
  await expect(dialog.getByText('No webhooks yet.')).toBeVisible()
  await expect(page.getByText(/^Failed to/)).toHaveCount(0)
})

test('pressing twice adds one webhook, and creates one new secret', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const dialog = await openWebhooks(page, await createProject(me))
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname)
  })
  await dialog.getByLabel('URL').fill(url)
  await pressTwice(dialog.getByRole('button', { name: 'Add webhook' }))
  await expect(dialog.getByRole('region', { name: 'Secret' })).toContainText('whsec_')
  expect(sent.filter((path) => path.endsWith('/webhooks'))).toHaveLength(1)
  await pressTwice(dialog.getByRole('button', { name: 'New secret' }))
  await expect(dialog.getByRole('region', { name: 'Secret' })).toContainText('the new secret')
  expect(sent.filter((path) => path.endsWith('/secret'))).toHaveLength(1)
})

test('pressing twice switches a webhook once, and sends one test message', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const dialog = await openWebhooks(page, await createProject(me))
  await dialog.getByLabel('URL').fill(url)
  await dialog.getByRole('button', { name: 'Add webhook' }).click()
  await dialog.getByRole('button', { name: 'Show log' }).click()
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' && request.url().includes('/webhooks')) sent.push(request.method())
  })
  await pressTwice(dialog.getByRole('button', { name: 'Send a test message' }))
  await expect(dialog.getByText('webhook.test').first()).toBeVisible()
  await pressTwice(dialog.getByRole('button', { name: 'Switch off' }))
  await expect(page.getByText('Webhook switched off')).toHaveCount(1)
  await expect(dialog.getByRole('button', { name: 'Switch on' })).toBeVisible()
  expect(sent).toEqual(['POST', 'PUT'])
  await expect(page.getByText('A test message is already on its way.')).toHaveCount(0)
})

test('a webhook that is added after a failure has no error beside its secret', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const dialog = await openWebhooks(page, await createProject(me))
  const reconnect = await loseResponses(page, 'POST', /\/webhooks$/)
  await dialog.getByLabel('URL').fill(url)
  await dialog.getByRole('button', { name: 'Add webhook' }).click()
  await expect(dialog.getByText('The server cannot be reached.')).toBeVisible()
  await reconnect()
  await dialog.getByRole('button', { name: 'Add webhook' }).click()
  await expect(dialog.getByRole('region', { name: 'Secret' })).toContainText('whsec_')
  await expect(dialog.getByText('The server cannot be reached.')).toHaveCount(0)
  await expect(dialog.getByRole('list', { name: 'Webhooks' }).getByText(url)).toHaveCount(1)
})

test('the dialog stays open until a new secret arrives, and a lost one is not called a failure', {
  tag: '@long',
}, async ({ page, me }) => {
  const params = { projectId: await createProject(me) }
  await me.call('createWebhook', { params, body: { url } })
  const dialog = await openWebhooks(page, params.projectId)
  const rotate = dialog.getByRole('button', { name: 'New secret' })
  const reconnect = await loseResponses(page, 'POST', /\/secret$/)
  await rotate.click()
  await expect(page.getByText(/^A new secret may have been made/)).toBeVisible()
  await expect(page.getByText('Failed to make a new secret')).toHaveCount(0)
  await reconnect()
  const send = await blockRequests(page, /\/secret$/, 'POST')
  await rotate.click()
  await expect(rotate).toHaveAttribute('aria-busy', 'true')
  await page.keyboard.press('Escape')
  await page.goBack()
  await expectLayers(page, 1)
  send()
  await expect(dialog.getByRole('region', { name: 'Secret' })).toContainText('the new secret')
})

test('a log that cannot be fetched shows an error message, even during a retry', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const projectId = await createProject(me)
  await me.call('createWebhook', { params: { projectId }, body: { url } })
  const dialog = await openWebhooks(page, projectId)
  let fetches = 0
  await page.route(/\/deliveries$/, async (route) => {
    fetches += 1
    if (fetches === 1) await route.fulfill({ status: 400, json: { message: 'Nothing today' } })
  })
  const show = dialog.getByRole('button', { name: 'Show log of' })
  await expect(show).toBeVisible()
  await stopTime(page)
  await show.click()
  const failed = dialog.getByText('The log could not be fetched.')
  await expect(async () => {
    await page.clock.runFor(100)
    expect(await failed.isVisible()).toBe(true)
  }).toPass()
  await page.clock.runFor(5_000)
  await expect.poll(() => fetches).toBe(2)
  await page.clock.runFor(100)
  await expect(failed).toBeVisible()
})
