import type { Page } from '@playwright/test'
import { tests as written } from 'commonmark-spec'
import { GFM_EXAMPLES } from '#markdown/testing/gfm-examples.ts'
import type { Account } from '#testing/account.ts'
import { createJournal } from '#testing/journal.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import { expectContent, paste, readContent, replaceContent } from './fixtures/editor.ts'
import { jpeg, uploadsDone } from './fixtures/files.ts'
import {
  expect,
  expectAllClosed,
  expectNoSidewaysScroll,
  openApp,
  openListening,
  pressShortcut,
  sizes,
  test,
  withoutEvents,
} from './fixtures/journey.ts'

const content = (page: Page) => page.getByLabel('Content')

async function compose(page: Page, me: Account) {
  const journal = await createJournal(me)
  await page.goto(journal.listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await page.getByLabel('Title').fill('Rye')
  await page.keyboard.press('Enter')
  await expect(content(page)).toBeFocused()
  return journal
}

const clear = async (page: Page) => {
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
}

test('the text is formatted as its Markdown says, and its source stays as typed', async ({ page, me }) => {
  await compose(page, me)
  await page.keyboard.type('# Loaf\n\nIt **rose**, `code`.')
  const style = (selector: string, property: string) => () =>
    content(page)
      .locator(selector)
      .first()
      .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
  await expect
    .poll(async () => Number.parseFloat(await style('.md-heading-1', 'font-size')()))
    .toBeGreaterThan(24)
  await expect.poll(async () => Number(await style('.md-strong', 'font-weight')())).toBeGreaterThan(600)
  await expect.poll(style('.md-code', 'font-family')).toContain('mono')
  await expect.poll(style('.cm-line', 'font-family')).toContain('Literata')
  await expectContent(content(page), '# Loaf\n\nIt **rose**, `code`.')
  expect(await page.locator('style').count()).toBe(0)
  const [shown, available] = await page.evaluate(() => [document.documentElement.clientWidth, innerWidth])
  expect(shown).toBe(available) // it reaches the right edge, where the page reserves space for its scroll bar
})

test('Tab and the arrow keys lead from the title to the text and back, in both editors', {
  tag: '@long',
}, async ({ page, me }) => {
  await compose(page, me)
  const title = page.getByLabel('Title')
  for (const plain of [false, true]) {
    await page.getByLabel('Plain editor').setChecked(plain)
    await title.press('Tab')
    await expect(content(page)).toBeFocused()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('Fed at seven. ')
    await page.keyboard.press('Shift+Tab')
    await expect(title).toBeFocused()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    await expect(title).toBeFocused()
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowDown')
    await expect(content(page)).toBeFocused()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowUp')
    await expect(title).toBeFocused()
  }
  await expectContent(content(page), 'Fed at seven. Fed at seven. ')
})

test('every example of CommonMark and GFM stays as it was pasted', { tag: '@long' }, async ({ page, me }) => {
  await compose(page, me)
  const examples = [
    ...written.map(({ markdown }) => markdown.replaceAll('→', '\t')),
    ...GFM_EXAMPLES.map(([, markdown]) => markdown),
  ]
  // A lone URL that is pasted over a selection makes it a link.
  const pasted = examples.filter((text) => !/^https?:\S+\n$/.test(text))
  const changed = await content(page).evaluate((element, texts) => {
    type Noted = Element & { cmTile: { root: { view: { state: { doc: { toString(): string } } } } } }
    const read = () => (element as unknown as Noted).cmTile.root.view.state.doc.toString()
    return texts.filter((text) => {
      document.getSelection()?.selectAllChildren(element)
      document.dispatchEvent(new Event('selectionchange'))
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', text)
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      return read() !== text
    })
  }, pasted)
  expect(changed).toEqual([])
})

test('examples that are typed line by line stay as they were typed', { tag: '@long' }, async ({
  page,
  me,
}) => {
  await compose(page, me)
  for (const { markdown } of written.filter(({ number }) => number % 20 === 7)) {
    const text = markdown.replaceAll('→', '\t')
    await clear(page)
    for (const [index, line] of text.split('\n').entries()) {
      if (index > 0) await page.keyboard.press('Shift+Enter')
      if (line !== '') await page.keyboard.insertText(line)
    }
    await expectContent(content(page), text)
  }
})

test('text from an input method is inserted once, even if the formatting around it changes', {
  tag: '@long',
}, async ({ page, me }) => {
  await compose(page, me)
  await page.keyboard.type('**a**')
  const client = await page.context().newCDPSession(page)
  for (const text of ['に', 'にほ', 'にほん']) {
    await client.send('Input.imeSetComposition', {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    })
  }
  await client.send('Input.insertText', { text: '日本' })
  await expectContent(content(page), '**a**日本')
  for (let times = 0; times < 3; times++) await page.keyboard.press('ArrowLeft')
  await client.send('Input.imeSetComposition', { text: 'é', selectionStart: 1, selectionEnd: 1 })
  await client.send('Input.insertText', { text: 'é' })
  await page.keyboard.type('!')
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(page.getByText('Entry created successfully')).toBeVisible()
})

test('Enter continues a list, pasting a URL over words links them, and Undo reverts it, even after a preview', {
  tag: '@long',
}, async ({ page, me }) => {
  await compose(page, me)
  await page.keyboard.type('- [x] fed\nthe recipe')
  await expectContent(content(page), '- [x] fed\n- [ ] the recipe')
  await page.keyboard.press('Control+Shift+ArrowLeft')
  await paste(content(page), { 'text/plain': 'https://example.com/rye' })
  await expectContent(content(page), '- [x] fed\n- [ ] the [recipe](https://example.com/rye)')
  await page.getByRole('tab', { name: 'Preview' }).click()
  await expect(page.getByRole('link', { name: 'recipe' })).toBeVisible()
  await page.getByRole('tab', { name: 'Edit' }).click()
  await content(page).focus()
  await page.keyboard.press('Control+z')
  await expectContent(content(page), '- [x] fed\n- [ ] the recipe')
  await page.keyboard.press('Control+y')
  await expectContent(content(page), '- [x] fed\n- [ ] the [recipe](https://example.com/rye)')
  // The small letter comes with Caps Lock. The second press has nothing to redo.
  for (const key of ['Z', 'z']) {
    await page.keyboard.press('Control+z')
    await expectContent(content(page), '- [x] fed\n- [ ] the recipe')
    for (let times = 0; times < 2; times++) await page.keyboard.press(`Control+Shift+${key}`)
    await expectContent(content(page), '- [x] fed\n- [ ] the [recipe](https://example.com/rye)')
  }
})

test('a slash opens the insert menu, which can be operated and closed by keyboard', {
  tag: '@long',
}, async ({ page, me }) => {
  await compose(page, me)
  await page.keyboard.type('/ch')
  const list = page.getByRole('listbox')
  await expect(list.getByRole('option')).toHaveText(['Checklist'])
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await page.keyboard.type('feed it')
  await expectContent(content(page), '- [ ] feed it')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('/')
  await expect(list).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(list).toHaveCount(0)
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectContent(content(page), '- [ ] feed it\n/')
})

test('the insert menu opens a file picker for pictures and other files, which replace the slash', {
  tag: '@long',
}, async ({ page, me }) => {
  await compose(page, me)
  const pick = async (typed: string, file: { name: string; mimeType: string; buffer: Buffer }) => {
    await page.keyboard.type(typed)
    const option = page.getByRole('listbox').getByRole('option')
    await expect(option).toHaveCount(1)
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), option.click()])
    await chooser.setFiles(file)
    await expect(page.getByRole('figure', { name: file.name })).toBeVisible()
  }
  await pick('/pic', await jpeg('loaf.jpg'))
  await content(page).press('Control+End')
  const plan = Buffer.from('%PDF-1.4 a plan of the oven'.padEnd(300_000))
  await pick('/file', { name: 'plan.pdf', mimeType: 'application/pdf', buffer: plan })
  await expect(page.getByRole('figure', { name: 'plan.pdf' })).toContainText('0.3 MB')
  await uploadsDone(page)
  const text = await readContent(content(page))
  expect(text).toMatch(/!\[\]\(\/files\/[0-9a-f-]+\)/)
  expect(text).toMatch(/\[plan\.pdf\]\(\/files\/[0-9a-f-]+\)/)
  expect(text).not.toMatch(/\/(pic|file)\b/)
})

