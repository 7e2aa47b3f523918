import type { Page } from '@playwright/test'
import { createJournal } from '#testing/journal.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import { blockInTurn, blockRequests, expect, expectAllClosed, sizes, test } from './fixtures/journey.ts'

const timeline = (page: Page) => page.getByRole('list', { name: 'Milestones' })

test('a milestone is completed by its marker, and completing the last one shows a project summary', {
  tag: '@long',
}, async ({ page, me }) => {
  await page.setViewportSize(sizes.desktop)
  const { projectId, projectPath } = await createJournal(me, [{ title: 'Rye' }, { title: 'Wheat' }])
  const body = { title: 'The oven', description: 'Bricks.', completed: false }
  await me.call('createMilestone', { params: { projectId }, body })
  await page.goto(projectPath)
  const first = timeline(page).getByRole('checkbox', { name: 'Complete The first loaf' })
  await expect(first).not.toBeChecked()
  await expectConnected(page)

  await first.focus()
  await page.keyboard.press('Space')
  await expect(first).toBeChecked()
  await expect(page.getByText('Milestone updated successfully')).toBeVisible()
  await expect(timeline(page).getByRole('listitem').first()).toContainText(/Completed.*Reached .+20/)
  await expect(timeline(page).getByText('reached')).toHaveCount(1)
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuetext', '1 of 2 milestones completed')
  await page.getByRole('button', { name: 'What did you learn?' }).click()
  const composer = page.getByRole('dialog', { name: 'Add Entry' })
  await expect(composer.getByLabel('Milestone')).toContainText('The first loaf')
  await page.keyboard.press('Escape')
  await expect(composer).toBeHidden()

  const finished = page.getByRole('region', { name: 'Project finished' })
  await expect(finished).toBeHidden()
  await timeline(page).getByRole('checkbox', { name: 'Complete The oven' }).click({ force: true })
  await expect(finished).toContainText('1 day, 2 milestones, 2 entries')
  await expectAccessible(page)
  await finished.getByRole('button', { name: 'Share the story' }).click()
  await expect(page.getByRole('dialog', { name: 'Share Project' })).toBeVisible()
  await page.keyboard.press('Escape')
  await finished.getByRole('button', { name: 'Dismiss' }).click()
  await expectAllClosed(page)
  await page.reload()
  await expect(timeline(page)).toBeVisible()
  await expect(finished).toBeHidden()
})

test('a second press of a marker that comes before the first is shown saves nothing', {
  tag: '@long',
}, async ({ page, me }) => {
  const { projectPath } = await createJournal(me)
  await page.goto(projectPath)
  const box = timeline(page).getByRole('checkbox', { name: 'Complete The first loaf' })
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()))
  await box.evaluate((input: HTMLElement) => {
    input.click()
    input.click()
  })
  await expect(page.getByText('Milestone updated successfully')).toBeVisible()
  await expect(box).toBeChecked()
  expect(sent).toHaveLength(1)
})

test('a milestone that is reopened before its completion is saved stays open', { tag: '@long' }, async ({
  page,
  me,
}) => {
  const { projectId, projectPath } = await createJournal(me)
  await page.goto(projectPath)
  const box = timeline(page).getByRole('checkbox', { name: 'Complete The first loaf' })
  const releaseNext = await blockInTurn(page, '**/milestones/*', 'PUT')
  const first = page.waitForRequest((request) => request.method() === 'PUT')
  await box.click({ force: true })
  await expect(box).toBeChecked()
  await first
  // The second request is sent after the first response.
  await box.click({ force: true })
  await expect(box).not.toBeChecked()
  releaseNext()
  await expect(page.getByText('Milestone updated successfully')).toBeVisible()
  await expect(box).not.toBeChecked()
  const isCompleted = async () => (await me.call('listMilestones', { params: { projectId } }))[0]?.completed
  expect(await isCompleted()).toBe(true)
  releaseNext()
  await expect.poll(isCompleted).toBe(false)
  await expect(box).not.toBeChecked()
})

test('a milestone that was edited while its completion failed was not changed elsewhere', {
  tag: '@long',
}, async ({ page, me }) => {
  const { projectId, projectPath } = await createJournal(me)
  await page.goto(projectPath)
  const fail = await blockRequests(page, '**/milestones/*', 'PUT')
  const box = timeline(page).getByRole('checkbox', { name: 'Complete The first loaf' })
  await box.focus()
  await page.keyboard.press('Space')
  await expect(box).toBeChecked()
  await timeline(page).getByRole('button', { name: 'Edit milestone The first loaf' }).click({ force: true })
  const dialog = page.getByRole('dialog', { name: 'Edit Milestone' })
  await dialog.getByLabel('Title').fill('The second loaf')
  fail({ status: 500, json: { code: 'internal', message: 'Something went wrong' } })
  await expect(page.getByText('Failed to update milestone')).toBeVisible()
  await page.unroute('**/milestones/*')
  await dialog.getByRole('button', { name: 'Update Milestone' }).click()
  await expect(page.getByText('Milestone updated successfully')).toBeVisible()
  await expect(dialog).toBeHidden()
  const [saved] = await me.call('listMilestones', { params: { projectId } })
  expect(saved).toMatchObject({ title: 'The second loaf', completed: true })
})

/** The line of each milestone connects its marker with the next one. */
async function expectConnected(page: Page) {
  const gaps = await timeline(page).evaluate((list) => {
    const markers = [...list.querySelectorAll('li circle:last-of-type')].map((one) =>
      one.getBoundingClientRect(),
    )
    const lines = [...list.querySelectorAll('li .timeline-line:first-child')].map((one) =>
      one.getBoundingClientRect(),
    )
    return lines
      .slice(0, -1)
      .flatMap((line, at) => [
        line.top - (markers[at]?.bottom ?? 0),
        (markers[at + 1]?.top ?? 0) - line.bottom,
      ])
  })
  expect(gaps).toHaveLength(2)
  for (const gap of gaps) expect(gap).toBeLessThanOrEqual(0.5)
}

test('a new milestone is selected immediately, and the project shows who can see it', {
  tag: '@long',
}, async ({ page, me }) => {
  const { _id } = await me.call('createProject', {
    body: { title: 'Canoe', description: 'Strips', isPublic: false },
  })
  await page.goto(`/projects/${_id}`)
  await page.getByRole('button', { name: 'Private' }).click()
  await page.getByRole('button', { name: 'Make it public' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('link', { name: 'View page' })).toHaveAttribute('href', `/world/${_id}`)

  await page.getByRole('button', { name: 'Create Milestone' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Milestone' })
  await dialog.getByLabel('Title').fill('Lumber')
  await dialog.getByLabel('Description').fill('Straight cedar.')
  await dialog.getByRole('button', { name: 'Create Milestone' }).click()
  await expect(page.getByRole('heading', { level: 2, name: 'Lumber' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add your first entry' })).toBeVisible()
})
