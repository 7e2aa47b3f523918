import { createJournal, loafEntries } from '#testing/journal.ts'
import { expectAccessible, expectFitting } from './fixtures/accessibility.ts'
import { expect, openApp, test, visitor } from './fixtures/journey.ts'

test('somebody gives their page a name, switches it on, and readers find their projects there', {
  tag: '@long',
}, async ({ page, browser, me }) => {
  const { projectId } = await createJournal(me, loafEntries(1), { isPublic: true })
  const name = `ada-${projectId.slice(-12)}`
  await openApp(page, '/settings')
  const own = page.getByRole('region', { name: 'Your page' })
  const isOn = own.getByLabel('Everybody can see my page')
  await expect(isOn).toBeDisabled()
  await own.getByLabel('Name of the page').fill('ada lovelace')
  await own.getByRole('button', { name: 'Save page' }).click()
  await expect(own.getByText('The name may have letters, digits, and single hyphens')).toBeVisible()
  await own.getByLabel('Name of the page').fill(name.toUpperCase())
  await own.getByLabel('A sentence about you').fill('I bake what I can.')
  await own.getByLabel('A sentence about you').press('Enter')
  await expect(own.getByLabel('Name of the page')).toHaveValue(name)
  await isOn.check()
  const link = own.getByRole('link', { name: `@${name}` })
  await expect(link).toHaveAttribute('href', `/@${name}`)
  await expectAccessible(page)

  const reader = await visitor(browser)
  await openApp(reader, `/world/${projectId}`)
  await reader.getByRole('link', { name: me.name }).click()
  await expect(reader.getByRole('heading', { level: 1, name: me.name })).toBeVisible()
  await expect(reader).toHaveURL(new RegExp(`/@${name}$`))
  await expect(reader.getByText('I bake what I can.')).toBeVisible()
  await expectFitting(reader)
  await reader.getByRole('link', { name: 'A bakery' }).click()
  await expect(reader.getByRole('heading', { level: 1, name: 'A bakery' })).toBeVisible()

  await isOn.uncheck()
  await expect(link).toHaveCount(0)
  await expect.poll(async () => (await reader.request.get(`/@${name}`)).status()).toBe(404)
  await reader.context().close()
})