test('formatted text is pasted as plain text, or as Markdown on request', { tag: '@long' }, async ({
  page,
  me,
}) => {
  await compose(page, me)
  await paste(content(page), {
    'text/plain': 'Rye and wheat',
    'text/html':
      '<meta charset="utf-8"><h2>Rye</h2><p>and <b>wheat</b> <a href="javascript:alert(1)">no</a> <a href="https://example.com/">yes</a></p><script>alert(1)</script><ul><li><input type="checkbox" checked> fed</li></ul><table><tr><th>a</th><th>b</th></tr><tr><td>1|2</td><td></td></tr></table>',
  })
  await expectContent(content(page), 'Rye and wheat')
  await page.getByRole('button', { name: 'Paste as Markdown' }).click()
  const markdown =
    '## Rye\n\nand **wheat** no [yes](https://example.com/)\n\n- [x] fed\n\n| a | b |\n| --- | --- |\n| 1\\|2 |  |'
  await expectContent(content(page), markdown)
  await expect(content(page)).toBeFocused()
  await page.keyboard.press('Control+z')
  await expectContent(content(page), 'Rye and wheat')
  await paste(content(page), { 'text/plain': 'a', 'text/html': '<span>a</span>' })
  await expect(page.getByRole('button', { name: 'Paste as Markdown' })).toHaveCount(0)
})

