import { randomInt, randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { Account } from '#testing/account.ts'
import { createJournal } from '#testing/journal.ts'
import { typeThrough } from '#verification/chaos/typing.ts'
import { expectAccessible, expectFitting } from './fixtures/accessibility.ts'
import { expectContent, replaceContent } from './fixtures/editor.ts'
import { blockRequests, expect, expectAllClosed, openApp, test, withoutEvents } from './fixtures/journey.ts'

const status = (page: Page) => page.getByRole('status').filter({ hasText: /server|browser|Not saved|Saving/ })
const onServer = (page: Page) => expect(status(page)).toHaveText(/^Saved on the server \d\d:\d\d:\d\d$/)

const drafts = async (me: Account) => (await me.call('listDrafts', { query: {} })).drafts
const titles = async (me: Account) => (await drafts(me)).map(({ title }) => title).toSorted()

test('an entry is scheduled by the clock of its writer, not of the device, and its list and the composer say for when', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath } = await createJournal(me)
  await me.call('updateDatePreferences', { body: { timeZone: 'Asia/Tokyo', dateFormat: 'iso' } })
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await page.getByLabel('Title').fill('Rye')
  await page.getByLabel('Content').fill('Fed at nine')
  await page.getByRole('button', { name: 'Set a time' }).click()
  const time = page.getByLabel('Publish at')
  await expect(time).toBeFocused()
  await expect(time).toHaveAccessibleDescription('Asia/Tokyo')
  await time.fill('2099-03-04T07:30')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  await expect(page.getByText('Entry created successfully')).toBeVisible()
  await expectAllClosed(page)
  await page.reload()
  await expect(page.getByText(/Scheduled for 2099-03-04,? 07:30/)).toBeVisible()
  await page.getByRole('button', { name: 'Edit entry Rye' }).click()
  await expect(page.getByText(/Scheduled for .*2099.*Until then only you can see it/)).toBeVisible()
})

test('a draft is saved on the server and continued in another browser', { tag: '@long' }, async ({
  page,
  me,
  browser,
  baseURL,
}) => {
  const { listPath, milestoneId } = await createJournal(me)
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await page.getByLabel('Title').fill('Rye')
  await page.getByLabel('Content').fill('Fed at nine')
  await onServer(page)
  await expect.poll(() => drafts(me)).toMatchObject([{ title: 'Rye', excerpt: 'Fed at nine', canEdit: true }])

  const elsewhere = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await signIn(elsewhere, me, baseURL ?? '')
  await openApp(elsewhere, '/dashboard')
  const list = elsewhere.getByRole('region', { name: 'Drafts' })
  const focused = elsewhere.locator('*:focus')
  await expect(list.getByText('New entry in A bakery / The first loaf')).toBeVisible()
  await expectFitting(elsewhere)
  const search = elsewhere.getByLabel('Search projects')
  await search.fill('nothing of the kind')
  await expect(list).toHaveCount(0)
  await search.fill('')
  await list.getByRole('button', { name: 'Discard Rye' }).click()
  await expect(list).toHaveCount(0)
  await expect(focused, 'the list had it').toHaveAttribute('id', 'main')
  await elsewhere.getByRole('button', { name: 'Undo' }).click()
  await expect(focused, 'it was there before').toHaveAttribute('id', 'main')
  await list.getByRole('button', { name: 'Continue Rye' }).click()
  await expect(elsewhere.getByText('Your draft is back.')).toBeVisible()
  await expectContent(elsewhere.getByLabel('Content'), 'Fed at nine')
  await replaceContent(elsewhere.getByLabel('Content'), 'Fed at nine, on the phone')
  await onServer(elsewhere)

  // Here, the older text is still open: continuing does not overwrite the other device's text.
  await page.getByLabel('Title').fill('Rye, at the desk')
  await expect(page.getByText('Another device has changed this draft.')).toBeVisible()
  await page.getByText('The text from the other device').click()
  await expect(page.getByText('Fed at nine, on the phone')).toBeVisible()
  await onServer(page)
  await expectAccessible(page)
  await expect.poll(() => titles(me)).toEqual(['Rye', 'Rye, at the desk'])

  await elsewhere.getByRole('button', { name: 'Create Entry' }).click()
  await expect(elsewhere.getByText('Entry created successfully')).toBeVisible()
  await expect.poll(() => titles(me)).toEqual(['Rye, at the desk'])
  const entries = await me.call('listEntries', { params: { milestoneId } })
  expect(entries).toMatchObject([{ title: 'Rye', content: 'Fed at nine, on the phone' }])
  await elsewhere.context().close()
})

