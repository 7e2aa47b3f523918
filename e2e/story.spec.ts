import type { Page } from '@playwright/test'
import type { Account } from '#testing/account.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import { expect, expectNoSidewaysScroll, openApp, sizes, test, visitor } from './fixtures/journey.ts'

/** Publishes a project with three milestones, of which the second one has no entries. */
async function publishCanoe(owner: Account) {
  const project = await owner.call('createProject', {
    body: { title: 'A cedar canoe', description: 'Strip by strip', isPublic: true },
  })
  const params = { projectId: project._id }
  for (const [title, entries] of [
    ['Lumber', ['Boards', 'Knots']],
    ['Forms', []],
    ['Hull', ['Strips']],
  ] as const) {
    const body = { title, description: `About ${title}`, completed: title === 'Lumber' }
    const { _id: milestoneId } = await owner.call('createMilestone', { params, body })
    for (const entry of entries) {
      const content = `# ${entry}\n\nIt *bends*[^1].\n\n[^1]: A little.`
      await owner.call('createEntry', { params: { milestoneId }, body: { title: entry, content, tags: [] } })
    }
  }
  return `/world/${project._id}`
}

const titles = (page: Page) => page.getByRole('article').getByRole('heading', { level: 3 })

test('a reader without scripts is led from the first entry to the last, and invited only then', async ({
  owner,
  browser,
}) => {
  const path = await publishCanoe(owner)
  const page = await visitor(browser, { javaScriptEnabled: false })
  await page.goto(path)
  await expect(titles(page)).toHaveText(['Boards', 'Knots', 'Strips'])
  await expect(page.getByText('Next milestone')).toBeVisible()
  await page.getByRole('link', { name: 'Newest first' }).click()
  await expect(titles(page)).toHaveText(['Knots', 'Boards'])
  await page.getByRole('link', { name: 'Oldest first' }).click()

  await page.getByRole('link', { name: 'Start reading' }).click()
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('Boards')
  const story = page.getByRole('navigation', { name: 'The story' })
  const about = page.getByRole('complementary', { name: 'About This Project' })
  await story.getByRole('link', { name: 'Next entry Knots' }).click()
  await expect(heading).toHaveText('Knots')
  await expect(about).toHaveCount(0)
  await expect(story.getByText('Next milestone')).toBeVisible()
  await expect(story.getByRole('link', { name: 'Hull' })).toBeVisible()
  await story.getByRole('link', { name: 'Next entry Strips' }).click()
  await expect(heading).toHaveText('Strips')
  await expect(story.getByText('This is the last entry so far.')).toBeVisible()
  await expect(about).toBeVisible()
  await story.getByRole('link', { name: 'Previous entry: Knots' }).click()
  await expect(heading).toHaveText('Knots')

  await page.goto(path)
  await page.getByRole('link', { name: 'Latest', exact: true }).click()
  await expect(heading).toHaveText('Strips')
  await page.context().close()
})

test('on a phone the trail stays in view, with the shown milestone', { tag: '@long' }, async ({
  owner,
  page,
}) => {
  const path = await publishCanoe(owner)
  await page.setViewportSize(sizes.phone)
  await page.goto(path)
  await expectNoSidewaysScroll(page)
  const trail = page.getByRole('navigation', { name: 'Milestones' })
  await page.getByRole('complementary', { name: 'About This Project' }).scrollIntoViewIfNeeded()
  await trail.getByRole('link', { name: 'Hull' }).click()
  await expect(page.getByRole('heading', { level: 2, name: 'Hull' })).toBeInViewport()
  const shown = trail.getByRole('link', { name: 'Hull' })
  await expect(shown).toHaveAttribute('aria-current', 'true')
  await expect(shown).toBeInViewport({ ratio: 0.9 })
  await expectAccessible(page)
})

test('the whole story is read and printed without scripts, a chapter for each milestone', {
  tag: '@long',
}, async ({ owner, browser }) => {
  const path = await publishCanoe(owner)
  const page = await visitor(browser, { javaScriptEnabled: false })
  await page.setViewportSize(sizes.phone)
  await page.goto(path)
  await page.getByRole('link', { name: 'Read the story' }).click()
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Lumber', 'Hull', 'About This Project'])
  await expect(titles(page)).toHaveText(['Boards', 'Knots', 'Strips'])
  await expectNoSidewaysScroll(page)
  const knots = page.getByRole('article', { name: 'Knots' })
  await knots.getByRole('link', { name: 'Footnote 1' }).click()
  await expect(knots.getByText('A little.')).toBeInViewport()
  await page.getByRole('link', { name: 'Print the whole story' }).click()
  await expect(titles(page)).toHaveText(['Boards', 'Knots', 'Strips'])
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
  await page.context().close()
})

test('a reader continues the story at the entry where this browser stopped', { tag: '@long' }, async ({
  owner,
  page,
}) => {
  const path = await publishCanoe(owner)
  await openApp(page, path)
  const further = page.getByRole('link', { name: 'Continue where I stopped' })
  await expect(further).toBeHidden()
  await openApp(page, `${path}/story/print`)
  await expectAccessible(page)
  await openApp(page, `${path}/story`)
  await expectAccessible(page)
  await page.getByRole('article', { name: 'Strips' }).scrollIntoViewIfNeeded()
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await openApp(page, path)
  await further.click()
  await expect(page).toHaveURL(/\/story#entry-/)
  await expect(page.getByRole('article', { name: 'Strips' })).toBeInViewport()
  await expect(page.getByRole('link', { name: 'Print the whole story' })).not.toBeInViewport()
})

test('members read the story of a private project', { tag: '@long' }, async ({ me, page }) => {
  const { _id: projectId } = await me.call('createProject', {
    body: { title: 'A cedar canoe', description: 'Strip by strip' },
  })
  const { _id: milestoneId } = await me.call('createMilestone', {
    params: { projectId },
    body: { title: 'Lumber', description: 'Straight cedar' },
  })
  await me.call('createEntry', {
    params: { milestoneId },
    body: { title: 'Boards', content: 'They smell of summer.', tags: [] },
  })
  await page.goto(`/projects/${projectId}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('link', { name: 'Read the story' }).click()
  await expect(page.getByRole('heading', { level: 2, name: 'Lumber' })).toBeVisible()
  await expect(page.getByText('They smell of summer.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Print the whole story' }).click()
  await expect(page.getByRole('button', { name: 'Print' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Story' }).click()
  await page.getByRole('link', { name: 'Boards' }).click()
  await expect(page).toHaveURL(new RegExp(`/projects/${projectId}/milestones/${milestoneId}/entries/`))
})
