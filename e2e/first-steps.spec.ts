import { expect, expectLayers, openApp, test } from './fixtures/journey.ts'

test('a new project stays on the dashboard with a way into it, a new milestone leads to its first entry, and nothing opens by itself', {
  tag: '@long',
}, async ({ page, me: _me }) => {
  await openApp(page, '/dashboard')
  await page.getByRole('button', { name: 'Create Project' }).click()
  const project = page.getByRole('dialog', { name: 'Create New Project' })
  await project.getByLabel('Project Title').fill('Canoe')
  await project.getByLabel('Description').fill('Strip by strip')
  await project.getByRole('button', { name: 'Create Project' }).click()
  await expect(page.getByText('Project created successfully')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Canoe' })).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  // Share, edit and delete are always to be seen.
  await page.mouse.move(0, 0)
  for (const name of ['Share Canoe', 'Edit project Canoe', 'Delete project Canoe'])
    await expect(page.getByRole('button', { name })).toHaveCSS('opacity', '1')

  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(page).toHaveURL(/\/projects\/[\w-]+$/)
  await expect(page.getByText('No milestones yet')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: 'Add Milestone' }).click()
  const milestone = page.getByRole('dialog', { name: 'Add Milestone' })
  await milestone.getByLabel('Title').fill('Lumber')
  await milestone.getByLabel('Description').fill('Find straight cedar')
  await milestone.getByRole('button', { name: 'Create Milestone' }).click()
  await expect(page.getByText('Currently viewing this milestone')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add your first entry' })).toBeFocused()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expectLayers(page, 0)
})