test('text of Google Docs is pasted with its own formatting', { tag: '@long' }, async ({ page, me }) => {
  await compose(page, me)
  await paste(content(page), {
    'text/plain': 'It rose well a b c',
    'text/html':
      '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr"><span style="font-weight:400">It </span><span style="font-weight:700">rose</span><span style="font-style:italic"> well</span></p><ul><li><p>a</p></li><ul><li><p>b</p></li></ul><li role="checkbox" aria-checked="true"><p>c</p></li></ul></b>',
  })
  await page.getByRole('button', { name: 'Paste as Markdown' }).click()
  await expectContent(content(page), 'It **rose** *well*\n\n- a\n  - b\n- [x] c')
})

test('the choice of a plain text area applies immediately and the next time', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { milestoneId } = await compose(page, me)
  await page.keyboard.type('It rose.')
  await page.getByLabel('Plain editor').check()
  await expect(content(page)).toHaveValue('It rose.')
  await content(page).focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('\n- fed\ncooled')
  await expect(content(page)).toHaveValue('It rose.\n- fed\n- cooled')
  await page.reload()
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await expect(content(page)).toHaveValue('It rose.\n- fed\n- cooled')
  await content(page).press('Control+Enter')
  await expect(page.getByText('Entry created successfully')).toBeVisible()
  const [entry] = (await me.call('listEntries', { params: { milestoneId } })) as { content: string }[]
  expect(entry?.content).toBe('It rose.\n- fed\n- cooled')
})

test('on a phone with the keyboard open, text fills more than half of the visible area', {
  tag: '@long',
}, async ({ page, me }) => {
  await page.setViewportSize({ width: 390, height: 508 })
  await compose(page, me)
  await page.keyboard.type('It rose.')
  const box = await page.locator('.composer-text').first().boundingBox()
  const scroller = await content(page).evaluate((element) => {
    let parent = element.parentElement
    while (parent && getComputedStyle(parent).overflowY !== 'auto') parent = parent.parentElement
    const { top = 0, bottom = 0 } = parent?.getBoundingClientRect() ?? {}
    return { top, bottom }
  })
  const visible =
    Math.min(scroller.bottom, (box?.y ?? 0) + (box?.height ?? 0)) - Math.max(scroller.top, box?.y ?? 0)
  expect(visible).toBeGreaterThan(508 / 2)
  await expect(page.getByRole('button', { name: 'Create Entry' })).toBeInViewport()
  const toolbar = page.getByRole('toolbar', { name: 'Formatting' })
  await expect(toolbar).toBeInViewport()
  const widths = await toolbar
    .getByRole('button')
    .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().width))
  expect(Math.min(...widths)).toBeGreaterThanOrEqual(24)
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
})

