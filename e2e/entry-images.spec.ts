import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { createJournal } from '#testing/journal.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import { expectContent } from './fixtures/editor.ts'
import { test } from './fixtures/email.ts'
import { test as base, expect, expectAllClosed, expectNoSidewaysScroll, sizes } from './fixtures/journey.ts'

test.describe.configure({ mode: 'default' })

// A trace would refetch images that could not be read, which the policy forbids.
test.use({ trace: 'off' })

async function picture(name: string, background: string, width = 900, height = 600) {
  const buffer = await sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()
  return { name, mimeType: 'image/png', buffer }
}

const editor = (page: Page) => page.getByRole('dialog')
const section = (page: Page) => editor(page).getByRole('group', { name: 'Image' })
const choose = (page: Page, file: Awaited<ReturnType<typeof picture>>) =>
  page.getByLabel('Image file').setInputFiles(file)

async function write(page: Page, title: string) {
  await page.getByRole('button', { name: /^Add (your first entry|Entry)$/ }).click()
  await page.getByLabel('Title').fill(title)
  await page.getByLabel('Content').fill('It rose.')
}

/** Returns the natural size of a loaded image. */
const natural = (page: Page, alt: string) =>
  page.getByRole('img', { name: alt }).evaluate(async (image: HTMLImageElement) => {
    // `naturalWidth` is that of the layout, where there are several sources.
    const { currentSrc } = image
    return currentSrc === '' ? 0 : (await createImageBitmap(await (await fetch(currentSrc)).blob())).width
  })

/** Pastes or drops a file outside the content, whose files belong to the text. */
async function bring(page: Page, how: 'paste' | 'drop', file: Awaited<ReturnType<typeof picture>>) {
  await page.getByLabel('Title').evaluate(
    (area, { how, name, type, base64 }) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0)
      const data = new DataTransfer()
      data.items.add(new File([bytes], name, { type }))
      const init = { bubbles: true, cancelable: true }
      area.dispatchEvent(
        how === 'paste'
          ? new ClipboardEvent('paste', { ...init, clipboardData: data })
          : new DragEvent('drop', { ...init, dataTransfer: data }),
      )
    },
    { how, name: file.name, type: file.mimeType, base64: file.buffer.toString('base64') },
  )
}

base('without the image section, files that are dropped beside the text go into it', async ({ page, me }) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  await write(page, 'Rye')
  await expect(page.locator('input[type=file][accept="image/*"]')).toHaveCount(1)
  await expect(page.getByText('Upload image')).toBeHidden()
  await bring(page, 'drop', await picture('loaf.png', 'tan'))
  await expect(page.getByRole('figure', { name: 'loaf.png' })).toBeVisible()
  await expect(page.getByAltText('The chosen one')).toHaveCount(0)
})

test('an image is previewed, saved, replaced and removed', { tag: '@long' }, async ({ page, me }) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  await write(page, 'Rye')
  await choose(page, await picture('loaf.png', 'tan'))
  await expect(section(page).getByText(/^loaf\.png, \d+ kB$/)).toBeVisible()
  await expectAccessible(page)
  await expect(section(page).getByAltText('The chosen one')).toHaveAttribute('src', /^blob:/)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Entry created successfully')).toBeVisible()

  await page.getByRole('link', { name: 'Rye' }).click()
  await expect.poll(() => natural(page, 'Rye')).toBe(900)
  await expect(page.getByRole('img', { name: 'Rye' })).toHaveAttribute('height', '600')

  await page.getByRole('link', { name: 'Edit' }).click()
  await expect(section(page).getByAltText('The saved one')).toBeVisible()
  await expect(section(page).getByRole('button', { name: 'Replace image' })).toBeVisible()
  await choose(page, await picture('oven.png', 'black', 300, 200))
  await section(page).getByRole('button', { name: 'Keep the saved one' }).click()
  await expect(section(page).getByAltText('The saved one')).toBeVisible()
  await choose(page, await picture('oven.png', 'black', 300, 200))
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByText('Entry updated successfully')).toBeVisible()
  await expect.poll(() => natural(page, 'Rye')).toBe(300)

  await page.getByRole('link', { name: 'Edit' }).click()
  await section(page).getByRole('button', { name: 'Remove image' }).click()
  await expect(section(page).getByText('The image is removed when you save.')).toBeVisible()
  await expect(section(page).getByRole('button', { name: 'Upload image' })).toBeFocused()
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByText('Entry updated successfully')).toBeVisible()
  await expect(editor(page)).toHaveCount(0)
  await expect(page.getByText('It rose.')).toBeVisible()
  await expect(page.getByRole('article').getByRole('img')).toHaveCount(0)
})

