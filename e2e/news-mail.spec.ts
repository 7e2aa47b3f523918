import { addCollaborator, createJournal } from '#testing/journal.ts'
import { expectFitting } from './fixtures/accessibility.ts'
import { test } from './fixtures/email.ts'
import { expect, openApp } from './fixtures/journey.ts'

test.describe.configure({ mode: 'default' })
test('a person is emailed of a mention at once, and stops these emails without signing in or scripts', {
  tag: '@long',
}, async ({ page, browser, me, owner, emailServer }) => {
  const { projectId, milestoneId } = await createJournal(owner)
  await openApp(page, await emailServer.linkTo(me.email))
  await page.getByRole('button', { name: 'Confirm this address' }).click()
  await expect(page.getByRole('heading', { name: 'Your email address is confirmed' })).toBeVisible()
  await addCollaborator(owner, projectId, me)

  await openApp(page, '/settings')
  await page.getByLabel('Daily email with unread news').selectOption({ index: 10 })
  await page.getByLabel('Email me at once when somebody mentions me').check()
  await expectFitting(page)
  const chosen = async () => (await me.call('readAccount', {})).notifications
  await expect.poll(chosen).toMatchObject({ newsHour: 9, emailsMentions: true })

  const body = { title: 'Rye', content: `@${me.name}`, tags: [] }
  await owner.call('createEntry', { params: { milestoneId }, body })
  const email = await emailServer.sink.emailAbout(me.email, 'You are mentioned on Milepost')
  expect(email.raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  const [, path = ''] = /http:\/\/localhost:\d+(\/unsubscribe\/[\w/-]+)/.exec(email.content) ?? []

  const context = await browser.newContext({ baseURL: emailServer.url, javaScriptEnabled: false })
  const reader = await context.newPage()
  await reader.goto(path)
  await expect(reader.getByRole('heading', { name: 'Stop these emails?' })).toBeVisible()
  expect(await chosen()).toMatchObject({ emailsMentions: true })
  await reader.getByRole('button', { name: 'Stop these emails' }).click()
  await expect(reader.getByRole('heading', { name: 'The emails are stopped' })).toBeVisible()
  expect(await chosen()).toMatchObject({ newsHour: 9, emailsMentions: false })
  await context.close()
})
