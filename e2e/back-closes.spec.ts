import type { Page } from '@playwright/test'
import { createJournal } from '#testing/journal.ts'
import { expect, expectLayers, openApp, pressShortcut, sizes, test } from './fixtures/journey.ts'

const layer = (page: Page) => page.locator('[role$=dialog], :popover-open:has(button, a)')

/** Opens a layer, and asserts that Back only closes it and that Forward does nothing. */
async function expectBackCloses(page: Page, open: () => Promise<void>): Promise<void> {
  const url = page.url()
  await open()
  await expect(layer(page)).toHaveCount(1)
  await expectLayers(page, 1)
  await page.goBack()
  await expect(layer(page)).toHaveCount(0)
  await page.goForward()
  // The page is on the removed entry for a moment, and goes back by itself.
  await expectLayers(page, 0)
  await expect(page).toHaveURL(url)
  await expect(layer(page)).toHaveCount(0)
}

const press = (page: Page, name: string) => () => page.getByRole('button', { name, exact: true }).click()

test('Back closes only the topmost dialog, confirmation or menu', { tag: '@long' }, async ({ page, me }) => {
  const { listPath, entryPath } = await createJournal(me, [{ title: 'Rye' }])
  await openApp(page, '/dashboard')
  for (const name of ['New Project', 'Share A bakery', 'Edit project A bakery', 'Delete project A bakery']) {
    await expectBackCloses(page, press(page, name))
  }
  await expectBackCloses(page, press(page, 'User menu'))
  await expectBackCloses(page, press(page, 'Notifications'))
  await expectBackCloses(page, () => pressShortcut(page, '?'))

  await openApp(page, listPath)
  for (const name of [
    'Share',
    'Collaborators',
    'Add Milestone',
    'Edit milestone The first loaf',
    'Delete milestone The first loaf',
    'Add Entry',
    'Edit entry Rye',
    'Delete entry Rye',
  ]) {
    await expectBackCloses(page, press(page, name))
  }
  await expectBackCloses(page, press(page, 'More actions'))
  await expectBackCloses(page, async () => {
    await press(page, 'More actions')()
    await press(page, 'Edit Project')()
  })
  await page.goBack()
  await expect(page).toHaveURL('/dashboard')

  await openApp(page, entryPath(0))
  await expectBackCloses(page, press(page, 'Delete'))

  await page.setViewportSize(sizes.phone)
  await expectBackCloses(page, press(page, 'Menu'))
  await press(page, 'Menu')()
  await page.getByRole('link', { name: 'Collaborations' }).click()
  await expect(page).toHaveURL('/collaborations')
  await page.goBack()
  await expect(page).toHaveURL(entryPath(0))
  await expect(page.getByRole('heading', { name: 'Rye' })).toBeVisible() // the menu's history entry has the same URL
  await page.goForward()
  await expect(page).toHaveURL('/collaborations')
  await expect(page.getByRole('heading', { name: 'My Collaborations' })).toBeVisible()
})

test('a dialog that is closed by its button leaves no history entry', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { listPath } = await createJournal(me, [{ title: 'Rye' }])
  await page.goto('/robots.txt')
  await openApp(page, listPath)
  for (const [name, close] of [
    ['Share', 'Close'],
    ['Add Milestone', 'Cancel'],
    ['Edit entry Rye', 'Cancel'],
    ['Delete entry Rye', 'Cancel'],
  ] as const) {
    await press(page, name)()
    await press(page, close)()
    await expect(layer(page)).toHaveCount(0)
    await expectLayers(page, 0)
  }
  await expect.poll(() => page.evaluate(() => history.state.idx)).toBe(0)
  await page.goBack()
  await expect(page).toHaveURL('/robots.txt')
})

test('Back closes the confirmation about a collaborator before the dialog that contains it', {
  tag: '@long',
}, async ({ page, me }) => {
  const { projectPath, projectId } = await createJournal(me)
  await me.call('inviteCollaborator', {
    params: { projectId },
    body: { email: 'guest@example.com', role: 'viewer' },
  })
  await page.goto(projectPath)
  await press(page, 'Collaborators')()
  await press(page, 'Remove guest@example.com')()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await expectLayers(page, 2)
  await page.goBack()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(page.getByRole('dialog', { name: 'Manage Collaborators' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL(projectPath)
})

test('a URL that opens the editor does not change, and Back closes the editor', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { projectPath, milestoneId, entries } = await createJournal(me, [{ title: 'Rye' }])
  const deepLink = `${projectPath}?edit=${entries[0]?._id}&milestone=${milestoneId}`
  await page.goto(deepLink)
  await expect(page.getByLabel('Title')).toHaveValue('Rye')
  const imageSection = page.locator('fieldset').filter({ has: page.getByLabel('Image file') })
  await expect(imageSection).toBeAttached()
  await expect(imageSection).toBeHidden()
  await expect(page).toHaveURL(deepLink)
  await expectLayers(page, 1)
  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL(`${projectPath}?selected=${milestoneId}`)
  await expect(page.getByRole('link', { name: 'Rye' })).toBeVisible()
})

test('an edit that was started on the entry page returns there', { tag: '@long' }, async ({ page, me }) => {
  const { projectPath, entryPath } = await createJournal(me, [{ title: 'Rye' }])
  await openApp(page, entryPath(0))
  const editLink = page.getByRole('link', { name: 'Edit', exact: true })
  const edit = () => editLink.click()
  const title = page.getByLabel('Title')
  const heading = (name: string) => page.getByRole('heading', { level: 1, name })
  for (const leave of [
    () => page.goBack(),
    () => press(page, 'Cancel')(),
    () => page.keyboard.press('Escape'),
  ]) {
    await edit()
    await expect(title).toHaveValue('Rye')
    await expect(page).toHaveURL(new RegExp(`${projectPath}\\?edit=.+&milestone=.+`))
    await leave()
    await expect(page).toHaveURL(entryPath(0))
    await expect(heading('Rye')).toBeVisible()
    await expect(editLink).toBeFocused()
  }

  await edit()
  await title.fill('Wheat')
  await page.goBack()
  await expect(page).toHaveURL(entryPath(0))
  await page.getByRole('button', { name: 'Continue writing' }).click()
  await expect(title).toHaveValue('Wheat')
  await title.press('Control+Enter')
  await expect(page).toHaveURL(entryPath(0))
  await expect(heading('Wheat')).toBeVisible()
  await expect.poll(() => page.evaluate(() => history.state.idx)).toBe(0)
})
