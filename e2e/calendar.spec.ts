import { expectAccessible, expectFitting } from './fixtures/accessibility.ts'
import { expect, expectNoSidewaysScroll, sizes, test } from './fixtures/journey.ts'

const dayBefore = (years: number) => {
  const today = new Date()
  return `${today.getFullYear() - years}-${String(today.getMonth() + 1).padStart(2, '0')}-${String(today.getDate()).padStart(2, '0')}`
}

test('the past is told in numbers, as a map and day by day, with the keyboard alone', {
  tag: '@long',
}, async ({ page, me }) => {
  const { _id: projectId } = await me.call('createProject', {
    body: { title: 'A canoe', description: 'Strip by strip' },
  })
  const { _id: milestoneId } = await me.call('createMilestone', {
    params: { projectId },
    body: { title: 'Hull', description: 'Strips' },
  })
  for (const [title, happenedOn] of [
    ['Cedar', '2025-03-03'],
    ['Glue', '2025-03-03'],
    ['Steamed ribs', '2025-03-31'],
    ['Varnish', '2025-05-01'],
  ] as const)
    await me.call('createEntry', {
      params: { milestoneId },
      body: { title, content: 'Slowly.', tags: [], happenedOn, happenedZone: 'UTC' },
    })

  await page.goto(`/projects/${projectId}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('link', { name: 'Look back' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Look back' })).toBeVisible()
  const main = page.getByRole('main')
  await expect(main).toContainText('days with entries3')
  await expect(main).toContainText('days, the longest pause30until')
  await expect(main.getByRole('link', { name: 'Varnish' })).toBeVisible()

  // From the longest pause to the month before, by keys, and to a day with two entries.
  await page.getByRole('button', { name: 'Previous month' }).click()
  await expect(page).toHaveURL(/month=2025-04$/)
  await expect(main).toContainText('Nothing was written in this month.')
  const grid = page.getByRole('grid', { name: /April/ })
  await grid
    .getByRole('button', { name: /1.*0 entries/ })
    .first()
    .focus()
  await page.keyboard.press('PageUp')
  const march = page.getByRole('grid', { name: /March/ })
  await expect(march.getByRole('button', { name: /1.*0 entries/ }).first()).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/day=2025-03-03$/)
  await expect(main.getByRole('article')).toHaveCount(2)
  await expectFitting(page)

  // The map and its table lead to days too.
  await main.getByText('Show 2025 as a table').click()
  await expect(main.getByRole('table').getByRole('row')).toHaveCount(4)
  await expectAccessible(page)
  await page.locator('[data-day="2025-03-31"]').first().click()
  await main.getByRole('link', { name: 'Steamed ribs' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Steamed ribs' })).toBeVisible()
})

test('all projects have a calendar, which fits on a phone with large text, and from right to left', {
  tag: '@long',
}, async ({ page, me }) => {
  await page.setViewportSize(sizes.phone)
  await page.goto('/calendar')
  await expect(page.getByText('Nothing to look back on yet')).toBeVisible()
  const { _id: projectId } = await me.call('createProject', { body: { title: 'سفينة', description: 'خشب' } })
  const { _id: milestoneId } = await me.call('createMilestone', {
    params: { projectId },
    body: { title: 'بداية', description: 'خشب' },
  })
  const body = { content: 'خشب', tags: [], happenedOn: '2025-03-03', happenedZone: 'UTC' }
  await me.call('createEntry', { params: { milestoneId }, body: { ...body, title: 'خشب' } })
  await page.goto('/calendar')
  await expect(page.getByRole('link', { name: 'خشب' })).toBeVisible()
  await expectNoSidewaysScroll(page)
  await page.evaluate(() => {
    document.documentElement.dir = 'rtl'
    document.documentElement.style.fontSize = '200%'
  })
  await expectNoSidewaysScroll(page)
  await page
    .getByRole('grid')
    .getByRole('button', { name: /March 3,/ })
    .focus()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('grid').getByRole('button', { name: /March 4,/ })).toBeFocused()
})

test('the dashboard reminds of what happened on this day, and of no project that is hidden', {
  tag: '@long',
}, async ({ page, me }) => {
  const { _id: projectId } = await me.call('createProject', {
    body: { title: 'A canoe', description: 'Strip by strip' },
  })
  const { _id: milestoneId } = await me.call('createMilestone', {
    params: { projectId },
    body: { title: 'Hull', description: 'Strips' },
  })
  const dated = (title: string, happenedOn: string) =>
    me.call('createEntry', {
      params: { milestoneId },
      body: { title, content: 'Slowly.', tags: [], happenedOn, happenedZone: 'UTC' },
    })
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 2, name: 'A canoe' })).toBeVisible()
  const reminder = page.getByRole('region', { name: 'On this day' })
  await expect(reminder).toBeHidden()
  await dated('Three years old', dayBefore(3))
  await dated('One year old', dayBefore(1))
  await page.reload()
  await expect(reminder.getByRole('link')).toHaveText(['One year old', 'Three years old'])
  await expect(reminder).toContainText('3 years ago')
  await expectFitting(page)
  await reminder.getByRole('button', { name: 'Do not remind me of A canoe' }).first().click()
  await expect(reminder).toBeHidden()
  await page.goto(`/projects/${projectId}/calendar`)
  const choice = page.getByRole('checkbox', {
    name: 'Remind me on my dashboard of what happened on this day',
  })
  await expect(choice).not.toBeChecked()
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
  await choice.click()
  await expect(choice).toBeChecked()
  await saved
  await page.goto('/dashboard')
  await expect(reminder.getByRole('link', { name: 'One year old' })).toBeVisible()
})
