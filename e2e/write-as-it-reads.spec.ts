import type { Page } from '@playwright/test'
import { createJournal } from '#testing/journal.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import { expectContent, readContent } from './fixtures/editor.ts'
import { jpeg, uploadsDone } from './fixtures/files.ts'
import { expect, expectNoSidewaysScroll, openApp, sizes, test } from './fixtures/journey.ts'

const content = (page: Page) => page.getByLabel('Content')

const loaves = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => jpeg(`loaf-${index + 1}.jpg`, '#b5763a', 240, 160)))

/** Asserts that no Markdown of a picture is on the screen. */
async function expectNoMarkdown(page: Page) {
  await expect(content(page)).not.toContainText('/files/')
  await expect(content(page)).not.toContainText('![')
}

async function writeWithPictures(page: Page, count: number) {
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await page.getByLabel('Title').fill('Rye')
  await page.getByLabel('Pictures').setInputFiles(await loaves(count))
  await uploadsDone(page)
  await expect(page.getByRole('figure')).toHaveCount(count)
}

for (const [size, viewport] of Object.entries(sizes))
  test(`from the dashboard to a saved gallery with captions in at most five presses, without Markdown: ${size}`, {
    tag: '@long',
  }, async ({ page, me }) => {
    const { milestoneId } = await createJournal(me)
    await page.setViewportSize(viewport)
    await openApp(page, '/dashboard')
    await page.getByRole('button', { name: 'Write' }).click() // 1
    await page.getByLabel('Title').pressSequentially('Rye')
    const picking = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Add picture' }).click() // 2
    await (await picking).setFiles(await loaves(3)) // 3, in the dialog of the system
    await expect(page.getByRole('group', { name: 'Gallery of 3' })).toBeVisible()
    await expectNoMarkdown(page)
    await page.getByLabel('Caption of loaf-1.jpg').click() // 4
    for (const caption of ['Fed', 'Proofed', 'Baked']) {
      await page.keyboard.type(caption)
      await page.keyboard.press('Enter')
    }
    await expectNoMarkdown(page)
    await expectNoSidewaysScroll(page)
    await page.getByRole('button', { name: 'Create Entry' }).click() // 5
    await expect(page.getByText('Entry created successfully')).toBeVisible()
    const [entry] = (await me.call('listEntries', { params: { milestoneId } })) as { content: string }[]
    expect(entry?.content.replaceAll(/[0-9a-f-]{36}/g, 'id')).toBe(
      '![](/files/id "Fed")\n![](/files/id "Proofed")\n![](/files/id "Baked")\n\n',
    )
  })

test('pictures are reached, moved, described and removed by keyboard alone, and Undo restores every byte', async ({
  page,
  me,
}) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  await writeWithPictures(page, 3)
  await expectNoMarkdown(page)
  const before = await readContent(content(page))
  const ids: string[] = before.match(/[0-9a-f-]{36}/g) ?? []
  const order = async () =>
    ((await readContent(content(page))).match(/[0-9a-f-]{36}/g) ?? []).map((id) => ids.indexOf(id))
  const opener = (name: string) => page.getByRole('button', { name, exact: true })

  await content(page).focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('Then.')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(opener('Picture 3 of 3')).toBeFocused()
  await page.keyboard.press('Alt+ArrowLeft')
  await page.keyboard.press('Alt+ArrowLeft')
  await expect(opener('Picture 1 of 3')).toBeFocused()
  expect(await order()).toEqual([2, 0, 1])
  await expect(page.getByRole('figure').first()).toHaveAccessibleName('loaf-3.jpg')

  await page.keyboard.press('Enter')
  const alternative = page.getByLabel('Alternative text of loaf-3.jpg')
  await expect(alternative).toBeFocused()
  await page.keyboard.type('A loaf')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(opener('Picture 1 of 3: A loaf')).toBeFocused()
  await page.keyboard.press('Delete')
  await expect(page.getByRole('figure')).toHaveCount(2)
  await expect(opener('Picture 1 of 2')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(content(page)).toBeFocused()
  await expectNoMarkdown(page)
  await expectAccessible(page)
  await expect(page.getByRole('dialog')).toBeVisible()

  for (let times = 0; times < 30 && (await readContent(content(page))) !== before; times++)
    await page.keyboard.press('Control+z')
  await expectContent(content(page), before)
  await expect(page.getByRole('figure')).toHaveCount(3)
})

