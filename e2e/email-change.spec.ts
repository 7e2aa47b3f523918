import { randomUUID } from 'node:crypto'
import { expectAccessible } from './fixtures/accessibility.ts'
import { linkPathIn, test } from './fixtures/email.ts'
import { expect, openApp } from './fixtures/journey.ts'

test('an email changes once both addresses have confirmed it by their links', { tag: '@long' }, async ({
  page,
  me,
  emailServer,
}) => {
  const next = `grace-${randomUUID()}@example.test`
  await page.goto(await emailServer.linkTo(me.email))
  await page.getByRole('button', { name: 'Confirm this address' }).click()
  await openApp(page, '/settings')
  const profile = page.getByRole('region', { name: 'Profile' })
  await profile.getByRole('button', { name: 'Change email' }).click()
  await profile.getByLabel('New email').fill(next)
  await page.reload()
  await expect(profile.getByLabel('New email'), 'typed before').toHaveValue(next)
  await profile.getByLabel('Your password').fill('a wrong guess')
  await profile.getByRole('button', { name: 'Send the links' }).click()
  await expect(profile.getByText('Incorrect password')).toBeVisible()
  await expectAccessible(page)
  await profile.getByLabel('Your password').fill(me.password)
  await profile.getByRole('button', { name: 'Send the links' }).click()
  await expect(profile.getByText(`Your address will be ${next}.`)).toBeVisible()
  await expect(page.locator('body')).not.toBeFocused()
  await expectAccessible(page)

  const linkTo = async (email: string, nth: number) =>
    linkPathIn((await emailServer.sink.emailTo(email, nth)).content, 'email-change')
  await openApp(page, await linkTo(next, 1))
  await page.getByRole('button', { name: 'Confirm the change' }).click()
  await expect(page.getByRole('heading', { name: 'This address is confirmed' })).toBeFocused()
  await openApp(page, await linkTo(me.email, 2))
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Confirm the change' }).click()
  await expect(page.getByRole('heading', { name: 'Your address is changed' })).toBeFocused()
  await page.getByRole('link', { name: 'Go to Settings' }).click()
  await expect(profile.getByText(next, { exact: true })).toBeVisible()
})
