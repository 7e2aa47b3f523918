import { createJournal } from '#testing/journal.ts'
import { expectFitting } from './fixtures/accessibility.ts'
import { expect, test } from './fixtures/journey.ts'

test('everything is searched from anywhere: by the key, with filters as chips, and the words are marked', {
  tag: '@long',
}, async ({ page, me }) => {
  const project = await me.call('createProject', {
    body: { title: 'A canoe', description: 'Strip by strip', isPublic: false },
  })
  const params = { projectId: project._id }
  const milestone = await me.call('createMilestone', {
    params,
    body: { title: 'Hull', description: 'Strips', completed: false },
  })
  for (const [title, content] of [
    ['Steamed ribs', 'Bent the ribs over the étagère, <em x>slowly</em>.'],
    ['Varnish', 'The first coat.'],
  ] as const)
    await me.call('createEntry', {
      params: { milestoneId: milestone._id },
      body: { title, content, tags: ['ribs'] },
    })

  await page.goto('/settings')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('/')
  await expect(page).toHaveURL('/search')
  const box = page.getByRole('searchbox', { name: 'Search everything' })
  await expect(box).toBeFocused()
  await box.fill('etag')
  const results = page.getByRole('region', { name: 'Results' })
  await expect(results.getByRole('article')).toHaveCount(1)
  await expect(results.locator('mark')).toHaveText('étag')
  await expect(results).toContainText('over the étagère, <em x>slowly</em>.')
  await expectFitting(page)

  await box.fill('tag:ribs')
  await expect(results.getByRole('article')).toHaveCount(2)
  await page.getByRole('button', { name: 'With pictures' }).click()
  await expect(results).toContainText('Nothing found')
  await page.getByRole('button', { name: 'Remove tag has:picture' }).click()
  await results.getByRole('link', { name: 'Varnish' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Varnish' })).toBeVisible()
  await page.goBack()
  await expect(box).toHaveValue('tag:ribs')

  await page.goto('/search?q=tag:ribs&page=9')
  await expect(results.getByText('No more results.')).toBeVisible()
  await expect(results).not.toContainText('Nothing found')
  await results.getByRole('button', { name: 'First page' }).click()
  await expect(results.getByRole('article')).toHaveCount(2)
})

test('a title of right-to-left letters begins at the right, as its text does', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const title = 'يوميات القارب'
  await createJournal(me, [{ title, content: 'بدأنا اليوم بتقطيع الألواح.' }])
  for (const path of ['/calendar', `/search?q=${encodeURIComponent('القارب')}`]) {
    await page.goto(path)
    const link = page.getByRole('main').getByRole('link', { name: title })
    const [words, text] = await Promise.all([
      link.boundingBox(),
      page.getByText('بدأنا اليوم بتقطيع الألواح.').boundingBox(),
    ])
    expect((words?.x ?? 0) + (words?.width ?? 0), path).toBeCloseTo((text?.x ?? 0) + (text?.width ?? 0), 0)
  }
})