test('Backspace below a picture removes it as a whole, and its Markdown shows on request only', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  await writeWithPictures(page, 2)
  const before = await readContent(content(page))
  await content(page).focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await expect(page.getByRole('figure')).toHaveCount(1)
  await expectNoMarkdown(page)
  await page.keyboard.press('Control+z')
  await expect(page.getByRole('figure')).toHaveCount(2)
  await page.keyboard.press('Control+z')
  await expectContent(content(page), before)

  await page.getByRole('button', { name: 'Picture 1 of 2' }).click()
  await page.getByRole('button', { name: 'Show the Markdown' }).click()
  await expect(content(page)).toBeFocused()
  await expect(content(page)).toContainText('![](/files/')
  await page.keyboard.press('Control+End')
  await expectNoMarkdown(page)
  await expectContent(content(page), before)
})

test('a picture is dragged to the place of another one, also of another gallery', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  await writeWithPictures(page, 3)
  const names = () =>
    page.getByRole('figure').evaluateAll((figures) => figures.map((figure) => figure.ariaLabel))
  const opener = (at: number) => page.getByRole('figure').nth(at).getByRole('button').first()
  await opener(0).dragTo(opener(2))
  await expect.poll(names).toEqual(['loaf-2.jpg', 'loaf-3.jpg', 'loaf-1.jpg'])

  await content(page).focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('Then.\n')
  await page.getByLabel('Pictures').setInputFiles([await jpeg('crumb.jpg')])
  await expect(page.getByRole('figure', { name: 'crumb.jpg' })).toBeVisible()
  await page.setViewportSize({ width: 1440, height: 1400 })
  await opener(0).dragTo(opener(3))
  await expect.poll(names).toEqual(['loaf-3.jpg', 'loaf-1.jpg', 'loaf-2.jpg', 'crumb.jpg'])
  await expect(page.getByRole('group', { name: 'Gallery of 2' })).toHaveCount(2)
})

test('on a phone a picture takes little room, and its details move it', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { listPath } = await createJournal(me)
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(listPath)
  await writeWithPictures(page, 2)
  await page.getByRole('button', { name: 'Picture 1 of 2' }).click()
  await page.getByRole('button', { name: 'Move later' }).click()
  await expect(page.getByRole('figure').last()).toHaveAccessibleName('loaf-1.jpg')
  await expect(page.getByRole('button', { name: 'Move earlier' })).toBeEnabled()
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Remove loaf-1.jpg' }).last().click()
  const frame = await page.getByRole('button', { name: 'Picture', exact: true }).boundingBox()
  expect(frame).toMatchObject({ width: 96, height: 96 })
})

test('marks step back away from the caret, tasks are ticked in place, and Tab goes through a table', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  const text =
    '## Loaf\n\nIt **rose**, see [the recipe](https://example.com/rye).\n\n- [ ] feed\n\n* knead\n\n> [!TIP]\n> Warm water.\n\n```ts\nconst rye = 1\n```\n\n| Flour | g |\n| - | -: |\n| rye | 500 |'
  await content(page).click()
  await page.keyboard.insertText(text)
  await page.keyboard.press('Control+Home')
  await expect(content(page)).toContainText('## Loaf')
  await expect(content(page)).toContainText('It rose, see the recipe.')
  await expect(content(page)).toContainText('• knead')
  await expect(content(page)).toContainText('Tip')
  await expect(content(page)).not.toContainText('```')
  await expect(content(page)).not.toContainText('[!TIP]')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(content(page)).toContainText('It **rose**, see [the recipe](https://example.com/rye).')
  await expect(content(page)).not.toContainText('## Loaf')
  await page.getByLabel('Title').focus()
  await expect(content(page)).not.toContainText('**')
  await expectContent(content(page), text)
  await expectAccessible(page)

  await page.getByRole('checkbox', { name: 'feed' }).check()
  await expectContent(content(page), text.replace('[ ]', '[x]'))
  await page.getByRole('checkbox', { name: 'feed' }).press('Space')
  await expectContent(content(page), text)
  await expect(page.getByRole('checkbox', { name: 'feed' })).toBeFocused()

  await content(page).focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Tab')
  await page.keyboard.type('wheat')
  await page.keyboard.press('Tab')
  await page.keyboard.type('250')
  const table = '| Flour | g   |\n| ----- | --: |\n| rye   | 500 |\n| wheat | 250    |'
  await expectContent(content(page), text.slice(0, text.indexOf('| Flour')) + table)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await expect(content(page)).not.toBeFocused()
})

