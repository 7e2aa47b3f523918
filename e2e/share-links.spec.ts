import { expectAccessible } from './fixtures/accessibility.ts'
import { expect, expectNoSidewaysScroll, sizes, test } from './fixtures/journey.ts'

test('a private project is read through a link, without an account, until the link is revoked', {
  tag: '@long',
}, async ({ page, browser, me }) => {
  const body = { title: 'Canoe', description: 'Strip by strip' }
  const { _id: projectId } = await me.call('createProject', { body })
  const { _id: milestoneId } = await me.call('createMilestone', {
    params: { projectId },
    body: { title: 'Lumber', description: 'Find straight cedar' },
  })
  await me.call('createEntry', {
    params: { milestoneId },
    body: { title: 'First boards', content: 'They smell of summer.', tags: ['wood'] },
  })
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Share Canoe' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share Project' })
  await dialog.getByRole('button', { name: 'New private link' }).click()
  await dialog.getByLabel('For whom').fill('Grandma')
  await dialog.getByLabel('Password (optional)').fill('canoe river')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const address = await dialog.getByText(/\/s\//).innerText()
  await expect(dialog.getByRole('button', { name: 'Copy private link' })).toBeVisible()
  await expect(dialog.getByText('Not used yet')).toBeVisible()

  const visitor = await browser.newContext({ javaScriptEnabled: false, viewport: sizes.phone })
  const reading = await visitor.newPage()
  await reading.goto(address)
  expect(reading.url()).toMatch(/\/world\/[\w-]+$/)
  const password = reading.getByLabel('Password')
  await expect(password).toBeFocused()
  await password.fill('wrong')
  await reading.getByRole('button', { name: 'Open' }).click()
  await expect(password).toBeFocused()
  await expect(password).toHaveAccessibleDescription(/^That is not the password\./)
  await password.fill('canoe river')
  await reading.getByRole('button', { name: 'Open' }).click()
  await expect(reading.getByRole('heading', { name: 'Canoe' })).toBeVisible()
  await expectNoSidewaysScroll(reading)
  await reading.getByRole('link', { name: 'Read the story' }).click()
  await expect(reading.getByRole('article', { name: 'First boards' })).toBeVisible()
  await reading.getByRole('link', { name: 'First boards' }).first().click()
  await expect(reading.getByText('They smell of summer.')).toBeVisible()
  expect(await reading.evaluate(() => document.referrer)).toBe('')

  await dialog.getByRole('button', { name: 'Revoke Grandma' }).click()
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await expect(dialog.getByRole('button', { name: 'Revoke Grandma' })).toBeHidden()
  await reading.reload()
  await expect(reading.getByRole('heading', { name: 'This link leads nowhere' })).toBeVisible()
  await visitor.close()
})

test('a newcomer copies the link of a public project, and a private one, with two presses', {
  tag: '@long',
}, async ({ page, me, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  const body = { title: 'Canoe', description: 'Strip by strip', isPublic: true }
  const { _id: projectId } = await me.call('createProject', { body })
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Share Canoe' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share Project' })
  await dialog.getByRole('button', { name: 'Copy link' }).click()
  await expect(dialog.getByText('Copied!')).toBeVisible()
  expect(await copied()).toBe(`${new URL(page.url()).origin}/world/${projectId}`)

  // The name is typed where the form opens, and ends with Enter.
  await dialog.getByRole('button', { name: 'New private link' }).click()
  await page.keyboard.type('Grandma')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Copy private link' }).click()
  await expect.poll(copied).toContain('/s/')
  expect(await copied()).toBe(await dialog.getByText(/\/s\//).innerText())
})
