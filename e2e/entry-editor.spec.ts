import type { Page } from '@playwright/test'
import { signUp } from '#testing/account.ts'
import { createJournal } from '#testing/journal.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import { expectContent, replaceContent } from './fixtures/editor.ts'
import {
  blockRequests,
  expect,
  expectAllClosed,
  expectLayers,
  openApp,
  sizes,
  stopTime,
  test,
} from './fixtures/journey.ts'

const storedDraft = (page: Page) => page.evaluate(() => localStorage.getItem('entryDraft'))

test('the first entry is written with tags and a preview', async ({ page, me }) => {
  const { listPath, milestoneId } = await createJournal(me)
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(page.getByText('Title is required')).toBeVisible()
  await expect(page.getByText('Content is required')).toBeVisible()
  await expectAccessible(page)

  await page.getByLabel('Title').fill('Rye')
  const typed = '\nIt **rose**.  \n\n    - twice\n'
  await page.getByLabel('Content').fill(typed)
  const tags = page.getByLabel('Tags')
  await tags.pressSequentially('bread, bread,  ,oven')
  await tags.press('Enter')
  await expect(page.getByRole('button', { name: /^Remove tag/ })).toHaveCount(2)
  await tags.press('Backspace')
  await expect(page.getByRole('button', { name: /^Remove tag/ })).toHaveCount(1)
  await page.getByRole('tab', { name: 'Preview' }).click()
  await expect(page.locator('strong', { hasText: 'rose' })).toBeVisible()
  await expectAccessible(page)

  const release = await blockRequests(page, '**/entries', 'POST')
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeVisible()
  release()
  await expect(page.getByText('Entry created successfully')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Rye' })).toBeVisible()
  await expect(page.getByText('1 entry', { exact: true })).toBeVisible()
  const [entry] = (await me.call('listEntries', { params: { milestoneId } })) as { content: string }[]
  expect(entry?.content).toBe(typed)
})

test('a draft is stored two seconds after the last change and removed once the entry is saved', async ({
  page,
  me,
}) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await stopTime(page)
  await page.getByLabel('Tags').pressSequentially('oven,')
  await page.clock.runFor(2500)
  await expect(page.getByText(/^Saved on the server/)).toBeVisible() // the response needs real time, which is not stopped
  expect(await storedDraft(page)).toBeNull()

  await page.getByLabel('Tags').pressSequentially('rye、')
  await expect(page.getByText('Saving...').first()).toBeVisible()
  await page.keyboard.press('Control+s')
  await expect(page.getByText(/^Saved on the server/)).toBeVisible()
  await page.getByRole('button', { name: 'Remove tag rye' }).click()

  await page.getByLabel('Title').fill('Rye')
  await page.clock.runFor(1900)
  expect(await storedDraft(page)).toBeNull()
  await page.clock.runFor(200)
  await expect(page.getByText(/^Saved on the server/)).toBeVisible()
  await page.clock.resume()
  const stored = async () => JSON.parse((await storedDraft(page)) ?? 'null')
  await expect.poll(stored).toEqual({ title: 'Rye', content: '', tags: ['oven'] })

  await page.keyboard.press('Escape')
  await expect(page.getByText('Your draft is kept on the server')).toBeVisible()
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await expect(page.getByText('Your draft is back.')).toBeVisible()
  await expect(page.getByLabel('Title')).toHaveValue('Rye')
  await expect(page.getByLabel('Title')).toBeFocused()
  await replaceContent(page.getByLabel('Content'), 'It rose.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Entry created successfully')).toBeVisible()
  await expect.poll(() => storedDraft(page)).toBeNull()
})

test('a draft is kept for its author while somebody else uses the browser', { tag: '@long' }, async ({
  page,
  me,
  baseURL,
}) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await page.getByLabel('Title').fill('Dear diary')
  await expect(page.getByText(/^Saved on the server/)).toBeVisible()

  const other = await createJournal(await signUp(page, baseURL ?? '', 'Grace Hopper'))
  await page.goto(other.listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await expect(page.getByLabel('Title')).toHaveValue('')
  await expect(page.getByText('Your draft is back.')).toBeHidden()
  await expect.poll(() => storedDraft(page)).toContain('Dear diary')
})

test('the toolbar and its shortcuts format the text, and Undo reverts it', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  const content = page.getByLabel('Content')
  await page.getByLabel('Title').fill('Rye')
  await page.keyboard.press('Enter')
  await page.keyboard.type('rose')
  await page.keyboard.press('Shift+Home')
  await page.keyboard.press('Control+b')
  await expectContent(content, '**rose**')
  await page.keyboard.press('Control+z')
  await expectContent(content, 'rose')
  await page.getByRole('button', { name: 'Bulleted list' }).click()
  await expectContent(content, '- rose')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('cooled')
  await expectContent(content, '- rose\n- cooled')
})

test('a failed save keeps all input and shows an error message', async ({ page, me }) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await page.getByLabel('Title').fill('Rye')
  await page.getByLabel('Content').fill('It rose.')
  await page.route('**/entries', (route) => route.abort())
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(page.getByText('Failed to create entry')).toBeVisible()
  await expect(page.getByText('What you wrote is still here.')).toBeVisible()
  await expectContent(page.getByLabel('Content'), 'It rose.')
})