test('an image that is pasted or dropped outside the text becomes the image of the entry', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  await write(page, 'Rye')
  await bring(page, 'paste', await picture('loaf.png', 'tan'))
  await expect(section(page).getByAltText('The chosen one')).toBeInViewport()
  await bring(page, 'drop', await picture('oven.png', 'black', 300, 200))
  await expect(section(page).getByText(/^oven\.png/)).toBeVisible()
  await expectContent(page.getByLabel('Content'), 'It rose.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Entry created successfully')).toBeVisible()
  await page.getByRole('link', { name: 'Rye' }).click()
  await expect.poll(() => natural(page, 'Rye')).toBe(300)
})

test('a file that is too large or no image is refused with one error message, and the previous image stays', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  await write(page, 'Rye')
  const image = await picture('loaf.png', 'tan')
  await choose(page, image)
  await expect(section(page).getByText(/^loaf\.png/)).toBeVisible()
  await choose(page, { ...image, buffer: Buffer.alloc(10 * 1024 * 1024 + 1) })
  await expect(section(page).getByText('The image is too large: it may have at most 10 MB.')).toBeVisible()
  const noImage = section(page).getByText(
    'This file is not an image that can be shown: JPEG, PNG, WebP, GIF or AVIF.',
  )
  await bring(page, 'drop', {
    name: 'recipe.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.7'),
  })
  await expect(noImage).toBeVisible()
  await expect(section(page).getByText(/^loaf\.png/)).toBeVisible()
  await choose(page, { name: 'text.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await expect(noImage).toBeVisible()
  await expect(section(page).getByAltText('The chosen one')).toHaveCount(0)
  await expectContent(page.getByLabel('Content'), 'It rose.')
})

test('a save that the server refuses keeps the text and the image', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  await write(page, 'Rye')
  await choose(page, await picture('loaf.png', 'tan'))
  await expect(section(page).getByAltText('The chosen one')).toBeVisible()
  for (const [status, code, message] of [
    [413, 'too_large', 'An image may have at most 50 megapixels'],
    [415, 'not_an_image', 'This file is not an image that can be shown: JPEG, PNG, WebP, GIF or AVIF'],
  ] as const) {
    await page.route('**/entries', (route) => route.fulfill({ status, json: { code, message } }))
    await page.keyboard.press('Control+Enter')
    await expect(editor(page).getByText(message)).toBeVisible()
    await expectContent(page.getByLabel('Content'), 'It rose.')
    await expect(section(page).getByAltText('The chosen one')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Create Entry' })).toBeEnabled()
    await page.unroute('**/entries')
  }
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Entry created successfully')).toBeVisible()
  await page.getByRole('link', { name: 'Rye' }).click()
  await expect.poll(() => natural(page, 'Rye')).toBe(900)
})

test('an image that is chosen during someone else’s edit is saved with their text', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { listPath, entries, milestoneId } = await createJournal(me, [{ title: 'Rye' }])
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Edit entry Rye' }).click()
  await choose(page, await picture('loaf.png', 'tan'))
  await expect(section(page).getByAltText('The chosen one')).toBeVisible()
  await me.call('updateEntry', {
    params: { milestoneId, entryId: entries[0]?._id ?? '' },
    body: { title: 'Rye', content: 'Theirs.', tags: [] },
  })
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByText('Entry updated successfully')).toBeVisible()
  await page.getByRole('link', { name: 'Rye' }).click()
  await expect.poll(() => natural(page, 'Rye')).toBe(900)
  await expect(page.getByText('Theirs.')).toBeVisible()
})

test('an image that was not saved is kept with the draft', { tag: '@long' }, async ({ page, me }) => {
  const { listPath } = await createJournal(me, [{ title: 'Rye' }])
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Edit entry Rye' }).click()
  await choose(page, await picture('loaf.png', 'tan'))
  await expect(section(page).getByAltText('The chosen one')).toBeVisible()
  await expect(editor(page).getByText(/^Saved on the server/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expectAllClosed(page)
  await page.reload()
  await page.getByRole('button', { name: 'Edit entry Rye' }).click()
  await expect(section(page).getByAltText('The chosen one')).toBeVisible()
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByText('Entry updated successfully')).toBeVisible()
  await page.getByRole('link', { name: 'Rye' }).click()
  await expect.poll(() => natural(page, 'Rye')).toBe(900)
})

test('leaving a new entry that has an image and no text asks for confirmation', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  await page.getByRole('button', { name: /^Add (your first entry|Entry)$/ }).click()
  await choose(page, await picture('loaf.png', 'tan'))
  await expect(section(page).getByAltText('The chosen one')).toBeVisible()
  await page.keyboard.press('Escape')
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(section(page).getByAltText('The chosen one')).toBeVisible()
})

