import type { Page, Response } from '@playwright/test'
import { createJournal } from '#testing/journal.ts'
import { expectContent, replaceContent } from './fixtures/editor.ts'
import { expect, expectAllClosed, openApp, test } from './fixtures/journey.ts'

const EVERYTHING = `# The first loaf

It **rose** and *sang*, ~~did not~~ and \`code\`.[^1] See [the recipe](https://example.com/a?b=1&c=2), [the
guide](/markdown-guide), https://example.org and [nothing](javascript:alert(1)).

- [x] Feed the *starter*
- [ ] Weigh the flour
  1. rye
  2. wheat

> Said the baker.

| Flour | g |
| :---- | --: |
| rye | **500** |

\`\`\`ts
const rye = 1
\`\`\`

> [!TIP]
> Half of $x^2 + \\sqrt{y}$, or

$$
\\frac{a}{b}
$$

![The mark](/favicon.svg) <b>raw</b> &copy; \\* ---

[^1]: In the cellar.
`

/** Nested deeper than the renderer's limit. */
const TOO_DEEP = `${'>'.repeat(150)} Said the baker.`

/** A message of markdown-it, which minification does not remove. */
const OF_THE_RENDERER = 'Input data should be a String'

const editor = (page: Page) => page.getByRole('dialog')
const preview = (page: Page) => editor(page).getByRole('tabpanel', { name: 'Preview' })
const open = (page: Page, tab: 'Edit' | 'Preview') => page.getByRole('tab', { name: tab }).click()

async function write(page: Page, content: string) {
  await page.getByRole('button', { name: 'Add your first entry' }).click()
  await page.getByLabel('Title').fill('Rye')
  await page.getByLabel('Content').fill(content)
}

/** Returns the HTML of formatted text without what keeps links of a preview in the editor and its tasks read-only. */
/** Ids of the preview are told apart from those of the page below it. */
const htmlOf = (prose: ReturnType<Page['locator']>) =>
  prose.evaluate((element) =>
    element.outerHTML.replace(/ (?:target="_blank"|disabled="")/g, '').replaceAll(/(?<=id="|#)preview-/g, ''),
  )

test('the preview matches the entry page', { tag: '@long' }, async ({ page, me }) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  await write(page, EVERYTHING)
  await open(page, 'Preview')
  await expect(preview(page).getByRole('heading', { name: 'The first loaf' })).toBeVisible()
  const previewed = await htmlOf(preview(page).locator('.prose'))

  await page.getByRole('button', { name: 'Create Entry' }).click()
  await page.getByRole('link', { name: 'Rye' }).click()
  await expect(page.getByRole('article').getByRole('heading', { name: 'The first loaf' })).toBeVisible()
  await expect.poll(() => htmlOf(page.getByRole('article').locator('.prose'))).toBe(previewed)
})

test('links in the preview do not navigate away from the editor', { tag: '@long' }, async ({
  page,
  me,
  context,
}) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  await write(page, EVERYTHING)
  await open(page, 'Preview')
  const link = (name: string) => preview(page).getByRole('link', { name })
  await expect(link('the recipe')).toHaveAttribute('target', '_blank')
  await expect(preview(page).locator('a', { hasText: 'nothing' })).not.toHaveAttribute('href')

  const opened = context.waitForEvent('page')
  await link('the guide').click()
  await expect(await opened).toHaveURL('/markdown-guide')
  const url = page.url()
  await link('Footnote 1').click()
  await expect(preview(page).getByText('In the cellar.')).toBeInViewport()
  expect(page.url()).toBe(url)
  await expect(editor(page)).toBeVisible()
})

test('the preview updates with the text', { tag: '@long' }, async ({ page, me }) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  await write(page, 'It **rose**.')
  await open(page, 'Preview')
  await expect(preview(page).locator('strong')).toHaveText('rose')
  await open(page, 'Edit')
  await replaceContent(page.getByLabel('Content'), 'It **fell**.')
  await open(page, 'Preview')
  await expect(preview(page).locator('strong')).toHaveText('fell')
  await open(page, 'Edit')
  await replaceContent(page.getByLabel('Content'), ' ')
  await open(page, 'Preview')
  await expect(preview(page)).toHaveText('Nothing to preview yet.')
})

test('a text whose rendering never ends leaves the editor usable', { tag: '@long' }, async ({ page, me }) => {
  await page.route('**/preview.worker-*.js', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: 'onmessage = () => { for (;;); }; postMessage("ready")',
    }),
  )
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  await write(page, 'It **rose**.')
  await open(page, 'Preview')
  await open(page, 'Edit')
  await replaceContent(page.getByLabel('Content'), 'It **fell**.')
  await expectContent(page.getByLabel('Content'), 'It **fell**.')
  await open(page, 'Preview')
  await expect(preview(page).getByRole('status')).toHaveText(/^This text is too complex to be previewed/)
  await expect(preview(page).getByText('It **fell**.')).toBeVisible()
})