test('a draft that cannot be saved leaves the focus on the button', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await page.getByLabel('Title').fill('Rye')
  await page.getByLabel('Content').fill('It rose.')
  const release = await blockRequests(page, '**/entries')
  const save = page.getByRole('button', { name: 'Save as draft' })
  await save.press('Enter')
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeVisible()
  await expect(save).toBeFocused()
  release({ status: 500, json: { code: 'internal', message: 'Something went wrong' } })
  await expect(page.getByText('What you wrote is still here.')).toBeVisible()
  await expect(save).toBeFocused()
})

test('a tag that is too long takes the focus when the entry is saved', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await page.getByLabel('Title').fill('Rye')
  await page.getByLabel('Content').fill('It rose.')
  const tags = page.getByRole('textbox', { name: 'Tags' })
  await tags.fill('y'.repeat(51))
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(page.getByText('A tag must be at most 50 characters')).toBeVisible()
  await expect(tags).toBeFocused()
})

test('an entry that cannot be published stays a draft, with the focus on the button', {
  tag: '@long',
}, async ({ page, me }) => {
  const { projectId, milestoneId } = await createJournal(me)
  const body = { title: 'Rye', content: 'It rose.', state: 'draft' as const }
  const { _id } = await me.call('createEntry', { params: { milestoneId }, body })
  await page.goto(`/projects/${projectId}?edit=${_id}&milestone=${milestoneId}`)
  const publish = page.getByRole('button', { name: 'Publish' })
  const state = page.getByRole('region', { name: 'State' })
  await expect(publish).toBeVisible()
  const release = await blockRequests(page, `**/entries/${_id}`)
  await publish.press('Enter')
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeVisible()
  await expect(state).toContainText('Only you can see it.')
  await expect(publish).toBeFocused()
  release({ status: 500, json: { code: 'internal', message: 'Something went wrong' } })
  await expect(page.getByText('What you wrote is still here.')).toBeVisible()
  await expect(state).toContainText('Only you can see it.')
  await expect(publish).toBeFocused()
})

test('an entry whose response is lost is saved once, without an error message', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { listPath, milestoneId } = await createJournal(me)
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await page.getByLabel('Title').fill('Rye')
  await page.getByLabel('Content').fill('It rose.')
  await page.route(
    '**/entries',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(page.getByText('Entry created successfully')).toBeVisible()
  await expect(page.getByText('Failed to create entry')).toHaveCount(0)
  expect(await me.call('listEntries', { params: { milestoneId } })).toHaveLength(1)
})

test('an entry whose response was lost is created once, however often the request is retried', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await page.getByLabel('Title').fill('Rye')
  await replaceContent(page.getByLabel('Content'), 'It rose.')
  const isCreation = (url: URL) => /\/api\/milestones\/[^/]+\/entries$/.test(url.pathname)
  let isStored = false
  await page.route(isCreation, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    if (!isStored) await route.fetch()
    isStored = true
    await route.abort()
  })
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('What you wrote is still here.').first()).toBeVisible()
  await page.unroute(isCreation)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Entry created successfully')).toBeVisible()
  await expect(page.getByText('Showing 1-1 of 1 entries')).toBeVisible()
  await expectAllClosed(page)
  await page.reload()
  await expect(page.getByText('Showing 1-1 of 1 entries')).toBeVisible()
  await expect.poll(async () => (await me.call('listDrafts', {})).drafts).toEqual([])
})

test('Back keeps unsaved text as a draft, says so, and offers to continue it', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { listPath } = await createJournal(me, [{ title: 'Rye' }])
  const release = await blockRequests(page, '**/api/drafts/*')
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Edit entry Rye' }).click()
  await page.getByLabel('Title').fill('Wheat')
  await expectLayers(page, 1)
  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByText('Your changes are kept in this browser only')).toBeVisible()
  release()
  await expect(page.getByRole('link', { name: 'Rye' })).toBeVisible()
  await page.getByRole('button', { name: 'Continue writing' }).click()
  await expect(page.getByRole('dialog', { name: 'Edit Entry' })).toBeVisible()
  await expect(page.getByText('The changes that you had not saved are back.')).toBeVisible()
  await expect(page.getByLabel('Title')).toHaveValue('Wheat')
})

