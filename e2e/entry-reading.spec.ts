import { addCollaborator, createJournal } from '#testing/journal.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import { expect, expectNoSidewaysScroll, openApp, pressShortcut, sizes, test } from './fixtures/journey.ts'

const TASKS = '# To do\n\n1. > - [ ] Feed the *starter*  \n\n- [x] Weigh the flour\n- [ ] Bake\n'
const EVERYTHING = `# Crumb

Inline $e^{i\\pi}+1=0$ and much more.

$$
\\begin{align} f(x) &= x^2 + ${'x + '.repeat(60)} 1 \\\\ &= 2 \\end{align}
$$

> [!NOTE]
> A note with \`code\`.

> [!TIP]
> A tip.

> [!IMPORTANT]
> Important.

> [!WARNING]
> A warning.

> [!CAUTION]
> A caution.

\`\`\`ts
// ${'long '.repeat(40)}
export const rise = async (grams: number): Promise<string> => \`\${grams * 1.5} g\`
@bake class Loaf extends Bread { "crumb" = /open/ }
\`\`\`

\`\`\`diff
- salt 10 g
+ salt 12 g
\`\`\`

| A | wide | table | of | many | columns | indeed | more | than | fit |
|---|------|-------|----|------|---------|--------|------|------|-----|
| 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 |

https://www.youtube.com/watch?v=dQw4w9WgXcQ

https://tube.example/w/kkGMgK9ZtnKfYAgnEtQxbv

- [x] done
- [ ] not done

It rose.[^1]

[^1]: Slowly.
`

test('a task is ticked on the entry page by keyboard, and nothing else in the text changes', {
  tag: '@long',
}, async ({ page, me }) => {
  const { entryPath, entries, milestoneId } = await createJournal(me, [{ title: 'Rye', content: TASKS }])
  await openApp(page, entryPath(0))
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
  const feed = page.getByRole('checkbox', { name: 'Feed the starter' })
  await feed.focus()
  await page.keyboard.press('Space')
  await expect(feed).toBeChecked()
  expect((await saved).status()).toBe(200)
  await expect(feed).toBeFocused()
  await page.getByRole('checkbox', { name: 'Weigh the flour' }).click()
  await expect(page.getByRole('checkbox', { name: 'Weigh the flour' })).not.toBeChecked()
  const params = { milestoneId, entryId: entries[0]?._id ?? '' }
  await expect
    .poll(async () => (await me.call('readEntry', { params })).content)
    .toBe(TASKS.replace('[ ] Feed', '[x] Feed').replace('[x] Weigh', '[ ] Weigh'))
  await page.reload()
  await expect(feed).toBeChecked()
  await expect(page.getByRole('checkbox', { name: 'Weigh the flour' })).not.toBeChecked()
})

test('a tick that cannot be saved is rolled back with a toast', { tag: '@long' }, async ({ page, me }) => {
  const { entryPath } = await createJournal(me, [{ title: 'Rye', content: TASKS }])
  await openApp(page, entryPath(0))
  const bake = page.getByRole('checkbox', { name: 'Bake' })
  await page.route('**/api/milestones/**', (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 500, json: {} }) : route.continue(),
  )
  await bake.click()
  await expect(page.getByText('Failed to save the task')).toBeVisible()
  await expect(bake).not.toBeChecked()
})

test('a tick that fails after the page was left and opened again is not saved by the next one', {
  tag: '@long',
}, async ({ page, me }) => {
  const { entryPath, entries, milestoneId } = await createJournal(me, [
    { title: 'Rye', content: TASKS },
    { title: 'Wheat' },
  ])
  const bake = page.getByRole('checkbox', { name: 'Bake' })
  const feed = page.getByRole('checkbox', { name: 'Feed the starter' })
  const { promise: isBack, resolve: fail } = Promise.withResolvers<void>()
  await openApp(page, entryPath(0))
  let isFirst = true
  await page.route('**/api/milestones/**', async (route) => {
    if (route.request().method() !== 'PUT' || !isFirst) return route.continue()
    isFirst = false
    await isBack
    await route.fulfill({ status: 500, json: { code: 'internal', message: 'Something went wrong' } })
  })
  await bake.click()
  await page.getByRole('navigation', { name: 'The story' }).getByRole('link').click()
  await expect(page.getByRole('heading', { name: 'Wheat', level: 1 })).toBeVisible()
  await page.goBack()
  await expect(bake).toBeChecked()
  await feed.click()
  fail()
  await expect(page.getByText('Failed to save the task')).toBeVisible()
  const params = { milestoneId, entryId: entries[0]?._id ?? '' }
  await expect
    .poll(async () => (await me.call('readEntry', { params })).content)
    .toBe(TASKS.replace('[ ] Feed', '[x] Feed'))
  await expect(bake).not.toBeChecked()
  await expect(feed).toBeChecked()
})

