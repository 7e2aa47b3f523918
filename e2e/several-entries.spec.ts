import type { Page } from '@playwright/test'
import type { Account } from '#testing/account.ts'
import { expectAccessible } from './fixtures/accessibility.ts'
import { expect, expectNoSidewaysScroll, sizes, test } from './fixtures/journey.ts'

async function journal(me: Account) {
  const { _id: projectId } = await me.call('createProject', {
    body: { title: 'A canoe', description: 'Strip by strip' },
  })
  const ids = []
  for (const title of ['Hull', 'Paddles']) {
    const params = { projectId }
    const { _id } = await me.call('createMilestone', { params, body: { title, description: 'x' } })
    ids.push(_id)
  }
  const [milestoneId = '', paddles = ''] = ids
  for (const [index, title] of ['One', 'Two', 'Three', 'Four', 'Five'].entries())
    await me.call('createEntry', {
      params: { milestoneId },
      body: { title, content: 'Slowly.', tags: [], happenedOn: `2026-03-0${index + 1}`, happenedZone: 'UTC' },
    })
  const draft = { title: 'Six', content: 'Not yet.', tags: [], state: 'draft' as const }
  await me.call('createEntry', { params: { milestoneId }, body: draft })
  return { projectId, milestoneId, paddles }
}

const box = (page: Page, title: string) => page.getByRole('checkbox', { name: `Select entry ${title}` })
const cards = (page: Page) => page.getByRole('region', { name: 'Entries' }).getByRole('article')
const titles = async (me: Account, milestoneId: string) => {
  const listed = await me.call('listEntries', { params: { milestoneId } })
  return (Array.isArray(listed) ? listed : listed.entries).map(({ title }) => title).toSorted()
}

test('several entries are chosen by mouse and keyboard, moved and deleted, and come back with Undo', {
  tag: '@long',
}, async ({ page, me }) => {
  const { projectId, milestoneId, paddles } = await journal(me)
  await page.goto(`/projects/${projectId}?selected=${milestoneId}`)
  await page.getByRole('button', { name: 'Select entries' }).click()
  const bar = page.getByRole('group', { name: 'Selected entries' })
  await expect(bar).toContainText('0 selected')
  await expect(bar.getByRole('button', { name: 'Move to…' })).toBeDisabled()
  await box(page, 'Five').click()
  await box(page, 'Three').click({ modifiers: ['Shift'] })
  await expect(bar).toContainText('3 selected')
  await box(page, 'Four').press('Space')
  await expect(bar).toContainText('2 selected')
  await box(page, 'Two').press('Shift+Space')
  await expect(bar).toContainText('4 selected')
  await box(page, 'Six').check()
  await expectAccessible(page)

  await bar.getByRole('button', { name: 'Move to…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move 5 entries' })
  await expect(dialog).toContainText('The unpublished one among them stays yours: nobody else sees it there.')
  await expect(dialog.getByLabel('Milestone')).toHaveValue(paddles)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Move' }).click()
  await expect(bar).toBeHidden()
  await expect.poll(() => titles(me, paddles)).toEqual(['Five', 'Four', 'Six', 'Three', 'Two'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(cards(page)).toHaveCount(6)
  expect(await titles(me, paddles)).toEqual([])

  await page.getByRole('button', { name: 'Select entries' }).click()
  await page.getByRole('button', { name: 'Select all on this page' }).click()
  await box(page, 'One').uncheck()
  await page.getByRole('button', { name: 'Delete the selected entries' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(cards(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(cards(page)).toHaveCount(6)

  // Escape ends choosing, and the focus returns to where it began.
  await page.getByRole('button', { name: 'Select entries' }).click()
  await box(page, 'One').press('Escape')
  await expect(page.getByRole('button', { name: 'Select entries' })).toBeFocused()
  await expect(bar).toBeHidden()
})

test('several entries are moved by touch on a phone', { tag: '@long' }, async ({ page, me }) => {
  await page.setViewportSize(sizes.phone)
  const { projectId, milestoneId, paddles } = await journal(me)
  await page.goto(`/projects/${projectId}?selected=${milestoneId}`)
  await page.getByRole('button', { name: 'Select entries' }).click()
  await box(page, 'Five').click()
  await box(page, 'One').click()
  await expectNoSidewaysScroll(page)
  const bar = page.getByRole('group', { name: 'Selected entries' })
  await expect(bar).toContainText('2 selected')
  await bar.getByRole('button', { name: 'Move to…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click()
  await expect(bar).toBeHidden()
  await expect.poll(() => titles(me, paddles)).toEqual(['Five', 'One'])
})