test('another device opens the draft of an entry first, with the saved version beside it', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath, entries, milestoneId } = await createJournal(me, [{ title: 'Rye' }])
  const entry = entries[0]?._id ?? ''
  const params = { draftId: '0199f1f0-0000-7000-8000-00000000d4af' }
  const body = {
    title: 'Rye',
    content: 'From the phone',
    tags: [],
    entry,
    milestone: milestoneId,
    baseVersion: 1,
  }
  await me.call('saveDraft', { params, body })
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Edit entry Rye' }).click()
  await expect(page.getByText('The changes that you had not saved are back.')).toBeVisible()
  await expectContent(page.getByLabel('Content'), 'From the phone')
  await onServer(page)
  await page.getByText('Show the saved text').click()
  await expect(page.getByRole('dialog').getByText('Fed the starter.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Discard' }).click()
  await expectContent(page.getByLabel('Content'), 'Fed the starter.')
  await expect.poll(() => drafts(me)).toEqual([])

  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expectContent(page.getByLabel('Content'), 'From the phone')
  await onServer(page)
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => drafts(me)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('list', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await drafts(me)).length).toBe(1)
  await page.getByRole('button', { name: 'Edit entry Rye' }).click()
  await expectContent(page.getByLabel('Content'), 'From the phone')
})

test('a browser without a local draft offers unfinished entries from the server, and keeps its own input', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath, milestoneId } = await createJournal(me)
  const { milestoneId: elsewhere } = await createJournal(me)
  const leave = (digit: number, title: string, milestone: string) =>
    me.call('saveDraft', {
      params: { draftId: `0199f1f0-0000-7000-8000-00000000000${digit}` },
      body: { title, content: 'Fed at nine', tags: [], milestone },
    })
  await leave(1, 'Rye', milestoneId)
  await leave(2, 'Not of here', elsewhere)
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await expect(page.getByText('Unfinished: “Rye”')).toBeVisible()
  await expectFitting(page)
  await page.getByLabel('Title').fill('Wheat')
  await page.getByRole('button', { name: 'Continue Rye' }).click()
  await expect(page.getByText('Your draft is back.')).toBeVisible()
  await expect(page.getByLabel('Title')).toHaveValue('Rye')
  await onServer(page)
  await expect.poll(() => titles(me)).toEqual(['Not of here', 'Rye', 'Wheat'])

  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(page.getByText('Entry created successfully')).toBeVisible()
  await page.getByRole('button', { name: 'Add Entry' }).first().click()
  await page.getByRole('button', { name: 'Discard Wheat' }).click()
  await expect(page.getByText('Unfinished:')).toHaveCount(0)
  await expect.poll(() => titles(me)).toEqual(['Not of here'])
})

test('the status line says when a draft is not saved on the server, and when it is again', {
  tag: '@long',
}, async ({ page, me, context }) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await page.getByLabel('Title').fill('Rye')
  await onServer(page)
  await context.setOffline(true)
  await page.getByLabel('Title').fill('Rye bread')
  await expect(status(page)).toHaveText('Kept in this browser only: no connection')
  await expectAccessible(page)
  expect(await drafts(me)).toMatchObject([{ title: 'Rye' }])
  await context.setOffline(false)
  await onServer(page)
  await expect.poll(() => drafts(me)).toMatchObject([{ title: 'Rye bread' }])

  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await page.route('**/api/drafts/*', (route) =>
    route.fulfill({ status: 503, json: { code: 'unavailable', message: 'Busy' } }),
  )
  await page.getByLabel('Title').fill('Rye and wheat')
  await expect(status(page)).toHaveText('Not saved: the server is busy')
  await page.unrouteAll()
  await page.getByLabel('Title').fill('Rye and wheat bread')
  await onServer(page)
})

