import type { Page } from '@playwright/test'
import type { Account } from '#testing/account.ts'
import { createJournal } from '#testing/journal.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import { expectContent, replaceContent } from './fixtures/editor.ts'
import { expect, expectNoSidewaysScroll, sizes, stopTime, test } from './fixtures/journey.ts'

const leaveQuestion = (page: Page) => page.getByRole('alertdialog', { name: 'Leave without saving?' })
const isBack = (page: Page) => page.getByText('What you typed and did not save is back.')

/** Ends the session as another tab of this browser would. */
const endSession = (page: Page) =>
  page.evaluate(() => {
    localStorage.removeItem('token')
    dispatchEvent(new Event('storage'))
  })

async function signInAgain(page: Page, { email, password }: Account): Promise<void> {
  await expect(page).toHaveURL(/\/login/)
  await expect(page.getByText('Your session has ended. Sign in to go on.')).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('a form that was open when the session ended is open after signing in again, with its text', async ({
  page,
  me,
}) => {
  const { listPath } = await createJournal(me)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'New Project' }).click()
  await page.getByLabel('Project Title').fill('Canoe')
  await page.getByLabel('Description').fill('Strip by strip')
  await page.route('**/api/projects', (route) =>
    route.fulfill({ status: 401, json: { code: 'not_signed_in', message: 'Please sign in to continue' } }),
  )
  await page.getByRole('button', { name: 'Create Project' }).click()
  await expect(page).toHaveURL(/\/login/)
  await page.unrouteAll()
  await signInAgain(page, me)
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByLabel('Project Title')).toHaveValue('Canoe')
  await expect(page.getByLabel('Description')).toHaveValue('Strip by strip')
  await page.getByRole('button', { name: 'Create Project' }).click()
  await expect(page.getByText('Project created successfully')).toBeVisible()

  await page.goto(listPath)
  await page.getByRole('button', { name: 'Edit milestone The first loaf' }).click()
  await page.getByLabel('Title').fill('The second loaf')
  await endSession(page)
  await signInAgain(page, me)
  await expect(page.getByRole('dialog', { name: 'Edit Milestone' }).getByLabel('Title')).toHaveValue(
    'The second loaf',
  )
  await page.getByRole('button', { name: 'Update Milestone' }).click()
  await expect(page.getByText('Milestone updated successfully')).toBeVisible()

  await page.getByRole('button', { name: 'Collaborators' }).click()
  await page.getByLabel('Email').fill('guest@example.com')
  await endSession(page)
  await signInAgain(page, me)
  await expect(page.getByRole('dialog').getByLabel('Email')).toHaveValue('guest@example.com')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await page.getByLabel('Title').fill('Rye')
  await endSession(page)
  await signInAgain(page, me)
  await expect(page.getByText('Your draft is back.')).toBeVisible()
  await expect(page.getByLabel('Title')).toHaveValue('Rye')
})