test('the composer opens from any screen, with the most recent milestone selected', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const first = await createJournal(me)
  await createJournal(me)
  await page.goto(first.listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await page.getByLabel('Title').fill('Rye')
  await content(page).fill('It rose.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Entry created successfully')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect.poll(() => page.evaluate(() => history.state.idx)).toBe(0)

  await openApp(page, '/dashboard')
  await expect(page.getByRole('button', { name: 'Write' })).toBeVisible()
  await pressShortcut(page, 'c')
  await expect(page.getByLabel('Milestone', { exact: true })).toHaveValue(first.milestoneId)
  await page.keyboard.press('Escape')
  const write = page.getByRole('button', { name: 'Write' })
  await write.press('Enter')
  await expect(page.getByLabel('Title')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(write).toBeFocused()
  await write.click()
  await expect(page.getByLabel('Title')).toBeFocused()
  await page.keyboard.type('Wheat')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Flat.')
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(page.getByText('Entry created successfully')).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
  const entries = await me.call('listEntries', { params: { milestoneId: first.milestoneId } })
  expect(entries).toMatchObject([{ title: 'Wheat' }, { title: 'Rye' }])
})

test('without a milestone, the composer says where entries belong', { tag: '@long' }, async ({
  page,
  me: _me,
}) => {
  await openApp(page, '/dashboard')
  await page.getByRole('button', { name: 'Write' }).click()
  await expect(page.getByText('Nothing to write in yet')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('if the projects cannot be fetched, the composer shows an error instead of the empty state, and can retry', {
  tag: '@long',
}, async ({ page, me }) => {
  await withoutEvents(page)
  await createJournal(me)
  await openApp(page, '/dashboard')
  await expect(page.getByRole('heading', { name: 'A bakery' })).toBeVisible()
  await page.route('**/milestones', (route) => route.fulfill({ status: 400, json: {} }))
  await page.getByRole('button', { name: 'Write' }).click()
  const composer = page.getByRole('dialog')
  await expect(composer.getByText('Your projects could not be fetched')).toBeVisible()
  await expect(page.getByText('Nothing to write in yet')).toHaveCount(0)
  await page.unroute('**/milestones')
  await composer.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByLabel('Title')).toBeVisible()
})

test('if the permissions of the most recent project cannot be fetched, the composer shows an error and selects no other', {
  tag: '@long',
}, async ({ page, me }) => {
  await withoutEvents(page)
  const first = await createJournal(me)
  await createJournal(me)
  await page.goto(first.listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await page.getByLabel('Title').fill('Rye')
  await content(page).fill('It rose.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Entry created successfully')).toBeVisible()
  await expectAllClosed(page)

  await openApp(page, '/dashboard')
  const path = `**/api/projects/${first.projectId}/permissions`
  await page.route(path, (route) => route.fulfill({ status: 503, json: {} }))
  await page.getByRole('button', { name: 'Write' }).click()
  const composer = page.getByRole('dialog', { name: 'Add Entry' })
  await expect(composer.getByText('Your projects could not be fetched')).toBeVisible()
  await page.unroute(path)
  await composer.getByRole('button', { name: 'Try again' }).click()
  await expect(composer.getByLabel('Milestone', { exact: true })).toHaveValue(first.milestoneId)
})

test('if the milestones cannot be fetched, the composer shows an error instead of the empty state, and can retry', {
  tag: '@long',
}, async ({ page, me }) => {
  await withoutEvents(page)
  const other = await createJournal(me)
  await compose(page, me)
  const path = `**/api/projects/${other.projectId}/milestones`
  await page.route(path, (route) => route.fulfill({ status: 400, json: {} }))
  const composer = page.getByRole('dialog', { name: 'Add Entry' })
  await composer.getByLabel('Project', { exact: true }).selectOption(other.projectId)
  await expect(composer.getByText('The milestones could not be fetched.')).toBeVisible()
  await expect(composer.getByText('This project has no milestones yet.')).toHaveCount(0)
  await page.unroute(path)
  await composer.getByRole('button', { name: 'Try again' }).click()
  const milestone = composer.getByLabel('Milestone', { exact: true })
  await milestone.selectOption(other.milestoneId)
  await expect(milestone).toHaveValue(other.milestoneId)
  await expect(composer.getByText('The milestones could not be fetched.')).toHaveCount(0)
})

test('an entry is not saved under another day while its date is incomplete', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { milestoneId } = await compose(page, me)
  await page.keyboard.type('It rose.')
  const date = page.getByLabel('Date')
  await date.focus()
  await page.keyboard.press('Backspace')
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(page.getByText('Complete the date')).toBeVisible()
  await expect(date).toBeFocused()
  await date.fill('2024-02-29')
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(page.getByText('Entry created successfully')).toBeVisible()
  const entries = await me.call('listEntries', { params: { milestoneId } })
  expect(entries).toMatchObject([{ happenedOn: '2024-02-29' }])
})

test('an entry is saved as a draft, given a chosen date and moved to another project', {
  tag: '@long',
}, async ({ page, me }) => {
  const { projectId, milestoneId, listPath } = await compose(page, me)
  const other = await createJournal(me)
  await page.keyboard.type('It rose.')
  await page.getByLabel('Date').fill('2024-02-29')
  await page.getByRole('button', { name: 'Save as draft' }).click()
  await expect(page.getByText('Entry created successfully')).toBeVisible()
  const [draft] = (await me.call('listEntries', { params: { milestoneId } })) as { _id: string }[]
  expect(draft).toMatchObject({ happenedOn: '2024-02-29', state: 'draft', publishedAt: null })

  await expectAllClosed(page)
  await openListening(page, listPath)
  await page.getByRole('button', { name: 'Edit entry Rye' }).click()
  await expect(page.getByLabel('Date')).toHaveValue('2024-02-29')
  const project = page.getByLabel('Project', { exact: true })
  await project.selectOption(other.projectId)
  const renamed = { title: 'The second loaf' }
  await me.call('updateMilestone', { params: { projectId, milestoneId }, body: renamed })
  await expect(page.getByRole('dialog').getByText(renamed.title).first()).toBeVisible()
  await expect(project, 'chosen while something else changes').toHaveValue(other.projectId)
  await page.getByLabel('Milestone', { exact: true }).selectOption(other.milestoneId)
  await page.getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByText('Entry updated successfully')).toBeVisible()
  await expect(page).toHaveURL(
    `/projects/${other.projectId}/milestones/${other.milestoneId}/entries/${draft?._id}`,
  )
  await expect(page.getByRole('heading', { level: 1, name: 'Rye' })).toBeVisible()
  const moved = await me.call('listEntries', { params: { milestoneId: other.milestoneId } })
  expect(moved).toMatchObject([{ happenedOn: '2024-02-29', state: 'published' }])

  // An entry that is moved elsewhere while it is edited is saved in its new milestone.
  await page.getByRole('main').getByRole('link', { name: 'Edit', exact: true }).click()
  await replaceContent(content(page), 'It rose twice.')
  const params = { milestoneId: other.milestoneId, entryId: draft?._id ?? '' }
  await me.call('updateEntry', { params, body: { milestone: milestoneId } })
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByText('What you wrote is still here.')).toBeVisible()
  await page.getByRole('button', { name: 'Open it there' }).click()
  await expect(page.getByText('The changes that you had not saved are back.')).toBeVisible()
  await expectContent(content(page), 'It rose twice.')
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByRole('main').getByText('It rose twice.')).toBeVisible()
  expect(await me.call('readEntry', { params: { ...params, milestoneId } })).toMatchObject({
    content: 'It rose twice.',
    happenedOn: '2024-02-29',
  })
})

