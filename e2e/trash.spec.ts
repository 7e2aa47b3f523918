import { addCollaborator, createJournal } from '#testing/journal.ts'
import { expectAccessible, expectFitting } from './fixtures/accessibility.ts'
import {
  blockRequests,
  expect,
  expectAllClosed,
  loseResponses,
  openApp,
  pressTwice,
  test,
  withoutEvents,
} from './fixtures/journey.ts'

test('Undo restores what was just deleted, and navigates back to it', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { entryPath, listPath } = await createJournal(me, [{ title: 'Rye' }])
  await openApp(page, entryPath(0))
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  const messages = page.getByRole('list', { name: 'Messages' })
  const message = messages.getByRole('listitem')
  await message.hover() // hovering keeps it open
  await expect(message).toContainText('Entry deleted successfully')
  await expect(page).toHaveURL(listPath)
  await messages.getByRole('button', { name: 'Undo' }).click()
  await expect(page).toHaveURL(entryPath(0))
  await expect(page.getByRole('heading', { level: 1, name: 'Rye' })).toBeVisible()
  await expect(messages).toContainText('Restored')

  await page.goto('/dashboard')
  const card = page.getByRole('article').first()
  await card.getByRole('button', { name: /^Delete project/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await message.hover()
  await expect(message).toContainText('Project deleted successfully')
  await expect(card).toHaveCount(0)
  await messages.getByRole('button', { name: 'Undo' }).focus()
  await page.keyboard.press('Enter')
  await expect(card).toBeVisible()
})

test('the trash restores items, together with a milestone that was deleted later, or deletes them permanently', {
  tag: '@long',
}, async ({ page, me }) => {
  const { projectId, milestoneId, entries } = await createJournal(me, [{ title: 'Rye' }, { title: 'Oats' }])
  const entryId = entries[0]?._id ?? ''
  const { _id: other } = await me.call('createProject', { body: { title: 'Old plans', description: 'x' } })
  await me.call('deleteProject', { params: { projectId: other } })
  await me.call('deleteEntry', { params: { milestoneId, entryId } })
  await me.call('deleteMilestone', { params: { projectId, milestoneId } })

  await openApp(page, '/dashboard')
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('link', { name: 'Trash' }).click()
  await expect(page).toHaveURL('/trash')
  const deleted = page.getByRole('region', { name: 'Deleted' })
  await expect(deleted.getByRole('article')).toHaveCount(3)
  await expectFitting(page)

  const question = page.getByRole('alertdialog')
  await deleted
    .getByRole('article', { name: 'Old plans' })
    .getByRole('button', { name: 'Delete for ever' })
    .click()
  await expect(question).toContainText('Are you sure you want to delete this project for ever?')
  await question.getByRole('button', { name: 'Delete for ever' }).click()
  await expect(deleted.getByRole('article')).toHaveCount(2)

  const sent: string[] = []
  page.on('request', (request) => request.url().endsWith('/restore') && sent.push(request.url()))
  const restore = deleted.getByRole('article', { name: 'Rye' }).getByRole('button', { name: 'Restore' })
  await restore.evaluate((button: HTMLButtonElement) => {
    button.click()
    button.click()
  })
  await expect(question).toContainText('cannot come back without the milestone')
  expect(sent).toHaveLength(1)
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Restore all' }).click()
  const restored = page.getByRole('listitem').filter({ hasText: 'Entry restored' })
  await restored.hover() // hovering keeps it open
  await expect(page.getByText('Nothing in the trash')).toBeVisible()
  await restored.getByRole('button', { name: 'Open' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Rye' })).toBeVisible()
})

test('an item that somebody else restored is reported as no longer in the trash', { tag: '@long' }, async ({
  page,
  me,
  colleague,
}) => {
  const { projectId, milestoneId, entries } = await createJournal(me, [{ title: 'Rye' }])
  const grace = await colleague('Grace Hopper')
  await addCollaborator(me, projectId, grace, 'admin')
  await me.call('deleteEntry', { params: { milestoneId, entryId: entries[0]?._id ?? '' } })
  await withoutEvents(page)
  await openApp(page, '/trash')
  const restore = page.getByRole('button', { name: 'Restore' })
  await expect(restore).toBeVisible()
  const [deletion] = (await me.call('listTrash', {})).deletions
  await grace.call('restoreDeletion', { params: { deletionId: deletion?._id ?? '' }, body: {} })
  await restore.click()
  await expect(page.getByRole('list', { name: 'Messages' })).toContainText('This is no longer in the trash.')
  await expect(restore).toHaveCount(0)
})

test('Undo does not navigate away from a screen that was opened since', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { entryPath, listPath } = await createJournal(me, [{ title: 'Rye' }])
  const messages = page.getByRole('list', { name: 'Messages' })
  const removeAndUndo = async () => {
    await openApp(page, entryPath(0))
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page).toHaveURL(listPath)
    await expectAllClosed(page)
    const release = await blockRequests(page, '**/restore', 'POST')
    await messages.getByRole('button', { name: 'Undo' }).click()
    return release
  }

  let release = await removeAndUndo()
  await page.getByRole('button', { name: 'Write' }).click()
  const title = page.getByRole('dialog', { name: 'Add Entry' }).getByLabel('Title')
  await title.fill('Oats')
  release()
  await expect(messages).toContainText('Restored')
  await expect(page).toHaveURL(listPath)
  await expect(title).toHaveValue('Oats')
  await page.keyboard.press('Escape')
  await expectAllClosed(page)
  await page.unroute('**/restore')

  release = await removeAndUndo()
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('link', { name: 'Settings' }).click()
  const name = page.getByRole('region', { name: 'Profile' }).getByLabel('Name')
  await name.fill('Ada King')
  release()
  const restored = messages.getByRole('listitem').filter({ hasText: 'Restored' })
  await restored.hover() // hovering keeps it open
  await expect(page).toHaveURL('/settings')
  await expect(name).toHaveValue('Ada King')
  await restored.getByRole('button', { name: 'Show it' }).click()
  await expect(page).toHaveURL(entryPath(0))
  await expect(page.getByRole('heading', { level: 1, name: 'Rye' })).toBeVisible()
})

test('Undo reports its result even if its responses were lost or somebody else restored the item', {
  tag: '@long',
}, async ({ page, me, colleague }) => {
  const { projectId, listPath } = await createJournal(me, [{ title: 'Rye' }, { title: 'Oats' }])
  const grace = await colleague('Grace Hopper')
  await addCollaborator(me, projectId, grace, 'admin')
  await withoutEvents(page)
  await openApp(page, listPath)
  const messages = page.getByRole('list', { name: 'Messages' })
  const undo = messages.getByRole('button', { name: 'Undo' })
  const remove = async (title: string) => {
    await page.getByRole('button', { name: `Delete entry ${title}` }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await messages.getByRole('listitem').last().hover()
    await expect(undo).toBeVisible()
  }
  await remove('Rye')
  const reconnect = await loseResponses(page, 'POST', /\/restore$/)
  await undo.click()
  await reconnect()
  await expect(messages).toContainText('Restored')
  await expect(page.getByRole('link', { name: 'Rye' })).toBeVisible()

  await remove('Oats')
  const [deletion] = (await me.call('listTrash', {})).deletions
  await grace.call('restoreDeletion', { params: { deletionId: deletion?._id ?? '' }, body: {} })
  await undo.click()
  await expect(messages).toContainText('This is no longer in the trash.')
  await expect(messages).not.toContainText('It is in the trash')
  await expect(page.getByRole('link', { name: 'Oats' })).toBeVisible()
})

test('a second press of Delete, of Undo and of Delete for ever sends nothing', { tag: '@long' }, async ({
  page,
  me,
}) => {
  await createJournal(me)
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'DELETE' || request.url().endsWith('/restore')) sent.push(request.method())
  })
  await openApp(page, '/dashboard')
  const card = page.getByRole('article').first()
  const dialog = page.getByRole('alertdialog')
  const messages = page.getByRole('list', { name: 'Messages' })
  await card.getByRole('button', { name: /^Delete project/ }).click()
  await pressTwice(dialog.getByRole('button', { name: 'Delete' }))
  await expect(messages).toContainText('Project deleted successfully')
  await pressTwice(messages.getByRole('button', { name: 'Undo' }))
  await expect(messages).toContainText('Restored')
  await expect(card).toBeVisible()
  await card.getByRole('button', { name: /^Delete project/ }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(messages).toContainText('Project deleted successfully')
  await openApp(page, '/trash')
  await page.getByRole('button', { name: 'Delete for ever' }).click()
  await pressTwice(dialog.getByRole('button', { name: 'Delete for ever' }))
  await expect(messages).toContainText('Project deleted for ever')
  await expect(page.getByRole('article')).toHaveCount(0)
  expect(sent).toEqual(['DELETE', 'POST', 'DELETE', 'DELETE'])
})