test('a composer that is closed while saving reports the result and does not navigate', {
  tag: '@long',
}, async ({ page, me }) => {
  const { entryPath } = await createJournal(me, [{ title: 'Rye' }])
  await openApp(page, entryPath(0))
  const heading = (name: string) => page.getByRole('heading', { level: 1, name })
  async function leaveWhileSaving(title: string) {
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Title').fill(title)
    const release = await blockRequests(page, /\/entries\/[\w-]+$/, 'PUT')
    await page.getByRole('button', { name: 'Update Entry' }).click()
    await expect(page.getByRole('button', { name: 'Saving...' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page).toHaveURL(entryPath(0))
    await expect(page.getByText('Continue writing')).toHaveCount(0)
    return release
  }

  const save = await leaveWhileSaving('Wheat')
  save()
  await expect(page.getByText('Entry updated successfully')).toBeVisible()
  await expect(heading('Wheat')).toBeVisible()
  await expect(page).toHaveURL(entryPath(0))

  await page.unrouteAll()
  const refuse = await leaveWhileSaving('Oat')
  refuse({ status: 500, json: { code: 'unexpected', message: 'Something went wrong' } })
  await expect(page.getByText('Failed to update entry')).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Continue writing' }).click()
  await expect(page.getByLabel('Title')).toHaveValue('Oat')
})

test('an entry that is written while the previous one is being saved is a separate entry', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath, milestoneId } = await createJournal(me)
  await openApp(page, listPath)
  const title = page.getByLabel('Title')
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await title.fill('Rye')
  await replaceContent(page.getByLabel('Content'), 'It rose.')
  const release = await blockRequests(page, /\/entries$/, 'POST')
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expectAllClosed(page)
  await page.getByRole('button', { name: 'Write', exact: true }).click()
  await expect(page.getByText('Saving what you wrote before…')).toBeVisible()
  release()
  await expect(title).toHaveValue('')
  await title.fill('Wheat')
  await replaceContent(page.getByLabel('Content'), 'It fell.')
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expectAllClosed(page)
  const written = () => me.call('listEntries', { params: { milestoneId } })
  await expect.poll(written).toMatchObject([{ title: 'Wheat' }, { title: 'Rye' }])
  await expect.poll(async () => (await me.call('listDrafts', {})).drafts).toEqual([])
})

test('an entry that could not be saved is restored in a composer opened in the meantime', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath } = await createJournal(me)
  await openApp(page, listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await page.getByLabel('Title').fill('Rye')
  await replaceContent(page.getByLabel('Content'), 'It rose.')
  const settle = await blockRequests(page, /\/entries$/, 'POST')
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expectAllClosed(page)
  await page.getByRole('button', { name: 'Write', exact: true }).click()
  await expect(page.getByText('Saving what you wrote before…')).toBeVisible()
  settle({ status: 500, json: { code: 'unexpected', message: 'Something went wrong' } })
  await expect(page.getByText('Your draft is back.')).toBeVisible()
  await expect(page.getByLabel('Title')).toHaveValue('Rye')
})

test('concurrent edits of an entry by two people lose neither text', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { listPath, entries, milestoneId } = await createJournal(me, [{ title: 'Rye' }])
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Edit entry Rye' }).click()
  await replaceContent(page.getByLabel('Content'), 'Mine.')
  await me.call('updateEntry', {
    params: { milestoneId, entryId: entries[0]?._id ?? '' },
    body: { title: 'Rye bread', content: 'Theirs.', tags: [] },
  })
  await page.keyboard.press('Control+Enter')
  const dialog = page.getByRole('dialog')
  const pieces = dialog.getByRole('group', { name: 'Text' })
  await expect(pieces.getByText('Mine.')).toBeVisible()
  await expect(pieces.getByText('Theirs.')).toBeVisible()
  await page.getByRole('button', { name: 'Keep all of the other one' }).click()
  await expect(page.getByLabel('Title')).toHaveValue('Rye bread')
  await page.getByText('Your text, put aside').click()
  await expect(dialog.getByText('Mine.')).toBeVisible()
  await replaceContent(page.getByLabel('Content'), 'Theirs and mine.')
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByText('Entry updated successfully')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Entries' }).getByText('Theirs and mine.')).toBeVisible()
})

test('after a conflict, the composer shows the date of the chosen version, which can be changed back', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath, entries, milestoneId } = await createJournal(me, [{ title: 'Rye' }])
  const params = { milestoneId, entryId: entries[0]?._id ?? '' }
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Edit entry Rye' }).click()
  await replaceContent(page.getByLabel('Content'), 'Mine.')
  const date = page.getByLabel('Date', { exact: true })
  const day = await date.inputValue()
  const then = { happenedAt: '2024-02-29T12:00:00Z', happenedZone: 'UTC' }
  await me.call('updateEntry', { params, body: { title: 'Rye', content: 'Theirs.', tags: [], ...then } })
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: 'Keep all of the other one' }).click()
  await expect(date).toHaveValue('2024-02-29')
  await date.fill(day)
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByText('Entry updated successfully')).toBeVisible()
  expect(await me.call('readEntry', { params })).toMatchObject({ content: 'Theirs.', happenedOn: day })
})

for (const [size, viewport] of Object.entries(sizes)) {
  test(`the editor is accessible on a ${size}`, { tag: '@long' }, async ({ page, me }) => {
    await page.setViewportSize(viewport)
    const { listPath } = await createJournal(me)
    await page.goto(listPath)
    await page.getByRole('button', { name: 'Add your first entry' }).click()
    await page.getByRole('button', { name: 'Create Entry' }).click()
    await expect(page.getByText('Title is required')).toBeVisible()
    await expectAccessible(page)
    await page.getByLabel('Content').fill('# Rye\n\n- [x] fed')
    await page.getByRole('tab', { name: 'Preview' }).click()
    await expectAccessible(page)
  })
}
