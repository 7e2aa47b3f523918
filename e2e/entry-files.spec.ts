import { truncate, writeFile } from 'node:fs/promises'
import type { Page, Request } from '@playwright/test'
import { createJournal } from '#testing/journal.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import { addFiles, jpeg, uploadsDone } from './fixtures/files.ts'
import {
  blockRequests,
  expect,
  expectAllClosed,
  expectNoSidewaysScroll,
  sizes,
  test,
  waitUntilReady,
} from './fixtures/journey.ts'

const isUpload = (request: Request) => request.method() === 'PUT' && request.url().includes('/content')
const isSave = (request: Request) => request.method() === 'POST' && request.url().endsWith('/entries')

async function write(page: Page, title: string) {
  await page.getByRole('button', { name: /^Add (your first entry|Entry)$/ }).click()
  await page.getByLabel('Title').fill(title)
  return page.getByLabel('Content')
}

const loaves = (count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, index) => jpeg(`loaf-${index + 1}.jpg`, '#b5763a', 240 + index, 160)),
  )

/** More than the number of simultaneous uploads. */
const PICTURES = 8

/** Returns the number of drawn pictures of the page. */
const drawn = (page: Page) =>
  page
    .locator('.gallery img:not(.media-blur)')
    .evaluateAll((images) => images.filter((image) => (image as HTMLImageElement).naturalWidth > 0).length)

test('an upload without progress for five minutes is sent again', { tag: '@long' }, async ({ page, me }) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  const content = await write(page, 'A loaf')
  await page.clock.install()
  let attempts = 0
  await page.route('**/api/files/*/content', async (route) => {
    attempts += 1
    if (attempts > 1) await route.continue()
    // The first attempt never ends.
  })
  await addFiles(content, 'paste', await loaves(1))
  await expect.poll(() => attempts).toBe(1)
  await page.clock.runFor(200_000)
  expect(attempts).toBe(1)
  await page.clock.runFor(100_000)
  await expect.poll(() => attempts).toBe(2)
  await uploadsDone(page)
})

test('a text with many pictures is saved immediately, and a reload during the upload loses none', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath, milestoneId } = await createJournal(me)
  await page.goto(listPath)
  const finished: string[] = []
  page.on('response', (response) => {
    if (!response.ok()) return
    if (isUpload(response.request())) finished.push('upload')
    if (isSave(response.request())) finished.push('save')
  })
  const uploaded = () => finished.filter((what) => what === 'upload').length
  await page.route('**/api/files/*/content', async (route) => {
    if (uploaded() < 3) await route.continue()
    // The other uploads never end.
  })
  const content = await write(page, 'Many loaves')
  await addFiles(content, 'paste', await loaves(PICTURES))
  await expect(page.getByRole('figure', { name: `loaf-${PICTURES}.jpg` })).toBeVisible()
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(page.getByText('Entry created successfully')).toBeVisible()
  expect(finished.indexOf('save')).toBeLessThan(PICTURES)
  await expect(page.getByText(new RegExp(`^Uploading \\d+ of ${PICTURES}…$`))).toBeVisible()
  const [entry] = (await me.call('listEntries', { params: { milestoneId } })) as {
    _id: string
    content: string
  }[]
  expect(entry?.content.match(/!\[\]\(\/files\//g)).toHaveLength(PICTURES)
  await expect.poll(uploaded).toBeGreaterThanOrEqual(3)

  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.reload()
  // Each picture is inspected by a separate process, one after the other.
  const params = { milestoneId, entryId: entry?._id ?? '' }
  const ready = async () => (await me.call('readEntry', { params })).html.match(/media-blur/g)?.length
  await expect.poll(ready, { timeout: 160_000 }).toBe(PICTURES)
  await page.getByRole('link', { name: 'Many loaves' }).click()
  await expect(page.locator('.gallery img:not(.media-blur)')).toHaveCount(PICTURES)
  await page.locator('.gallery').evaluate((gallery) => {
    for (const image of gallery.querySelectorAll('img')) image.loading = 'eager'
  })
  await expect.poll(() => drawn(page)).toBe(PICTURES)
})

test('a picture is described, removed, restored by Undo, chosen as the cover, and shown at full size', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath, milestoneId } = await createJournal(me)
  await page.goto(listPath)
  const content = await write(page, 'Rye')
  await content.fill('It rose.')
  await page.getByLabel('Pictures').setInputFiles(await loaves(2))
  await uploadsDone(page)
  await page.getByRole('button', { name: 'Picture 1 of 2' }).click()
  await page.getByLabel('Alternative text of loaf-1.jpg').fill('A loaf [dark]')
  await page.getByLabel('Alternative text of loaf-1.jpg').press('Escape')
  await expect(page.getByRole('button', { name: 'Picture 1 of 2: A loaf [dark]' })).toBeFocused()
  await page.getByLabel('Caption of loaf-1.jpg').fill('Day "one"')
  await page.getByLabel('Caption of loaf-1.jpg').press('Enter')
  await page.getByRole('button', { name: 'Remove loaf-2.jpg' }).click()
  await expect(page.getByRole('figure')).toHaveCount(1)
  await content.focus()
  await page.keyboard.press('Control+z')
  await expect(page.getByRole('figure')).toHaveCount(2)
  await page.getByRole('button', { name: 'Remove loaf-2.jpg' }).click()
  await page.getByRole('radio', { name: 'A loaf [dark]' }).check()
  await expectAccessible(page)

  await page.getByRole('tab', { name: 'Preview' }).click()
  await expect(page.getByRole('img', { name: 'A loaf [dark]' })).toHaveAttribute('src', /^blob:/)
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(page.getByText('Entry created successfully')).toBeVisible()
  const [entry] = (await me.call('listEntries', { params: { milestoneId } })) as {
    content: string
    coverFile?: string
  }[]
  expect(entry?.content).toBe(
    `It rose.\n\n![A loaf \\[dark\\]](/files/${entry?.coverFile} "Day \\"one\\"")\n\n`,
  )

  const sendPictures = await blockRequests(page, '**/api/media/**')
  await page.getByRole('link', { name: 'Rye' }).click()
  const picture = page.locator('.prose').getByRole('img', { name: 'A loaf [dark]' })
  await expect(picture).toBeVisible()
  const room = await picture.boundingBox()
  expect(room).toMatchObject({ width: 240, height: 160 })
  sendPictures()
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(240)
  expect(await picture.boundingBox()).toMatchObject({ width: 240, height: 160 })
})

