import type { Locator, Page } from '@playwright/test'
import type { Account } from '#testing/account.ts'
import { blockRequests, expect, expectNoSidewaysScroll, sizes, stopTime, test } from './fixtures/journey.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const main = (page: Page) => page.getByRole('main')

async function publicStory(me: Account, isPublic = true) {
  const project = await me.call('createProject', {
    body: { title: 'A cedar canoe', description: 'Strip by strip', isPublic },
  })
  const params = { projectId: project._id }
  const [lumber, hull] = [
    await me.call('createMilestone', {
      params,
      body: { title: 'Lumber', description: 'Straight cedar', completed: true },
    }),
    await me.call('createMilestone', { params, body: { title: 'Hull', description: 'Glue and staples' } }),
  ]
  const write = (milestoneId: string, title: string) =>
    me.call('createEntry', {
      params: { milestoneId },
      body: { title, content: 'It *bends*.', tags: ['wood'] },
    })
  const boards = await write(lumber._id, 'Boards')
  const strips = await write(hull._id, 'Strips')
  return { project, boards, strips }
}

test('the landing page invites a visitor to sign in or register', async ({ page }) => {
  const answer = await blockRequests(page, '**/api/projects/stats')
  await page.route('**/api/users/total-users', (route) => route.fulfill({ json: { total: 9 } }))
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Track Your Journey, Celebrate Progress')
  const band = page.getByRole('region', { name: 'Milepost in numbers' })
  await expect(band.getByText('...').first()).toBeVisible()
  answer({ json: { projects: 1234, milestones: 5, entries: 7 } })
  for (const label of ['Active Users', 'Projects Created', 'Milestones Achieved']) {
    await expect(band.getByText(label, { exact: true })).toBeVisible()
  }
  for (const count of ['9+', '1,234+', '5+'])
    await expect(band.getByText(count, { exact: true })).toBeVisible()
  await expect(band.getByText('Over 7 journal entries created!')).toBeVisible()
  for (const feature of [
    'Project management',
    'Team collaboration',
    'Rich content',
    'Search',
    'Public sharing',
    'Light and dark themes',
    'Ready for mobile',
  ]) {
    await expect(page.getByRole('heading', { name: feature })).toBeVisible()
  }
  await expect(page.getByText('encryption, backups and 99.9% uptime')).toBeVisible()
  await expect(main(page).getByRole('link', { name: 'Get Started', exact: true })).toHaveAttribute(
    'href',
    '/register',
  )
  await expect(main(page).getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/login')
  await expect(main(page).getByRole('link', { name: 'Get Started for Free' })).toBeVisible()
  const footer = page.locator('footer')
  await expect(footer.getByText(`© ${new Date().getUTCFullYear()}`)).toBeVisible()
  await footer.locator('a[rel=author]').click()
  await expect(page.getByRole('heading', { level: 1, name: 'About Milepost' })).toBeVisible()
})

test('statistics that cannot be fetched are shown as zero, without an error message', async ({ page }) => {
  await page.route(/\/api\/(?:projects\/stats|users\/total-users)$/, (route) => route.abort())
  await page.goto('/')
  const band = page.getByRole('region', { name: 'Milepost in numbers' })
  await expect(band.getByText('0+')).toHaveCount(3)
  await expect(band.getByText('journal entries created!')).toHaveCount(0)
  await expect(page.getByRole('list', { name: 'Messages' }).getByRole('listitem')).toHaveCount(0)
})

test('the landing page links a signed-in user to the dashboard', { tag: '@long' }, async ({ page, me }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'User menu' }).click()
  await expect(page.getByText(me.email).filter({ visible: true })).toBeVisible()
  await expect(main(page).getByRole('link', { name: 'Start Journaling' })).toHaveAttribute(
    'href',
    '/dashboard',
  )
  await expect(main(page).getByRole('link', { name: 'Explore Markdown Guide' })).toHaveAttribute(
    'href',
    '/markdown-guide',
  )
  await expect(main(page).getByRole('link', { name: /Get Started|Sign In/ })).toHaveCount(0)
})

test('two conversations alternate with a typing indicator, beside two static testimonials', {
  tag: '@long',
}, async ({ page }) => {
  await stopTime(page)
  await page.goto('/')
  const chat = page.getByRole('region', { name: 'Conversations' })
  await chat.scrollIntoViewIfNeeded()
  const first = chat.getByText('Loaf fourteen. The crumb is open at last.')
  const other = chat.getByText('Milestone four is done. The pond holds water!')
  await expect(page.getByRole('figure').filter({ has: page.getByRole('blockquote') })).toHaveCount(2)
  await expect(chat.getByText('is typing')).toBeAttached()
  await expect(first).toBeHidden()
  /** Advances the page's clock in small steps, because the page needs real time between two messages to schedule the next. */
  const advanceUntilVisible = async (message: Locator) => {
    let elapsed = 0
    const isVisible = async () => {
      await page.clock.runFor(100)
      elapsed += 100
      return message.isVisible()
    }
    await expect.poll(isVisible, { intervals: [20], timeout: 60_000 }).toBe(true)
    return elapsed
  }
  expect(await advanceUntilVisible(first)).toBeGreaterThanOrEqual(1500)
  await expect(other).toBeHidden()
  expect(await advanceUntilVisible(other)).toBeGreaterThanOrEqual(7900)
  await expect(first).toBeHidden()
})

