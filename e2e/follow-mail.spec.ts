import { createJournal, loafEntries } from '#testing/journal.ts'
import { expectAccessible, expectFitting } from './fixtures/accessibility.ts'
import { test } from './fixtures/email.ts'
import { expect, expectNoSidewaysScroll, openApp } from './fixtures/journey.ts'

const READER = 'reader@example.test'

test.describe.configure({ mode: 'default' })
test('a reader follows a public project by email and stops, without an account', { tag: '@long' }, async ({
  page,
  browser,
  me,
  emailServer,
}) => {
  const { projectId } = await createJournal(me, loafEntries(2), { isPublic: true })
  const context = await browser.newContext({ baseURL: emailServer.url })
  const visitor = await context.newPage()
  await openApp(visitor, `/world/${projectId}`)
  await visitor.getByRole('link', { name: 'Follow', exact: true }).click()
  const dialog = visitor.getByRole('dialog', { name: 'Follow This Project' })
  await dialog.getByLabel('Email').fill(READER)
  await expectFitting(visitor)
  await dialog.getByRole('button', { name: 'Follow by email' }).click()
  await expect(visitor.getByRole('heading', { name: 'Look into your mailbox' })).toBeVisible()
  await expectFitting(visitor)
  await context.close()

  const email = await emailServer.sink.emailTo(READER)
  const [, confirm = ''] = /http:\/\/localhost:\d+(\/follow\/[\w/-]+)/.exec(email.content) ?? []
  const headers = email.raw.replaceAll(/\r\n\s+/g, '')
  const [, stop = ''] = /http:\/\/localhost:\d+(\/unsubscribe\/follower\/[\w/-]+)/.exec(headers) ?? []

  const plain = await browser.newContext({
    baseURL: emailServer.url,
    javaScriptEnabled: false,
    viewport: { width: 320, height: 640 },
  })
  const reader = await plain.newPage()
  const openLarge = async (path: string) => {
    await reader.goto(path)
    await reader.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
    })
    await expectNoSidewaysScroll(reader)
  }
  const followers = async () => (await me.call('readReaders', { params: { projectId } })).followers
  await openLarge(confirm)
  expect(await followers()).toBe(0)
  await reader.getByRole('button', { name: 'Confirm' }).click()
  await expect(reader.getByRole('heading', { name: 'You follow this project' })).toBeVisible()
  expect(await followers()).toBe(1)

  await openApp(page, '/dashboard')
  await page.getByRole('button', { name: 'Share A bakery' }).click()
  const share = page.getByRole('dialog', { name: 'Share Project' })
  await expect(share.getByText('1 person follows by email.')).toBeVisible()
  await expectAccessible(page)
  await share.getByLabel('Readers can follow by email').uncheck()
  await expect
    .poll(async () => (await reader.request.get(`/world/${projectId}`)).text())
    .toContain('Follow by feed')

  await openLarge(stop)
  await reader.getByRole('button', { name: 'Stop these emails' }).click()
  await expect(reader.getByRole('heading', { name: 'The emails are stopped' })).toBeVisible()
  expect(await followers()).toBe(0)
  await plain.close()

  await openApp(page, stop)
  await expectFitting(page)
  await openApp(page, confirm)
  await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
  await expectFitting(page)
})