for (const editor of ['CodeMirror', 'plain'] as const)
  test(`words typed after a picture was added go on below it, with or without one chosen: ${editor} editor`, {
    tag: '@long',
  }, async ({ page, me }) => {
    const { listPath, milestoneId, entries } = await createJournal(me, [
      { title: 'Rye', content: 'It rose.' },
    ])
    await page.goto(listPath)
    await page.getByRole('link', { name: 'Rye' }).click()
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    if (editor === 'plain') await page.getByLabel('Plain editor').check()
    // The text is not touched before.
    const picking = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Add picture' }).click()
    await page.keyboard.type(' And fell.')
    await (await picking).setFiles(await loaves(1))
    await uploadsDone(page)
    await page.keyboard.type('Then it rose again.')
    await page.getByRole('button', { name: 'Update Entry' }).click()
    await expect(page.getByText('Entry updated successfully')).toBeVisible()
    const params = { milestoneId, entryId: entries[0]?._id ?? '' }
    const { content } = await me.call('readEntry', { params })
    expect(content).toMatch(/^It rose\. And fell\.\n\n!\[\]\(\/files\/\S+\)\n\nThen it rose again\.$/)
  })

test('the date on which a picture was taken is suggested, and applied only on request', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath, milestoneId } = await createJournal(me)
  await page.goto(listPath)
  await write(page, 'Rye')
  await page
    .getByLabel('Pictures')
    .setInputFiles(await jpeg('loaf.jpg', '#b5763a', 240, 160, '2026:03:04 10:00:00'))
  const date = page.getByLabel('Date')
  await expect(page.getByRole('button', { name: 'Use Mar 4, 2026' })).toBeVisible()
  await expect(date).not.toHaveValue('2026-03-04')
  await page.getByRole('button', { name: 'Use Mar 4, 2026' }).click()
  await expect(date).toHaveValue('2026-03-04')
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(page.getByText('Entry created successfully')).toBeVisible()
  const [entry] = (await me.call('listEntries', { params: { milestoneId } })) as { happenedOn: string }[]
  expect(entry?.happenedOn).toBe('2026-03-04')
})

test('files that cannot be uploaded are named, and the text is kept', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  const content = await write(page, 'Rye')
  await content.fill('It rose.')
  const [loaf] = await loaves(1)
  // By its path, because a buffer of this size takes seconds to reach the browser.
  const huge = test.info().outputPath('huge.jpg')
  await writeFile(huge, '')
  await truncate(huge, 26 * 1024 * 1024)
  await page.getByLabel('Pictures').setInputFiles(huge)
  await expect(page.getByText('“huge.jpg” is too large: a picture may have at most 25 MB.')).toBeVisible()
  await page.getByLabel('Pictures').setInputFiles(loaf ? [loaf] : [])
  await expect(page.getByRole('figure')).toHaveCount(1)

  const broken = { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('not a picture at all') }
  await page.getByLabel('Pictures').setInputFiles(broken)
  const card = page.getByRole('figure', { name: 'broken.jpg' })
  await expect(card.getByRole('button', { name: 'Remove broken.jpg' })).toBeVisible()
  await uploadsDone(page)
  await expect(page.getByText('It rose.')).toBeVisible()
})

test('without a connection, files stay in the text until the upload is retried', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  const content = await write(page, 'Rye')
  await content.fill('It rose.')
  const release = await blockRequests(page, /\/api\/projects\/[^/]+\/files$/, 'POST')
  await addFiles(content, 'drop', await loaves(2))
  await expect(page.getByText('Adding 2 files')).toBeVisible()
  release('abort')
  await expect(
    page.getByText(/^The server cannot be reached, so 2 files could not be added yet/),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(
    page.getByText('Not saved yet: a file could not be added. Retry it, or remove it.'),
  ).toBeVisible()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.getByRole('button', { name: 'Retry 2 files' }).click()
  await expect(page.getByRole('figure')).toHaveCount(2)
  await uploadsDone(page)
})

