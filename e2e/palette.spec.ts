import type { Page } from '@playwright/test'
import { createJournal } from '#testing/journal.ts'
import { expectAccessible, expectFitting } from './fixtures/accessibility.ts'
import {
  blockRequests,
  expect,
  expectAllClosed,
  expectLayers,
  expectNoSidewaysScroll,
  sizes,
  test,
} from './fixtures/journey.ts'

const palette = (page: Page) => page.getByRole('dialog', { name: 'Commands' })
const chosen = (page: Page) => palette(page).locator('[role=option][aria-selected=true]')

test('the palette finds, does and creates, with the keyboard alone', async ({ page, me }) => {
  const { _id: projectId } = await me.call('createProject', {
    body: { title: 'A canoe', description: 'Strip by strip' },
  })
  const { _id: milestoneId } = await me.call('createMilestone', {
    params: { projectId },
    body: { title: 'Hull', description: 'Strips' },
  })
  await me.call('createEntry', {
    params: { milestoneId },
    body: { title: 'Steamed ribs', content: 'Over the étagère.', tags: [] },
  })
  await page.goto('/settings')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  await page.keyboard.press('ControlOrMeta+k')
  const box = palette(page).getByRole('combobox')
  await expect(box).toBeFocused()
  await expect(palette(page).getByRole('option', { name: 'Steamed ribs' })).toBeVisible()
  await expectLayers(page, 1)
  await expectFitting(page)
  await page.keyboard.type('etag')
  await expect(chosen(page)).toContainText('Steamed ribs')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Steamed ribs' })).toBeVisible()
  await expect(palette(page)).toBeHidden()
  await page.goBack()
  await expect(page).toHaveURL('/settings')

  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('dark')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveClass(/dark/)
  await expect(palette(page)).toBeHidden()

  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('add mile')
  await page.keyboard.press('Enter')
  await expect(chosen(page)).toHaveText('A canoe')
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: 'Add Milestone' })
  await expect(form.getByLabel('Title')).toBeFocused()
  await page.keyboard.type('Varnish')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Three coats')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page).toHaveURL(new RegExp(`/projects/${projectId}\\?selected=`))
  await expect(page.getByRole('heading', { level: 2, name: 'Varnish' })).toBeVisible()

  // On a project's page its own commands come first; Escape returns the focus.
  const add = page.getByRole('button', { name: 'Add Milestone' })
  await add.focus()
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('share')
  await expect(chosen(page)).toHaveText('Share this project')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: /Share/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(add).toBeFocused()
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.press('ControlOrMeta+k')
  await expect(palette(page)).toBeHidden()
  await expect(add).toBeFocused()
})

test('keys work on a layout of another script, and Ctrl+K stays the link in the composer', {
  tag: '@long',
}, async ({ page, me }) => {
  const { _id: projectId } = await me.call('createProject', { body: { title: 'A canoe', description: 'x' } })
  await me.call('createMilestone', { params: { projectId }, body: { title: 'Hull', description: 'x' } })
  await page.goto(`/projects/${projectId}`)
  await expect(page.getByRole('heading', { level: 1, name: 'A canoe' })).toBeVisible()
  const press = (key: string, code: string, ctrlKey = false) =>
    page.evaluate((init) => document.body.dispatchEvent(new KeyboardEvent('keydown', init)), {
      key,
      code,
      ctrlKey,
      bubbles: true,
      cancelable: true,
    })
  await press('л', 'KeyK', true)
  await expect(palette(page)).toBeVisible()
  await expect(palette(page).getByRole('option', { name: 'Write an entry' })).toContainText('c')
  await page.keyboard.press('Escape')
  await expect(palette(page)).toBeHidden()
  await press('с', 'KeyC')
  const text = page.getByRole('textbox', { name: 'Content' })
  await text.click()
  await page.keyboard.type('oak')
  await page.keyboard.press('Shift+Home')
  await page.keyboard.press('ControlOrMeta+k')
  await expect(text).toContainText('[oak]')
  await expect(palette(page)).toBeHidden()
})

test('the palette fits on a phone with large text', { tag: '@long' }, async ({ page, me }) => {
  await me.call('createProject', { body: { title: 'A canoe with a very long name', description: 'x' } })
  await page.setViewportSize(sizes.phone)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Search and commands' }).click()
  await expect(palette(page).getByRole('option', { name: 'A canoe' })).toBeVisible()
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
  })
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  await palette(page).getByRole('option', { name: 'Create a project' }).click()
  await expect(page.getByRole('dialog', { name: 'Create New Project' })).toBeVisible()
})

test('what is typed while the palette, or the composer, still opens is in its field', {
  tag: '@long',
}, async ({ page, me }) => {
  await createJournal(me)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const openPalette = await blockRequests(page, /\/palette-[^/]*\.js$/)
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('steemed')
  for (const _ of 'emed') await page.keyboard.press('Backspace')
  await page.keyboard.type('amed ribs')
  openPalette()
  await expect(palette(page).getByRole('combobox')).toHaveValue('steamed ribs')
  await page.keyboard.type(' twice')
  await expect(palette(page).getByRole('combobox')).toHaveValue('steamed ribs twice')
  await page.keyboard.press('Escape')
  await expectAllClosed(page)

  const openDialog = await blockRequests(page, /\/write-dialog-[^/]*\.js$/)
  const findMilestone = await blockRequests(page, /\/api\/projects\/[^/]+\/milestones/)
  await page.keyboard.press('c')
  await page.keyboard.type('Steamed ')
  await expect(page.getByRole('dialog', { name: 'Opening' })).toBeVisible()
  openDialog()
  await expect(page.getByRole('dialog', { name: 'Add Entry' })).toBeVisible()
  await page.keyboard.type('ribs')
  findMilestone()
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Steamed ribs')
  await page.keyboard.type(' and keel')
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Steamed ribs and keel')
})