test('hostile texts of maximum length leave the editor usable', { tag: '@long' }, async ({ page, me }) => {
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  await write(page, '')
  for (const piece of ['[', '*a_ ']) {
    await replaceContent(page.getByLabel('Content'), `Rye ${piece.repeat(200_000)}`.slice(0, 200_000))
    await open(page, 'Preview')
    await open(page, 'Edit')
    await page.getByLabel('Title').fill(`Rye ${piece}`)
    await open(page, 'Preview')
    await expect(preview(page).locator('[aria-busy]')).toHaveAttribute('aria-busy', 'false')
    await expect(preview(page).locator('.prose').last()).toContainText(`Rye ${piece}`)
    await open(page, 'Edit')
  }
  await replaceContent(page.getByLabel('Content'), 'It **rose**.')
  await open(page, 'Preview')
  await expect(preview(page).locator('strong')).toHaveText('rose')
})

test('a preview that cannot be loaded shows the source text, and is loaded when it is opened again', {
  tag: '@long',
}, async ({ page, me }) => {
  await page.route('**/preview.worker-*.js', (route) => route.abort(), { times: 1 })
  const { listPath } = await createJournal(me)
  await page.goto(listPath)
  await write(page, 'It **rose**.')
  await open(page, 'Preview')
  await expect(preview(page).getByRole('status')).toHaveText(/^The preview could not be loaded/)
  await expect(preview(page).getByText('It **rose**.')).toBeVisible()
  await open(page, 'Edit')
  await open(page, 'Preview')
  await expect(preview(page).locator('strong')).toHaveText('rose')
})

test('saving a text that is too complex to render shows an error message and loses no text', {
  tag: '@long',
}, async ({ page, me }) => {
  const { listPath, projectPath, milestoneId } = await createJournal(me)
  const warning = page.getByText('All of it is saved, but its Markdown is too complex to be formatted')
  const saved = async () => {
    const answer = await me.call('listEntries', { params: { milestoneId }, query: {} })
    return Array.isArray(answer) ? answer : answer.entries
  }
  await page.goto(listPath)
  await write(page, TOO_DEEP)
  await page.getByRole('button', { name: 'Create Entry' }).click()
  await expect(page.getByText('Entry created successfully')).toBeVisible()
  await expect(warning).toBeVisible()
  const [entry] = await saved()
  expect(entry).toMatchObject({ content: TOO_DEEP, renderedAs: 'plain' })

  await expectAllClosed(page)
  await page.goto(`${projectPath}/milestones/${milestoneId}/entries/${entry?._id}`)
  await expect(page.getByRole('article').getByText(TOO_DEEP)).toBeVisible()
  await expect(page.getByRole('article').getByRole('note')).toBeVisible()
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByLabel('Title').fill('Rye bread')
  await page.getByRole('button', { name: 'Update Entry' }).click()
  await expect(page.getByText('Entry updated successfully')).toBeVisible()
  await expect(warning).toBeVisible()
  await expect.poll(saved).toMatchObject([{ title: 'Rye bread', content: TOO_DEEP, renderedAs: 'plain' }])
})

test('reading pages do not load the Markdown renderer; opening the preview does', {
  tag: '@long',
}, async ({ page, me }) => {
  const { _id: projectId } = await me.call('createProject', {
    body: { title: 'A bakery', description: 'Bread', isPublic: true },
  })
  const { _id: milestoneId } = await me.call('createMilestone', {
    params: { projectId },
    body: { title: 'The first loaf', description: 'Flour' },
  })
  const body = { title: 'Rye', content: 'It **rose**.', tags: [] }
  const { _id: entryId } = await me.call('createEntry', { params: { milestoneId }, body })
  const scripts = new Map<string, Promise<string>>()
  page.on('response', (response: Response) => {
    if (response.url().endsWith('.js'))
      scripts.set(
        response.url(),
        response.text().catch(() => ''),
      )
  })
  const renderers = async () => {
    const found = []
    for (const [url, text] of scripts) if ((await text).includes(OF_THE_RENDERER)) found.push(url)
    return found
  }

  for (const path of [`/world/${projectId}/entries/${entryId}`, `/world/${projectId}`, '/markdown-guide'])
    await openApp(page, path)
  await page.goto(`/projects/${projectId}/milestones/${milestoneId}/entries/${entryId}`)
  await expect(page.locator('strong')).toHaveText('rose')
  await page.getByRole('link', { name: 'Edit' }).click()
  await expectContent(page.getByLabel('Content'), 'It **rose**.')
  expect(scripts.size).toBeGreaterThan(5)
  expect(await renderers()).toEqual([])

  await open(page, 'Preview')
  await expect(preview(page).locator('strong')).toHaveText('rose')
  await expect.poll(renderers).toEqual([expect.stringMatching(/\/preview\.worker-[\w-]+\.js$/)])
})