test('a form asks before it drops what was typed, and a reload keeps it', async ({ page, me: _me }) => {
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'New Project' }).click()
  const title = page.getByLabel('Project Title')
  await title.fill('Canoe')
  for (const close of [
    () => page.keyboard.press('Escape'),
    () => page.goBack(),
    () => page.getByRole('button', { name: 'Cancel' }).click(),
  ]) {
    await close()
    await leaveQuestion(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(leaveQuestion(page)).toHaveCount(0)
    await expect(title).toHaveValue('Canoe')
  }
  await page.goBack()
  await expect(leaveQuestion(page)).toBeVisible()
  await page.goBack()
  await expect(leaveQuestion(page)).toHaveCount(0)
  await expect(title).toHaveValue('Canoe')

  const asked = page.waitForEvent('dialog')
  const reloaded = page.reload()
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.accept()
  await reloaded
  await page.getByRole('button', { name: 'New Project' }).click()
  await expect(isBack(page)).toBeVisible()
  await expect(title).toHaveValue('Canoe')
  for (const viewport of Object.values(sizes)) {
    await page.setViewportSize(viewport)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
  }
  await page.getByRole('button', { name: 'Discard it' }).click()
  await expect(title).toHaveValue('')
  await title.fill('Kayak')
  await page.keyboard.press('Escape')
  await leaveQuestion(page).getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('button', { name: 'New Project' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(title).toHaveValue('')
  await expect(isBack(page)).toHaveCount(0)
})

test('an address typed to invite somebody is there when the dialog is opened again', async ({ page, me }) => {
  const { projectPath } = await createJournal(me)
  await page.goto(projectPath)
  await page.getByRole('button', { name: 'Collaborators' }).click()
  await page.getByLabel('Email').fill('guest@example.com')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.reload()
  await page.getByRole('button', { name: 'Collaborators' }).click()
  await expect(page.getByLabel('Email')).toHaveValue('guest@example.com')
})

test('a change of an entry outlives a crash, until it is saved or dropped', async ({ page, me, context }) => {
  const { listPath } = await createJournal(me, [{ title: 'Rye' }])
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Edit entry Rye' }).click()
  await expect(page.getByLabel('Title')).toBeFocused()
  await stopTime(page)
  await replaceContent(page.getByLabel('Content'), 'It rose.')
  await page.clock.runFor(1900)
  const stored = (from = page) =>
    from.evaluate(() => Object.values(localStorage).join('').includes('It rose.'))
  expect(await stored()).toBe(false)
  await page.clock.runFor(200)
  await expect(page.getByText('Kept in this browser only')).toBeVisible()
  expect(await stored()).toBe(true)

  // The first page is not closed: nothing may depend on its being told that it ends.
  await page.clock.resume()
  const afterwards = await context.newPage()
  await afterwards.goto(page.url())
  await expect(afterwards.getByText('The changes that you had not saved are back.')).toBeVisible()
  await expectContent(afterwards.getByLabel('Content'), 'It rose.')
  await afterwards.getByRole('button', { name: 'Drop them' }).click()
  await expectContent(afterwards.getByLabel('Content'), 'Fed the starter.')
  expect(await stored(afterwards)).toBe(false)
})

test('a draft that was emptied does not come back', async ({ page, me }) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  const write = page.getByRole('button', { name: 'Add your first entry' })
  await write.click()
  await page.getByLabel('Title').fill('Rye')
  await expect(page.getByText('Draft saved')).toBeVisible()
  await page.getByLabel('Title').fill('')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await page.evaluate(() => localStorage.getItem('entryDraft'))).toBeNull()
  await write.click()
  await expect(page.getByLabel('Title')).toHaveValue('')
})

test('a draft that was begun elsewhere is asked about, by where it was begun', async ({ page, me }) => {
  const first = await createJournal(me)
  await page.goto(first.listPath)
  const write = page.getByRole('button', { name: 'Add your first entry' })
  await write.click()
  await page.getByLabel('Title').fill('Rye')
  await expect(page.getByText('Draft saved')).toBeVisible()

  const second = await createJournal(me)
  await page.goto(second.listPath)
  await write.click()
  const dialog = page.getByRole('dialog', { name: 'Add Entry' })
  const question = dialog.getByText('Unfinished: “Rye” from milestone The first loaf of project A bakery.')
  await expect(question).toBeVisible()
  for (const viewport of Object.values(sizes)) {
    await page.setViewportSize(viewport)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await write.click()
  await dialog.getByRole('button', { name: 'Use here' }).click()
  await expect(page.getByLabel('Title')).toHaveValue('Rye')
  await expect(page.getByLabel('Title')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  await page.goto(first.listPath)
  await write.click()
  await expect(question).toBeVisible()
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByLabel('Title')).toHaveValue('')
  expect(await page.evaluate(() => localStorage.getItem('entryDraft'))).toBeNull()
})

test('name and email survive a refused try, a reload and the way to the other screen; passwords do not', async ({
  page,
}) => {
  await page.goto('/login')
  const email = page.getByLabel('Email')
  const password = page.getByRole('textbox', { name: 'Password' })
  await email.fill('nobody@example.com')
  await password.fill('engine room')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert').getByText('No account found with this email address')).toBeVisible()
  await expect(email).toHaveValue('nobody@example.com')
  await page.reload()
  await expect(email).toHaveValue('nobody@example.com')
  await expect(password).toHaveValue('')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await expect(page.getByLabel('Full Name')).toBeVisible()
  await expect(email).toHaveValue('nobody@example.com')
  expect(await page.evaluate(() => Object.values(sessionStorage).join(''))).not.toContain('engine room')
})
