import { expectAccessible } from './fixtures/accessibility.ts'
import { expect, expectNoSidewaysScroll, sizes, test } from './fixtures/journey.ts'

test('what was planned and reached is drawn along a line of time, for members and for visitors', {
  tag: '@long',
}, async ({ page, me, browser }) => {
  const { _id: projectId } = await me.call('createProject', {
    body: { title: 'A canoe', description: 'Strip by strip', isPublic: true },
  })
  const params = { projectId }
  const { _id: milestoneId } = await me.call('createMilestone', {
    params,
    body: { title: 'Hull', description: 'Strips', completed: true },
  })
  await page.goto(`/projects/${projectId}`)
  await expect(page.getByRole('heading', { level: 3, name: 'Hull' })).toBeVisible()
  await me.call('createEntry', {
    params: { milestoneId },
    body: { title: 'Cedar', content: 'x', tags: [], happenedOn: '2026-03-03', happenedZone: 'UTC' },
  })
  await me.call('createMilestone', {
    params,
    body: { title: 'משוטים Paddles', description: 'Ash', startsOn: '2026-03-01', dueOn: '2026-06-30' },
  })

  await page.reload()
  const line = page.getByRole('group').filter({ has: page.getByText('Line of time', { exact: true }) })
  await page.locator('summary', { hasText: 'Line of time' }).click()
  const table = page.getByRole('table', { name: 'Line of time' })
  await expect(table.getByRole('row')).toHaveCount(3)
  await expect(table.getByRole('row', { name: /Paddles/ })).toContainText('Jun 30, 2026')
  // A long title is cut at its own end, not at that of the page's language.
  await expect(line.locator('p', { hasText: 'משוטים' })).toHaveCSS('direction', 'rtl')
  await expect(line.getByText('Days with entries')).toBeVisible()
  await expect(line.locator('rect')).toHaveCount(1)
  await page.getByRole('radio', { name: 'Reached' }).check()
  await expect(line.locator('rect')).toBeHidden()
  await page.getByRole('radio', { name: 'Both' }).check()
  await expectAccessible(page)

  // Visitors need no scripts.
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: sizes.phone })
  const visitor = await context.newPage()
  await visitor.goto(new URL(`/world/${projectId}`, page.url()).href)
  await visitor.locator('summary', { hasText: 'Line of time' }).click()
  await expect(visitor.getByRole('table', { name: 'Line of time' }).getByRole('row')).toHaveCount(3)
  await expect(visitor.getByText('Days with entries')).toBeVisible()
  await visitor.getByRole('radio', { name: 'Planned' }).check()
  await expect(visitor.locator('svg path[class*="fill-success"]')).toBeHidden()
  await context.close()

  // With the timeline on a phone.
  await page.setViewportSize(sizes.phone)
  await page.getByRole('list', { name: 'Milestones' }).getByRole('link', { name: 'Timeline' }).click()
  await page.locator('summary', { hasText: 'Line of time' }).click()
  await expect(line.getByText('Days with entries')).toBeVisible()
  await expectNoSidewaysScroll(page)
})