test('a conversation that is still being typed is printed as a whole', { tag: '@long' }, async ({ page }) => {
  await stopTime(page)
  await page.goto('/')
  const chat = page.getByRole('region', { name: 'Conversations' })
  const messages = ['Loaf fourteen. The crumb is open at last.', 'I should do that with chapter three.']
  for (const message of messages) await expect(chat.getByText(message)).toBeHidden()
  await page.emulateMedia({ media: 'print' })
  for (const message of messages) await expect(chat.getByText(message)).toBeVisible()
  await expect(chat.getByText('is typing')).toBeHidden()
})

test('a public project shows its author, its progress, and a link to start a project', async ({
  page,
  owner,
}) => {
  const { project, boards, strips } = await publicStory(owner)
  await page.goto(`/world/${project._id}`)
  await expect(page.getByText('Public Project', { exact: true })).toBeVisible()
  await expect(page.getByText(`Created by ${owner.name}`)).toBeVisible()
  const timeline = page.getByRole('navigation', { name: 'Milestones' })
  const [first, second] = [
    timeline.getByRole('link', { name: 'Lumber' }),
    timeline.getByRole('link', { name: 'Hull' }),
  ]
  await expect(first).toHaveAttribute('aria-current', 'true')
  await expect(first).toContainText('Completed')
  await expect(first).toContainText('1 entry')
  await expect(first.locator('time').first()).toBeVisible()
  await expect(second).toContainText('In Progress')
  await expect(page.getByRole('link', { name: boards.title })).toBeVisible()
  await second.click()
  await expect(page.getByRole('article').getByRole('link', { name: strips.title })).toBeVisible()
  const about = page.getByRole('complementary', { name: 'About This Project' })
  await expect(about.getByRole('link', { name: 'Create your own journal' })).toHaveAttribute('href', '/')
  await expect(about.getByRole('link', { name: 'Markdown guide' })).toHaveAttribute('href', '/markdown-guide')

  await page.getByRole('article').getByRole('link', { name: strips.title }).click()
  await expect(page.getByText('Public Entry', { exact: true })).toBeVisible()
  await expect(page.getByText(`By ${owner.name}`)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Hull' })).toBeVisible()
  await expect(page.getByText('wood', { exact: true })).toBeVisible()
  await expect(page.locator('em', { hasText: 'bends' })).toBeVisible()
})

test('private and missing projects are not shown publicly', async ({ page, owner }) => {
  const { project, boards } = await publicStory(owner, false)
  const none = '0199f1f0-0000-7000-8000-000000000000'
  for (const id of [project._id, none]) {
    expect((await page.goto(`/world/${id}`))?.status()).toBe(404)
    await expect(page.getByRole('heading', { name: 'Project not found or not public' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/')
    expect((await page.goto(`/world/${id}/entries/${boards._id}`))?.status()).toBe(404)
    await expect(page.getByRole('heading', { name: 'Entry not found' })).toBeVisible()
    await expect(page.getByText(project.title)).toHaveCount(0)
  }
  await owner.call('updateProject', {
    params: { projectId: project._id },
    body: { ...project, isPublic: true },
  })
  expect((await page.goto(`/world/${project._id}/entries/${none}`))?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Entry not found' })).toBeVisible()
  await page.getByRole('link', { name: `Back to “${project.title}”` }).click()
  await expect(page).toHaveURL(`/world/${project._id}`)
})

test('a page number past the last leads back to the first page', { tag: '@long' }, async ({
  page,
  owner,
}) => {
  const { project, boards } = await publicStory(owner)
  const errors: Error[] = []
  page.on('pageerror', (error) => errors.push(error))
  expect((await page.goto(`/world/${project._id}?page=9`))?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await page.getByRole('link', { name: 'To the first page' }).click()
  await expect(page.getByRole('link', { name: boards.title })).toBeVisible()
  expect(errors).toEqual([])
})

test('right-to-left text is aligned to the right', { tag: '@long' }, async ({ page, owner }) => {
  const { project } = await publicStory(owner)
  const params = { projectId: project._id }
  const pond = await owner.call('createMilestone', { params, body: { title: 'بركة', description: 'ماء' } })
  const { _id } = await owner.call('createEntry', {
    params: { milestoneId: pond._id },
    body: { title: 'اليوم الأول', content: 'بدأنا الحفر.\n\n- خشب\n\n> قارب', tags: [] },
  })
  await page.goto(`/world/${project._id}/entries/${_id}`)
  for (const text of ['اليوم الأول', 'بدأنا الحفر.']) {
    const gap = await page.getByText(text, { exact: true }).evaluate((element) => {
      const words = document.createRange()
      words.selectNodeContents(element)
      return element.getBoundingClientRect().right - words.getBoundingClientRect().right
    })
    expect(Math.abs(gap)).toBeLessThan(2)
  }
  for (const marked of ['ul', 'blockquote'])
    await expect(page.locator('.prose').locator(marked)).toHaveCSS('direction', 'rtl')
})

test('a long word in a title does not widen a public project on a phone', { tag: '@long' }, async ({
  page,
  owner,
}) => {
  const body = { title: 'Donaudampfschiff'.repeat(6), description: 'canoe/'.repeat(20), isPublic: true }
  const { _id } = await owner.call('createProject', { body })
  await page.setViewportSize(sizes.phone)
  await page.goto(`/world/${_id}`)
  await expectNoSidewaysScroll(page)
})