/** Returns texts of pictures, captions and Markdown in an order that is always the same. */
function textsWithPictures(count: number): string[] {
  let seed = 7
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  const id = () => `0199a0b0-0000-7000-8000-${String(next(9)).padStart(12, '0')}`
  const lines: (() => string)[] = [
    () => `![](/files/${id()})`,
    () => `![A *loaf*](/files/${id()} "Day \\"one\\"")  `,
    () => `![](/files/${id()}) ![](/files/${id()})`,
    () => `[plan.pdf](/files/${id()})`,
    () => `> ![](/files/${id()})`,
    () => `- [${next(2) === 0 ? ' ' : 'x'}] It ![](/files/${id()}) **rose**`,
    () => '```\n![](/files/x)\n```',
    () => '| a | b |\n| - | - |',
    () => 'It __rose__, ~~fell~~ and `sang` [here](https://example.com "a").  ',
    () => '> [!TIP]\n> Warm\twater.',
    () => '',
    () => '### Loaf ###',
  ]
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + next(8) }, () => lines[next(lines.length)]?.() ?? '').join('\n'),
  )
}

test('200 texts with pictures stay as they were pasted, wherever the caret goes', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await content(page).click()
  const changed = await content(page).evaluate(async (element, texts) => {
    type View = {
      state: { doc: { length: number; toString(): string } }
      dispatch: (change: object) => void
      focus: () => void
    }
    const { view } = (element as unknown as { cmTile: { root: { view: View } } }).cmTile.root
    const wrong: string[] = []
    for (const text of texts) {
      view.dispatch({ selection: { anchor: 0, head: view.state.doc.length } })
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', text)
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      for (let at = 0; at <= view.state.doc.length; at += 7) view.dispatch({ selection: { anchor: at } })
      await new Promise(requestAnimationFrame)
      if (view.state.doc.toString() !== text) wrong.push(text)
    }
    return wrong
  }, textsWithPictures(200))
  expect(changed).toEqual([])
})

test.describe('on a touch screen', () => {
  test.use({ viewport: sizes.phone, hasTouch: true, isMobile: true })

  test('the caret is in the title, the state of the draft covers no text, and what is needed seldom is behind one button', {
    tag: '@long',
  }, async ({ page, me }) => {
    const { listPath } = await createJournal(me)
    await page.goto(listPath)
    await page.getByRole('button', { name: 'Add your first entry' }).click()
    const title = page.getByLabel('Title')
    await expect(title).toBeFocused()
    const empty = await title.boundingBox()
    await title.fill('Rye')
    const status = page.getByText(/^Saved on the server/)
    await expect(status).toBeVisible()
    const [saved, written] = [await status.boundingBox(), await title.boundingBox()]
    expect(written?.y).toBe(empty?.y)
    expect((saved?.y ?? 0) + (saved?.height ?? 0)).toBeLessThanOrEqual(written?.y ?? 0)

    const quote = page.getByRole('button', { name: 'Quote' })
    await expect(quote).toBeHidden()
    await content(page).fill('It rose.')
    await page.getByRole('button', { name: 'More formatting' }).click()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await quote.click()
    await expect(quote).toBeHidden()
    await expectContent(content(page), '> It rose.')

    const properties = page.getByRole('button', { name: 'Date, milestone, cover and state' })
    await expect(properties).toContainText('The first loaf')
    await expect(page.getByLabel('Date', { exact: true })).toBeHidden()
    await properties.click()
    await expect(page.getByLabel('Date', { exact: true })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'More formatting' }).click()
    await page.keyboard.press('Escape')
    await expect(quote).toBeHidden()
    await expect(page.getByRole('dialog')).toBeVisible()
  })
})
