import type { Locator } from '@playwright/test'
import { createJournal, loafEntries } from '#testing/journal.ts'
import { expectFitting } from './fixtures/accessibility.ts'
import { test } from './fixtures/email.ts'
import { expect, expectNoSidewaysScroll, openApp } from './fixtures/journey.ts'

const GRANDMA = 'grandma@example.test'

test.describe.configure({ mode: 'default' })
test('a person of the circle reads a private project until they are let go', { tag: '@long' }, async ({
  page,
  browser,
  me,
  emailServer,
}) => {
  await createJournal(me, loafEntries(1))
  await openApp(page, '/dashboard')
  await page.getByRole('button', { name: 'Share A bakery' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share Project' })
  await dialog.getByRole('button', { name: 'Add person' }).click()
  await dialog.getByLabel('Name').fill('Grandma')
  await dialog.getByLabel('Email (optional)').fill(GRANDMA)
  await expectFitting(page)
  await dialog.getByRole('button', { name: 'Add to circle' }).click()
  await expect(dialog.getByText('Asked about emails')).toBeVisible()
  await expectFitting(page)

  const { content } = await emailServer.sink.emailTo(GRANDMA)
  const pathTo = (start: string) =>
    new RegExp(`http://localhost:\\d+(/${start}/[\\w./-]+)`).exec(content)?.[1] ?? ''
  const context = await browser.newContext({ baseURL: emailServer.url, javaScriptEnabled: false })
  const reader = await context.newPage()
  await reader.goto(pathTo('follow'))
  await reader.getByRole('button', { name: 'Confirm' }).click()
  await expect(reader.getByRole('heading', { name: 'You get the emails' })).toBeVisible()
  await reader.getByRole('link', { name: 'To the project' }).click()
  await expect(reader.getByRole('heading', { name: 'A bakery' })).toBeVisible()
  expect(reader.url()).toMatch(/\/world\/[\w-]+$/)

  await dialog.getByRole('button', { name: 'Let go of Grandma' }).click()
  await page.getByRole('button', { name: 'Let go', exact: true }).click()
  await expect(dialog.getByRole('list', { name: 'Circle' })).toBeHidden()
  await reader.reload()
  await expect(reader.getByRole('heading', { name: 'This link leads nowhere' })).toBeVisible()
  await reader.goto(pathTo('s'))
  await expect(reader.getByRole('heading', { name: 'This link leads nowhere' })).toBeVisible()
  await context.close()
})

test('from the email to the story and to the end of the emails, in letters twice as large and without scripts', {
  tag: '@long',
}, async ({ browser, me, emailServer }) => {
  const address = 'uncle@example.test'
  const { projectId } = await createJournal(me, loafEntries(22))
  const params = { projectId }
  await me.call('createShareLink', { params, body: { name: 'Uncle', person: { email: address } } })
  const { content, raw } = await emailServer.sink.emailTo(address)
  const pathIn = (text: string, start: string) =>
    new RegExp(`http://localhost:\\d+(/${start}/[\\w./-]+)`).exec(text)?.[1] ?? ''
  const confirm = pathIn(content, 'follow')
  const stop = pathIn(raw.replaceAll(/\r\n\s+/g, ''), 'unsubscribe/follower')

  const context = await browser.newContext({
    baseURL: emailServer.url,
    javaScriptEnabled: false,
    viewport: { width: 320, height: 640 },
  })
  const reader = await context.newPage()
  /** Takes what the page shows as a sign that it is no longer the one before. */
  const fitsLarge = async (shown: Locator) => {
    await expect(shown).toBeVisible()
    await reader.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
    })
    await expectNoSidewaysScroll(reader)
  }
  await reader.goto(confirm)
  const confirming = reader.getByRole('button', { name: 'Confirm' })
  await fitsLarge(confirming)
  await confirming.click()
  await reader.getByRole('link', { name: 'To the project' }).click()
  const storyLink = reader.getByRole('link', { name: 'Read the story' })
  await fitsLarge(storyLink)
  await storyLink.click()
  await fitsLarge(reader.getByRole('article', { name: 'Loaf 1', exact: true }))
  await reader.getByRole('link', { name: 'Next' }).first().click()
  await fitsLarge(reader.getByRole('article', { name: 'Loaf 22' }))
  const story = reader.url()
  const [cookie] = await context.cookies(story)

  const isConfirmed = async () => (await me.call('listShareLinks', { params }))[0]?.person?.isConfirmed
  await reader.goto(stop)
  const stopping = reader.getByRole('button', { name: 'Stop these emails' })
  await fitsLarge(stopping)
  expect(await isConfirmed()).toBe(true)
  await stopping.click()
  await fitsLarge(reader.getByRole('heading', { name: 'The emails are stopped' }))
  expect(await isConfirmed()).toBe(false)
  await reader.goto(story)
  await expect(reader.getByRole('article', { name: 'Loaf 22' })).toBeVisible()
  await context.close()

  const scripted = await browser.newContext({ baseURL: emailServer.url })
  if (cookie) await scripted.addCookies([cookie])
  const page = await scripted.newPage()
  await openApp(page, story)
  await expectFitting(page)
  await openApp(page, stop)
  await expectFitting(page)
  await scripted.close()
})
