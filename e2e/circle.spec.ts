import { createJournal, loafEntries } from '#testing/journal.ts'
import { expectFitting } from './fixtures/accessibility.ts'
import { test } from './fixtures/email.ts'
import { expect, openApp } from './fixtures/journey.ts'

const GRANDMA = 'grandma@example.test'

test.describe.configure({ mode: 'default' })
test('a person of the circle reads a private project until they are let go', async ({
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