test('if CodeMirror cannot be loaded, the composer is a plain text area', { tag: '@long' }, async ({
  page,
  me,
}) => {
  await page.route('**/code-mirror-input-*.js', (route) => route.abort())
  await compose(page, me)
  await page.keyboard.type('It rose.')
  await expect(content(page)).toHaveValue('It rose.')
})

test('the composer is accessible on every size', { tag: '@long' }, async ({ page, me }) => {
  await compose(page, me)
  await page.keyboard.type('# Loaf\n\n- [x] `fed` [it](https://example.com)\n> said')
  for (const viewport of Object.values(sizes)) {
    await page.setViewportSize(viewport)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
  }
})

test('Ctrl and a click open a link of the text beside it', { tag: '@long' }, async ({
  page,
  me,
  baseURL,
}) => {
  const { listPath } = await createJournal(me)
  await openApp(page, listPath)
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  const content = page.getByRole('textbox', { name: 'Content' })
  await content.click()
  await page.keyboard.insertText(`see [the guide](${baseURL}/markdown-guide) now`)
  await page.getByLabel('Title').click()
  const opened = page.waitForEvent('popup')
  await content.getByText('the guide').click({ modifiers: ['Control'] })
  await expect(await opened).toHaveURL('/markdown-guide')
  await expect(content).toBeVisible()
})