test('a tick that conflicts with someone else’s edit shows their text', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { entryPath, entries, milestoneId } = await createJournal(me, [{ title: 'Rye', content: TASKS }])
  const params = { milestoneId, entryId: entries[0]?._id ?? '' }
  await openApp(page, entryPath(0))
  await page.route('**/api/milestones/**', async (route) => {
    if (route.request().method() === 'PUT')
      await me.call('updateEntry', { params, body: { title: 'Rye', content: '- [ ] Sell', tags: [] } })
    await route.continue()
  })
  await page.getByRole('checkbox', { name: 'Bake' }).click()
  await expect(page.getByText('Somebody else has changed this entry')).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Sell' })).not.toBeChecked()
  await expect(page.getByRole('checkbox', { name: 'Bake' })).toHaveCount(0)
})

test('a viewer reads tasks and cannot tick them, nor edit by a key', { tag: '@long' }, async ({
  page,
  me,
  owner,
}) => {
  const { entryPath, projectId } = await createJournal(owner, [{ title: 'Rye', content: TASKS }])
  await addCollaborator(owner, projectId, me)
  await openApp(page, entryPath(0))
  await expect(page.getByRole('checkbox', { name: 'Bake' })).toBeDisabled()
  await page.keyboard.press('e')
  await expect(page).toHaveURL(entryPath(0))
})

test('shortcuts open the adjacent entries and the editor', { tag: '@long' }, async ({ page, me }) => {
  const { entryPath, entries } = await createJournal(me, [
    { title: 'Rye' },
    { title: 'Wheat', content: TASKS },
    { title: 'Oats' },
  ])
  await openApp(page, entryPath(1))
  const beside = page.getByRole('navigation', { name: 'The story' })
  await expect(beside.getByRole('link', { name: 'Oats' })).toBeVisible()
  await page.getByRole('checkbox', { name: 'Bake' }).focus()
  await pressShortcut(page, 'j')
  await expect(page.getByRole('heading', { level: 1, name: 'Oats' })).toBeVisible()
  await expect(beside.getByRole('link', { name: 'Wheat' })).toBeVisible()
  await pressShortcut(page, 'k')
  await expect(page.getByRole('heading', { level: 1, name: 'Wheat' })).toBeVisible()
  await expect(beside.getByRole('link', { name: 'Rye' })).toBeVisible()
  await page.keyboard.press('Control+e')
  await pressShortcut(page, 'k')
  await expect(page.getByRole('heading', { level: 1, name: 'Rye' })).toBeVisible()
  await pressShortcut(page, '?')
  await expect(page.getByRole('dialog').getByText('Next entry')).toBeVisible()
  await page.keyboard.press('j')
  await expect(page).toHaveURL(entryPath(0))
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await pressShortcut(page, 'e')
  await expect(page).toHaveURL(new RegExp(`edit=${entries[0]?._id}`))
  await expect(page.getByLabel('Title')).toHaveValue('Rye')
})

test('a video is requested only after a click', { tag: '@long' }, async ({ page, me }) => {
  const { entryPath } = await createJournal(me, [{ title: 'Rye', content: EVERYTHING }])
  const asked: string[] = []
  await page.route(/youtube|ytimg/, (route) => {
    asked.push(route.request().url())
    return route.fulfill({ contentType: 'text/html', body: '<p>A film</p>' })
  })
  await openApp(page, entryPath(0))
  const link = page.getByRole('link', { name: 'Video on YouTube' })
  await expect(link).toHaveAttribute('href', 'https://www.youtube.com/watch?v=dQw4w9WgXcQ')
  expect(asked).toEqual([])
  await link.click()
  await expect(page.frameLocator('iframe[title="Video on YouTube"]').getByText('A film')).toBeVisible()
  expect(asked).toEqual(['https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1'])
})

for (const [size, viewport] of Object.entries(sizes)) {
  test.describe(`on a ${size}`, () => {
    test.use({ viewport })

    test('all Markdown elements are readable in both themes, and wide ones scroll on their own', {
      tag: '@long',
    }, async ({ page, me }) => {
      test.slow()
      const { entryPath, projectId, entries } = await createJournal(
        me,
        [{ title: 'Rye', content: EVERYTHING }],
        {
          isPublic: true,
        },
      )
      for (const path of [entryPath(0), `/world/${projectId}/entries/${entries[0]?._id}`]) {
        await page.goto(path)
        await expect(page.getByRole('group', { name: 'Formula' })).toBeVisible()
        await expectNoSidewaysScroll(page)
        await expectAccessible(page)
      }
    })
  })
}

test('on paper a wide table is whole, and an open dialog does not cover the text', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const wide = ['', ' --- ', ' some longer words '].map((cell, row) =>
    Array.from({ length: 15 }, (_, column) => (row === 0 ? ` column ${column} ` : cell)).join('|'),
  )
  const { entryPath } = await createJournal(me, [{ title: 'Woods', content: wide.join('\n') }])
  await page.setViewportSize({ width: 700, height: 900 })
  await openApp(page, entryPath(0))
  await page.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByText('Are you sure you want to delete this entry?')
  await expect(question).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(question).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Woods', includeHidden: true })).toBeVisible()
  const overflow = await page
    .locator('.prose table')
    .evaluate((table) => table.getBoundingClientRect().right - document.documentElement.clientWidth)
  expect(overflow).toBeLessThanOrEqual(0)
})