test('an entry is saved once, however often that is requested while a file is being added', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath, milestoneId } = await createJournal(me)
  const saves: Request[] = []
  page.on('request', (request) => isSave(request) && saves.push(request))
  await page.goto(listPath)
  const content = await write(page, 'Rye')
  await content.fill('It rose.')
  const release = await blockRequests(page, /\/api\/projects\/[^/]+\/files$/, 'POST')
  await addFiles(content, 'drop', await loaves(1))
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await content.press('Control+Enter')
  await content.press('Control+Enter')
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save as draft' })).toBeDisabled()
  release('continue')
  await expect(page.getByText('Entry created successfully')).toBeVisible()
  await expectAllClosed(page)
  expect(saves).toHaveLength(1)
  const entries = await me.call('listEntries', { params: { milestoneId } })
  expect(entries).toMatchObject([{ title: 'Rye', version: 1 }])
})

test('an entry is not saved if the person leaves without saving while a file is being added', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath, milestoneId } = await createJournal(me)
  const saves: Request[] = []
  page.on('request', (request) => isSave(request) && saves.push(request))
  await page.goto(listPath)
  const content = await write(page, 'Rye')
  await content.fill('It rose.')
  const release = await blockRequests(page, /\/api\/projects\/[^/]+\/files$/, 'POST')
  await addFiles(content, 'drop', await loaves(1))
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
  await expectAllClosed(page)
  const added = page.waitForResponse(/\/api\/projects\/[^/]+\/files$/)
  release('continue')
  await added
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await expect(page.getByText('Your draft is back.')).toBeVisible()
  expect(saves).toHaveLength(0)
  expect(await me.call('listEntries', { params: { milestoneId } })).toEqual([])
})

test('in the plain text area, files are listed below the text', { tag: '@long' }, async ({ page, me }) => {
  const { listPath } = await createJournal(me)
  await page.setViewportSize(sizes.phone)
  await page.goto(listPath)
  const content = await write(page, 'Rye')
  await page.getByRole('button', { name: 'Date, milestone, cover and state' }).click()
  await page.getByLabel('Plain editor').check()
  await content.fill('It rose.')
  await addFiles(content, 'paste', await loaves(2))
  const list = page.getByRole('region', { name: 'Files of this entry' })
  await expect(list.getByRole('figure')).toHaveCount(2)
  await list.getByLabel('Alternative text of loaf-2.jpg').fill('A loaf')
  await list.getByLabel('Alternative text of loaf-2.jpg').blur()
  await expect(content).toHaveValue(
    /^It rose\.\n\n!\[\]\(\/files\/[^)]+\)\n!\[A loaf\]\(\/files\/[^)]+\)\n\n$/,
  )
  await expectNoSidewaysScroll(page)
})

test('the picture viewer works by keyboard, in the workspace and on public pages', { tag: '@long' }, async ({
  page,
  me,
  browser,
}) => {
  const { listPath, projectId } = await createJournal(me, [], { isPublic: true })
  await page.goto(listPath)
  const content = await write(page, 'Rye')
  await addFiles(content, 'paste', await loaves(3))
  await page.getByRole('button', { name: 'Picture 2 of 3' }).click()
  await page.getByLabel('Alternative text of loaf-2.jpg').fill('The second loaf')
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await uploadsDone(page)
  await page.getByRole('link', { name: 'Rye' }).click()
  await lookThrough(page)

  const context = await browser.newContext({
    baseURL: process.env.MILEPOST_URL ?? '',
    reducedMotion: 'reduce',
  })
  const reader = await context.newPage()
  const scripts: string[] = []
  reader.on('request', (request) => {
    if (request.url().includes('lightbox')) scripts.push(request.url())
  })
  await reader.goto(`/world/${projectId}`)
  await reader.getByRole('link', { name: 'Rye' }).first().click()
  await reader.waitForURL(/\/entries\//)
  await waitUntilReady(reader)
  await reader.getByRole('button', { name: 'The second loaf' }).waitFor()
  expect(scripts).toEqual([])
  await lookThrough(reader)
  await context.close()
})

async function lookThrough(page: Page) {
  const second = page.getByRole('button', { name: 'The second loaf' })
  await second.focus()
  await page.keyboard.press('Enter')
  const box = page.getByRole('dialog', { name: 'Picture' })
  await expect(box.getByText('2 of 3')).toBeVisible()
  await expect(box.getByRole('img', { name: 'The second loaf' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('ArrowRight')
  await expect(box.getByText('3 of 3')).toBeVisible()
  await expect(box.getByRole('button', { name: 'Next picture' })).toBeHidden()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Escape')
  await expect(box).toBeHidden()
  await expect(second).toBeFocused()
  await page.emulateMedia({ media: 'print' })
  await expect(second.getByRole('img')).toBeVisible()
  await page.emulateMedia({ media: 'screen' })
}