test('Undo restores a discarded draft, even after a failure, and is not offered for one that was discarded elsewhere', {
  tag: '@long',
}, async ({ page, me }) => {
  const { milestoneId: milestone } = await createJournal(me)
  const draftId = randomUUID()
  const body = { title: 'Rye', content: 'Fed at nine', tags: [], entry: null, milestone, baseVersion: null }
  await me.call('saveDraft', { params: { draftId }, body: { ...body, coverFile: null } })
  await withoutEvents(page)
  await openApp(page, '/dashboard')
  const discard = page.getByRole('button', { name: 'Discard Rye' })
  const undo = page.getByRole('button', { name: 'Undo' })
  const failed = page.getByText('The draft could not be brought back.')
  const fail = (method: string) =>
    page.route('**/api/drafts/*', (route) =>
      route.request().method() === method ? route.fulfill({ status: 500 }) : route.fallback(),
    )

  await fail('PUT')
  await discard.click()
  await undo.click()
  await expect(failed).toBeVisible()
  await page.unroute('**/api/drafts/*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(discard).toBeVisible()
  await expect.poll(() => titles(me)).toEqual(['Rye'])

  await fail('DELETE')
  await discard.click()
  await expect(page.getByText('The draft could not be discarded.')).toBeVisible()
  await expect(discard, 'it is still on the server').toBeVisible()
  await page.unroute('**/api/drafts/*')

  await me.call('discardDraft', { params: { draftId } })
  await discard.click()
  await expect(page.getByText('This draft was saved or discarded elsewhere')).toBeVisible()
  await expect(undo).toHaveCount(0)
  await expect(discard).toHaveCount(0)
})

test('the focus falls back to the main element if it is lost before its code has loaded', {
  tag: '@long',
}, async ({ page, me }) => {
  await me.call('saveDraft', {
    params: { draftId: randomUUID() },
    body: { title: 'Rye', content: 'Fed at nine' },
  })
  const release = await blockRequests(page, /\/keep-focus-[^/]+\.js$/)
  await openApp(page, '/dashboard')
  await page.getByLabel('Search projects').focus()
  const list = page.getByRole('region', { name: 'Drafts' })
  await list.getByRole('button', { name: 'Discard Rye' }).click()
  await expect(list).toHaveCount(0)
  release()
  await expect(page.locator('*:focus')).toHaveAttribute('id', 'main')
})

test('a draft that was discarded in the meantime offers no empty text to copy', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const draftId = randomUUID()
  await me.call('saveDraft', { params: { draftId }, body: { title: 'Rye', content: 'Fed at nine' } })
  await withoutEvents(page)
  await openApp(page, '/dashboard')
  const fetchText = page.getByRole('button', { name: 'Fetch text' })
  await expect(fetchText).toBeVisible()
  await me.call('discardDraft', { params: { draftId } })
  await fetchText.click()
  await expect(page.getByText('This draft was saved or discarded elsewhere')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Drafts' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Copy content' })).toHaveCount(0)
})

test('fetching the text of a draft shows that it takes time, and leaves the focus on the button that copies it', {
  tag: '@long',
}, async ({ page, me }) => {
  const draftId = randomUUID()
  await me.call('saveDraft', { params: { draftId }, body: { title: 'Rye', content: 'Fed at nine' } })
  await openApp(page, '/dashboard')
  const fetchText = page.getByRole('button', { name: 'Fetch text' })
  const release = await blockRequests(page, `**/api/drafts/${draftId}`)
  await fetchText.press('Enter')
  await expect(fetchText).toHaveAttribute('aria-busy', 'true')
  release()
  await expect(page.getByRole('button', { name: 'Copy content' })).toBeFocused()
})

test('saving an entry deletes its draft, even if the editor was closed during a failed attempt to save', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath, milestoneId } = await createJournal(me, [{ title: 'Wheat' }])
  await openApp(page, listPath)
  const add = page.getByRole('button', { name: 'Add Entry', exact: true })
  const create = page.getByRole('button', { name: 'Create Entry' })
  await page.route('**/api/drafts/*', (route) => route.abort()) // nothing reaches the server before the first attempt
  await add.click()
  await page.getByLabel('Title').fill('Rye')
  await replaceContent(page.getByLabel('Content'), 'It rose.')
  const entries = `**/api/milestones/${milestoneId}/entries`
  const answer = await blockRequests(page, entries, 'POST')
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().includes(milestoneId),
  )
  await create.click()
  await sent
  await page.keyboard.press('Escape')
  await expect(create).toBeHidden()
  await page.unroute('**/api/drafts/*')
  await add.click()
  answer({ status: 500, json: {} })
  await expect(page.getByLabel('Title')).toHaveValue('Rye')
  await page.unroute(entries)
  await create.click()
  await expect(page.getByRole('link', { name: 'Rye', exact: true })).toBeVisible()
  await expect.poll(async () => (await me.call('listDrafts', {})).drafts).toEqual([])
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'A bakery' })).toBeVisible()
  expect((await me.call('listDrafts', {})).drafts).toEqual([])
})

