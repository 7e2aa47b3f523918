import { addCollaborator, createJournal } from '#testing/journal.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import { expect, openApp, test } from './fixtures/journey.ts'

test('a member hears of new entries and mentions, sees what is new, and chooses to hear less', {
  tag: '@long',
}, async ({ page, me, owner }) => {
  const { projectId, milestoneId, projectPath } = await createJournal(owner, [{ title: 'Rye' }])
  await addCollaborator(owner, projectId, me)
  await openApp(page, projectPath)
  await expect(page.getByRole('link', { name: 'Rye' })).toBeVisible()
  const write = (title: string, content: string) =>
    owner.call('createEntry', { params: { milestoneId }, body: { title, content, tags: [] } })

  await write('Wheat', `With ${me.name}: @${me.name}`)
  const bell = page.getByRole('button', { name: 'Notifications, 1 unread' })
  await bell.click()
  await expect(page.getByText('You are mentioned')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: /mentioned you in “Wheat”/ }).click()
  await expect(page.getByRole('heading', { name: 'Wheat' })).toBeVisible()

  for (const title of ['Spelt', 'Oat']) await write(title, 'Fed.')
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
  await page.getByRole('link', { name: /2 new entries in “A bakery”/ }).click()
  await expect(page.getByRole('heading', { name: 'A bakery' })).toBeVisible()

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Notifications', exact: true }).last().click()
  const dialog = page.getByRole('dialog', { name: 'Notifications' })
  await dialog.getByLabel('Nothing').check()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect.poll(async () => (await me.call('readWatch', { params: { projectId } })).level).toBe('none')
})
