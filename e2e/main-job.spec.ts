import { randomBytes } from 'node:crypto'
import { expectAccessible } from './fixtures/accessibility.ts'
import { expect, openApp, test, visitor } from './fixtures/journey.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('a person registers, documents a project, publishes it, and a visitor reads it', async ({
  page,
  browser,
}) => {
  await openApp(page, '/')
  await page.getByRole('main').getByRole('link', { name: 'Get Started', exact: true }).click()
  await page.getByLabel('Full Name').fill('Ada Lovelace')
  await page.getByLabel('Email').fill(`ada-${randomBytes(6).toString('hex')}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill('Difference Engine 2')
  await page.getByLabel('Confirm Password').fill('Difference Engine 2')
  await expect(page.getByRole('button', { name: 'Create Account' })).toBeDisabled()
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Create Account' }).click()

  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByText("You don't have any projects yet.")).toBeVisible()
  await page.getByRole('button', { name: 'Create Project' }).click()
  const projectDialog = page.getByRole('dialog', { name: 'Create New Project' })
  await projectDialog.getByLabel('Project Title').fill('A cedar-strip canoe')
  await projectDialog.getByLabel('Description').fill('One strip at a time.')
  await projectDialog.getByLabel('Make this project publicly viewable').check()
  await projectDialog.getByRole('button', { name: 'Create Project' }).click()
  await expect(page.getByText('Project created successfully')).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
  await page.getByRole('link', { name: 'View Details' }).click()

  await page.getByRole('button', { name: 'Add Milestone' }).click()
  const milestoneDialog = page.getByRole('dialog', { name: 'Add Milestone' })
  await milestoneDialog.getByLabel('Title').fill('Lumber')
  await milestoneDialog.getByLabel('Description').fill('Find straight red cedar.')
  await milestoneDialog.getByRole('button', { name: 'Create Milestone' }).click()
  await expect(page.getByText('Milestone created successfully')).toBeVisible()
  await page.getByRole('button', { name: 'Add your first entry' }).click()

  const editor = page
    .getByRole('dialog')
    .filter({ has: page.getByRole('button', { name: 'Create Entry', exact: true }) })
  await editor.getByLabel('Title').fill('First boards')
  await editor
    .getByRole('textbox', { name: 'Content' })
    .fill('They smell of **summer**.\n\n- [x] stacked\n- [ ] sorted')
  await editor.getByLabel('Tags').fill('wood')
  await editor.getByLabel('Tags').press('Enter')
  await editor.getByRole('tab', { name: 'Preview' }).click()
  await expect(editor.locator('strong', { hasText: 'summer' })).toBeVisible()
  await editor.getByRole('button', { name: 'Create Entry' }).click()
  await expect(page.getByText('Entry created successfully')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'A cedar-strip canoe' })).toBeVisible()
  await page
    .getByRole('link', { name: /First boards/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'First boards' })).toBeVisible()
  await expect(page.locator('strong', { hasText: 'summer' })).toBeVisible()

  const projectId = /projects\/([^/]+)/.exec(page.url())?.[1] ?? ''
  for (const javaScriptEnabled of [true, false]) {
    const reader = await visitor(browser, { javaScriptEnabled })
    const response = await reader.goto(`/world/${projectId}`)
    expect(response?.status()).toBe(200)
    await expect(reader.getByRole('heading', { level: 1, name: 'A cedar-strip canoe' })).toBeVisible()
    await expect(reader.getByText('Created by Ada Lovelace')).toBeVisible()
    await reader
      .getByRole('link', { name: /First boards/ })
      .first()
      .click()
    await expect(reader.getByRole('heading', { level: 1, name: 'First boards' })).toBeVisible()
    await expect(reader.locator('strong', { hasText: 'summer' })).toBeVisible()
    if (javaScriptEnabled) await expectAccessible(reader)
    await reader.context().close()
  }
})