test('a draft whose project was deleted says so, even if there is no other milestone for it', {
  tag: '@long',
}, async ({ page, me }) => {
  const { projectId, milestoneId } = await createJournal(me)
  const body = { title: 'Rye', content: 'Fed at nine', milestone: milestoneId }
  await me.call('saveDraft', { params: { draftId: randomUUID() }, body })
  await me.call('deleteProject', { params: { projectId } })
  await openApp(page, '/dashboard')
  const list = page.getByRole('region', { name: 'Drafts' })
  await expect(list).toContainText('What it was written for was deleted, or is no longer shared with you')
  await list.getByRole('button', { name: 'Use elsewhere Rye' }).click()
  const composer = page.getByRole('dialog', { name: 'Add Entry' })
  await expect(composer).toContainText(
    'What this draft was written for was deleted, or is no longer shared with you.',
  )
  await expectFitting(page)
})

async function signIn(page: Page, account: Account, origin: string): Promise<void> {
  const cookies = account.cookie.split('; ').map((cookie) => {
    const [name = '', value = ''] = cookie.split(/=(.*)/s)
    return { name, value, url: origin, httpOnly: true, sameSite: 'Lax' as const }
  })
  await page.context().addCookies(cookies)
  await page.goto('/robots.txt')
  await page.evaluate((token) => localStorage.setItem('token', token), account.token)
}

test('typed text survives a crash of the browser and of the server', { tag: '@long' }, async () => {
  const { claims, lostMs } = await typeThrough(4, randomInt(2 ** 31))
  expect(lostMs).toHaveLength(2)
  expect(claims).toBeGreaterThan(0)
})

test('an unfinished entry is kept among the drafts while another one is written', {
  tag: '@long',
}, async ({ page, me }) => {
  const first = await createJournal(me)
  const second = await createJournal(me)
  const write = page.getByRole('button', { name: 'Add your first entry' })
  const title = page.getByLabel('Title')
  await openApp(page, first.listPath)
  await write.click()
  await title.fill('Rye')
  await expect(page.getByText(/^Saved on the server/)).toBeVisible()
  await openApp(page, second.listPath)
  await write.click()
  await expect(page.getByText('Unfinished: “Rye”')).toBeVisible()
  await expectFitting(page)
  await page.getByRole('button', { name: 'Keep it and start a new entry' }).click()
  await expect(title).toHaveValue('')
  await expect(title).toBeFocused()
  await title.fill('Wheat')
  await replaceContent(page.getByLabel('Content'), 'It rose.')
  await expect(page.getByText(/^Saved on the server/)).toBeVisible()
  const titles = async () => (await me.call('listDrafts', {})).drafts.map((draft) => draft.title).sort()
  await expect.poll(titles).toEqual(['Rye', 'Wheat'])
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(title).toHaveCount(0)
  await expect.poll(titles).toEqual(['Rye'])
})

test('an untouched composer takes the newer text of another device, and keeps what was typed here', {
  tag: '@long',
}, async ({ page, me, browser, baseURL }) => {
  const { listPath, milestoneId, entries } = await createJournal(me, [{ title: 'Rye' }])
  const params = { milestoneId, entryId: entries[0]?._id ?? '' }
  const content = page.getByLabel('Content')
  const update = (text: string) => me.call('updateEntry', { params, body: { content: text } })
  await openApp(page, listPath)
  await page.getByRole('button', { name: 'Edit entry Rye' }).click()
  await expectContent(content, 'Fed the starter.')
  await content.focus()
  await update('Fed on the phone.')
  await expectContent(content, 'Fed on the phone.')
  await expect(content).toBeFocused()
  await expect(page.getByRole('dialog')).toHaveCount(1)

  const elsewhere = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  const there = elsewhere.getByLabel('Content')
  await signIn(elsewhere, me, baseURL ?? '')
  await openApp(elsewhere, listPath)
  await elsewhere.getByRole('button', { name: 'Edit entry Rye' }).click()
  await expectContent(there, 'Fed on the phone.')
  await replaceContent(there, 'Fed on the phone, twice.')
  await onServer(elsewhere)
  await expectContent(content, 'Fed on the phone, twice.')
  await expect(page.getByText('The changes that you had not saved are back.')).toBeVisible()
  await replaceContent(there, 'Fed on the phone, thrice.')
  await expectContent(content, 'Fed on the phone, thrice.')

  await replaceContent(content, 'Fed at the desk.')
  await onServer(page)
  await update('Fed by others.')
  await expect.poll(() => elsewhere.getByText('Fed by others.').count()).toBeGreaterThan(0)
  await expectContent(content, 'Fed at the desk.')
  await elsewhere.context().close()
})
