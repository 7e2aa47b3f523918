import { expect, expectLayers, openApp, test } from './fixtures/journey.ts'

test('a new account writes its first entry with four clicks besides typing, and Back goes back through the steps', {
  tag: '@long',
}, async ({ page, me: _me }) => {
  await openApp(page, '/dashboard')
  await page.evaluate(() => {
    document.addEventListener(
      'click',
      () => {
        document.documentElement.dataset.presses = String(
          Number(document.documentElement.dataset.presses ?? 0) + 1,
        )
      },
      true,
    )
  })

  await page.getByRole('button', { name: 'Create Project' }).click()
  const project = page.getByRole('dialog', { name: 'Create New Project' })
  await expect(project.getByLabel('Project Title')).toBeFocused()
  await page.keyboard.type('Canoe')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Strip by strip')
  await project.getByRole('button', { name: 'Create Project' }).click()

  const milestone = page.getByRole('dialog', { name: 'Add Milestone' })
  await expect(milestone.getByLabel('Title')).toBeFocused()
  await page.keyboard.type('Lumber')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Find straight cedar')
  await milestone.getByRole('button', { name: 'Create Milestone' }).click()

  const create = page.getByRole('button', { name: 'Create Entry', exact: true })
  const entry = page.getByRole('dialog').filter({ has: create })
  await expect(entry.getByLabel('Title')).toBeFocused()
  await expect(page).toHaveURL(/\/projects\/[\w-]+\?selected=[\w-]+$/)
  await page.keyboard.type('First boards')
  await page.keyboard.press('Enter')
  await page.keyboard.type('They smell of summer.')
  await create.click()
  await expect(page.getByText('Entry created successfully')).toBeVisible()
  expect(await page.locator('html').getAttribute('data-presses')).toBe('4')

  await expect(page.getByRole('link', { name: 'First boards' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expectLayers(page, 0)
  await page.goBack()
  await expect(page).toHaveURL(/\/projects\/[\w-]+$/)
  await page.goBack()
  await expect(page.getByRole('link', { name: 'First boards' })).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
})