test('an image is saved as soon as the server can be reached', { tag: '@long' }, async ({ page, me }) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  await write(page, 'Rye')
  await page.route('**/api/projects/*/files', (route) => route.abort())
  await choose(page, await picture('loaf.png', 'tan'))
  await expect(section(page).getByRole('button', { name: 'Retry “loaf.png”' })).toBeVisible()
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(page.getByText('Not saved yet: a file could not be added.')).toBeVisible()
  await page.unroute('**/api/projects/*/files')
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(page.getByText('Entry created successfully')).toBeVisible()
  await page.getByRole('link', { name: 'Rye' }).click()
  await expect.poll(() => natural(page, 'Rye')).toBe(900)
})

test('a visitor sees the image of an entry while its project is public', { tag: '@long' }, async ({
  page,
  me,
  browser,
  baseURL,
}) => {
  const { listPath, projectPath } = await createJournal(me)
  const projectId = projectPath.split('/').at(-1) ?? ''
  const publish = (isPublic: boolean) =>
    me.call('updateProject', {
      params: { projectId },
      body: { title: 'A bakery', description: 'From the first loaf', isPublic },
    })
  await page.goto(listPath)
  await write(page, 'Rye')
  await choose(page, await picture('loaf.png', 'tan', 1200, 800))
  await expect(section(page).getByAltText('The chosen one')).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Entry created successfully')).toBeVisible()
  await publish(true)

  const context = await browser.newContext({ baseURL: baseURL ?? '', viewport: sizes.phone })
  const visitor = await context.newPage()
  await visitor.goto(`/world/${projectId}`)
  await visitor.getByRole('article').getByRole('link', { name: 'Rye' }).click()
  const image = visitor.getByRole('img', { name: 'Rye' })
  // An entry is saved before all of its picture has arrived.
  await expect
    .poll(async () => {
      await visitor.reload()
      return image.count()
    })
    .toBe(1)
  // A phone fetches a variant that fits, whose natural width is its width on the page.
  await expect.poll(() => natural(visitor, 'Rye')).toBeGreaterThan(300)
  await expectNoSidewaysScroll(visitor)
  await expectAccessible(visitor)
  const urls = await image.evaluate((img: HTMLImageElement) => [img.src, img.currentSrc])
  await publish(false)
  for (const url of urls) expect((await visitor.request.get(url)).status()).toBe(404)
  await context.close()
})

test('the image section is accessible on every size', { tag: '@long' }, async ({ page, me }) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  await write(page, 'Rye')
  await choose(page, await picture('loaf.png', 'tan'))
  // Narrow screens show the properties in one line.
  const properties = editor(page).getByRole('button', {
    name: 'Date, milestone, cover and state',
    expanded: false,
  })
  for (const viewport of Object.values(sizes)) {
    await page.setViewportSize(viewport)
    if (await properties.isVisible()) await properties.click()
    await section(page).scrollIntoViewIfNeeded()
    await expect(section(page).getByAltText('The chosen one')).toBeInViewport()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  }
})

test('an image that was changed elsewhere is only replaced or removed by a decision', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  await write(page, 'Rye')
  await choose(page, await picture('loaf.png', 'tan'))
  await editor(page).getByRole('button', { name: 'Create Entry' }).click()
  await expect(page.getByText('Entry created successfully')).toBeVisible()
  const other = await page.context().newPage()
  await other.goto(listPath)
  for (const tab of [page, other]) {
    await tab.getByRole('button', { name: 'Edit entry Rye' }).click()
    await expect(section(tab).getByAltText('The saved one')).toBeVisible()
  }
  await section(page).getByRole('button', { name: 'Remove image' }).click()
  await choose(other, await picture('crumb.png', 'brown', 300, 200))
  await editor(other).getByRole('button', { name: 'Update Entry' }).click()
  await expect(other.getByText('Entry updated successfully')).toBeVisible()

  await editor(page).getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByRole('heading', { name: 'Two versions of one entry' })).toBeVisible()
  await editor(page).getByRole('button', { name: 'Keep all of this one' }).click()
  await expect(section(page).getByText('The image is removed when you save.')).toBeVisible()
  await editor(page).getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByText('Entry updated successfully')).toBeVisible()
  await page.getByRole('link', { name: 'Rye' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Rye' })).toBeVisible()
  await expect(page.getByRole('img', { name: /Rye/ })).toHaveCount(0)
})
