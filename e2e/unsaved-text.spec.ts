import type { Page } from '@playwright/test'
import type { Account } from '#testing/account.ts'
import { createJournal } from '#testing/journal.ts'
import { expectFitting } from './fixtures/accessibility.ts'
import { expectContent, replaceContent } from './fixtures/editor.ts'
import {
  blockRequests,
  expect,
  expectAllClosed,
  expectLayers,
  openApp,
  stopTime,
  test,
} from './fixtures/journey.ts'

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

test('a form that was open when the session ended reopens after sign-in with its input', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath } = await createJournal(me)
  await page.goto('/settings')
  const name = page.getByRole('region', { name: 'Profile' }).getByLabel('Name')
  await name.fill('Ada King')
  await endSession(page)
  await signInAgain(page, me)
  await expect(name).toHaveValue('Ada King')

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

test('an entry that is refused because the session has ended is restored after sign-in and saved once', {
  tag: '@long',
}, async ({ page, me }) => {
  const { milestoneId } = await createJournal(me)
  const dialog = page.getByRole('dialog', { name: 'Add Entry' })
  await openApp(page, '/markdown-guide')
  await page.getByRole('button', { name: 'Write' }).click()
  await dialog.getByLabel('Title').fill('Rye')
  await dialog.getByLabel('Content').fill('It rose.')
  await page.route(
    `**/api/milestones/${milestoneId}/entries`,
    (route) =>
      route.fulfill({ status: 401, json: { code: 'not_signed_in', message: 'Please sign in to continue' } }),
    { times: 1 },
  )
  await dialog.getByRole('button', { name: 'Create Entry' }).click()
  await signInAgain(page, me)
  await expect(page).toHaveURL('/markdown-guide')
  await expect(dialog.getByText('Your draft is back.')).toBeVisible()
  await expect(dialog.getByLabel('Title')).toHaveValue('Rye')
  await expectContent(dialog.getByLabel('Content'), 'It rose.')
  await dialog.getByRole('button', { name: 'Create Entry' }).click()
  await expect(page.getByText('Entry created successfully')).toBeVisible()

  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('link', { name: 'View Details' }).click()
  await page.getByRole('link', { name: 'The first loaf' }).click()
  await expect(page.getByText('Showing 1-1 of 1 entries')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('a form asks before it discards its input, and a reload keeps it', async ({ page, me: _me }) => {
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'New Project' }).click()
  const title = page.getByLabel('Project Title')
  await title.fill('Canoe')
  await expectLayers(page, 1)
  for (const close of [
    () => page.keyboard.press('Escape'),
    () => page.goBack(),
    () => page.getByRole('button', { name: 'Cancel' }).click(),
  ]) {
    await close()
    await leaveQuestion(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(leaveQuestion(page)).toHaveCount(0)
    await expect(title).toHaveValue('Canoe')
    await expectLayers(page, 1)
  }
  await page.goBack()
  await expect(leaveQuestion(page)).toBeVisible()
  await expectLayers(page, 2)
  await page.goBack()
  await expect(leaveQuestion(page)).toHaveCount(0)
  await expect(title).toHaveValue('Canoe')
  await expectLayers(page, 1)

  const asked = page.waitForEvent('dialog')
  const reloaded = page.reload()
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.accept()
  await reloaded
  await page.getByRole('button', { name: 'New Project' }).click()
  await expect(isBack(page)).toBeVisible()
  await expect(title).toHaveValue('Canoe')
  await expectFitting(page)
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

test('an email typed into the invitation form is restored when the dialog is reopened', {
  tag: '@long',
}, async ({ page, me }) => {
  const { projectPath } = await createJournal(me)
  await page.goto(projectPath)
  await page.getByRole('button', { name: 'Collaborators' }).click()
  await page.getByLabel('Email').fill('guest@example.com')
  await page.keyboard.press('Escape')
  await expectAllClosed(page)
  await page.reload()
  await page.getByRole('button', { name: 'Collaborators' }).click()
  await expect(page.getByLabel('Email')).toHaveValue('guest@example.com')

  // If the dialog is closed and reopened during the call, it is not sent twice, and its text is removed from the field and the
  // browser.
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/collaborators')) sent.push(request.url())
  })
  const send = await blockRequests(page, '**/collaborators', 'POST')
  const sendButton = page.getByRole('button', { name: 'Send Invitation' })
  await page.getByLabel('Email').press('Enter')
  await expect(sendButton).toHaveAttribute('aria-busy', 'true')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: 'Collaborators' }).click()
  await expect(page.getByLabel('Email')).toHaveValue('guest@example.com')
  await expect(sendButton).toHaveAttribute('aria-busy', 'true')
  await page.getByLabel('Email').press('Enter')
  send()
  await expect(page.getByText('Invitation sent to guest@example.com')).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue('')
  expect(sent).toHaveLength(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: 'Collaborators' }).click()
  await expect(page.getByLabel('Email')).toHaveValue('')
})

test('an edit of an entry survives a crash until it is saved or discarded', { tag: '@long' }, async ({
  page,
  me,
  context,
}) => {
  const { listPath } = await createJournal(me, [{ title: 'Rye' }])
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Edit entry Rye' }).click()
  await expect(page.getByLabel('Title')).toBeFocused()
  await stopTime(page)
  await replaceContent(page.getByLabel('Content'), 'It rose.')
  await page.clock.runFor(2100)
  const stored = (from = page) =>
    from.evaluate(() => Object.values(localStorage).join('').includes('It rose.'))
  await expect(page.getByText(/^Saved on the server/)).toBeVisible()
  expect(await stored()).toBe(true)

  // The first page is not closed, because nothing may depend on its last events.
  await page.clock.resume()
  const afterwards = await context.newPage()
  await afterwards.goto(page.url())
  await expect(afterwards.getByText('The changes that you had not saved are back.')).toBeVisible()
  await expectContent(afterwards.getByLabel('Content'), 'It rose.')
  await afterwards.getByRole('button', { name: 'Discard' }).click()
  await expectContent(afterwards.getByLabel('Content'), 'Fed the starter.')
  await expect.poll(() => stored(afterwards)).toBe(false)
})

test('a chosen date and milestone are kept like text, and the old URL of a moved entry redirects', {
  tag: '@long',
}, async ({ page, me }) => {
  const { entryPath, entries, milestoneId } = await createJournal(me, [{ title: 'Rye' }])
  const other = await createJournal(me)
  const entryId = entries[0]?._id ?? ''
  await openApp(page, entryPath(0))
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Entry' })
  const day = dialog.getByLabel('Date')
  await day.fill('2024-02-29')
  await dialog.getByLabel('Project', { exact: true }).selectOption(other.projectId)
  await dialog.getByLabel('Milestone', { exact: true }).selectOption(other.milestoneId)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Continue writing' }).click()
  await expect(page.getByText('The changes that you had not saved are back.')).toBeVisible()
  await expect(day).toHaveValue('2024-02-29')
  await expect(dialog.getByLabel('Milestone', { exact: true })).toHaveValue(other.milestoneId)
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await expect(day).not.toHaveValue('2024-02-29')
  await expect(dialog.getByLabel('Milestone', { exact: true })).toHaveValue(milestoneId)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await dialog.getByLabel('Project', { exact: true }).selectOption(other.projectId)
  await dialog.getByLabel('Milestone', { exact: true }).selectOption(other.milestoneId)
  await dialog.getByRole('button', { name: 'Update Entry' }).click()
  const moved = `/projects/${other.projectId}/milestones/${other.milestoneId}/entries/${entryId}`
  await expect(page).toHaveURL(moved)
  await page.goBack()
  await expect(page).toHaveURL(moved)
  await expect(page.getByRole('heading', { level: 1, name: 'Rye' })).toBeVisible()
})

const leavings: [string, (page: Page) => Promise<unknown>][] = [
  ['Escape', (page) => page.keyboard.press('Escape')],
  ['Back', (page) => page.goBack()],
  ['a reload', (page) => page.reload()],
]

for (const [way, leave] of leavings) {
  test(`a tag that is still being typed survives ${way}`, { tag: '@long' }, async ({ page, me }) => {
    const { listPath } = await createJournal(me, [{ title: 'Rye', tags: ['bread'] }])
    await openApp(page, listPath)
    await page.getByRole('button', { name: 'Edit entry Rye' }).click()
    await expect(page.getByLabel('Title')).toBeFocused()
    await expectLayers(page, 1)
    await page.getByLabel('Tags').pressSequentially('oven')
    await leave(page)
    if (way !== 'a reload') {
      await expect(page.getByText(/^Your changes are kept/)).toBeVisible()
      await expectAllClosed(page)
      await page.getByRole('button', { name: 'Edit entry Rye' }).click()
    }
    await expect(page.getByText('The changes that you had not saved are back.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Remove tag oven' })).toBeVisible()
  })
}

test('a draft that was cleared is not restored', { tag: '@long' }, async ({ page, me }) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  const write = page.getByRole('button', { name: 'Add your first entry' })
  await write.click()
  await page.getByLabel('Title').fill('Rye')
  await expect(page.getByText(/^Saved on the server/)).toBeVisible()
  await page.getByLabel('Title').fill('')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('entryDraft'))).toBeNull()
  await write.click()
  await expect(page.getByLabel('Title')).toHaveValue('')
})

test('a draft from another milestone is offered with the name of that milestone', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const first = await createJournal(me)
  await page.goto(first.listPath)
  const write = page.getByRole('button', { name: 'Add your first entry' })
  await write.click()
  await page.getByLabel('Title').fill('Rye')
  await expect(page.getByText(/^Saved on the server/)).toBeVisible()

  const second = await createJournal(me)
  await page.goto(second.listPath)
  await write.click()
  const dialog = page.getByRole('dialog', { name: 'Add Entry' })
  const question = dialog.getByText('Unfinished: “Rye” from milestone The first loaf of project A bakery.')
  await expect(question).toBeVisible()
  await expectFitting(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await write.click()
  await dialog.getByRole('button', { name: 'Use here' }).click()
  await expect(page.getByLabel('Title')).toHaveValue('Rye')
  await expect(page.getByLabel('Title')).toBeFocused()
  await page.keyboard.press('Escape')
  await expectAllClosed(page)

  await page.goto(first.listPath)
  await write.click()
  await expect(question).toBeVisible()
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByLabel('Title')).toHaveValue('')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('entryDraft'))).toBeNull()
})

test('name and email survive a refused attempt, a reload and a switch between sign-in and registration; passwords do not', {
  tag: '@long',
}, async ({ page }) => {
  await openApp(page, '/login')
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
