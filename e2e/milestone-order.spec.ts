import type { Page } from '@playwright/test'
import type { Account } from '#testing/account.ts'
import { expect, sizes, test } from './fixtures/journey.ts'

async function projectOf(me: Account, title: string, ...milestones: string[]) {
  const { _id: projectId } = await me.call('createProject', { body: { title, description: 'x' } })
  for (const name of milestones)
    await me.call('createMilestone', { params: { projectId }, body: { title: name, description: 'x' } })
  return projectId
}

const order = (page: Page) =>
  page.getByRole('list', { name: 'Milestones' }).getByRole('heading', { level: 3 }).allTextContents()
const stored = async (me: Account, projectId: string) =>
  (await me.call('listMilestones', { params: { projectId } })).map(({ title }) => title)
const move = (page: Page, title: string) => page.getByRole('button', { name: `Move milestone ${title}` })

test('milestones are put in order by keyboard and mouse, and moved to another project with their entries', {
  tag: '@long',
}, async ({ page, me }) => {
  const projectId = await projectOf(me, 'Canoe', 'Lumber', 'Hull', 'Wiring')
  const boat = await projectOf(me, 'Boat', 'Mast')
  await page.goto(`/projects/${projectId}`)
  await move(page, 'Wiring').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Wiring, 3 of 3.')).toBeAttached()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByText('Wiring, 2 of 3', { exact: true })).toBeAttached()
  await expect(move(page, 'Wiring')).toBeFocused()
  await page.keyboard.press('Escape')
  expect(await order(page)).toEqual(['Lumber', 'Hull', 'Wiring'])
  await page.keyboard.press('Enter')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await expect(move(page, 'Wiring')).toBeFocused()
  await page.keyboard.press('Enter')
  expect(await order(page)).toEqual(['Lumber', 'Wiring', 'Hull'])
  await expect.poll(() => stored(me, projectId)).toEqual(['Lumber', 'Wiring', 'Hull'])

  await move(page, 'Lumber').hover()
  const from = await move(page, 'Lumber').boundingBox()
  const to = await page.getByRole('listitem').filter({ hasText: 'Hull' }).boundingBox()
  if (!from || !to) throw new Error('nothing to drag')
  await page.mouse.move(from.x + 8, from.y + 8)
  await page.mouse.down()
  await page.mouse.move(from.x + 8, from.y + 40)
  await page.mouse.move(from.x + 8, to.y + to.height - 4, { steps: 4 })
  await page.mouse.up()
  expect(await order(page)).toEqual(['Wiring', 'Hull', 'Lumber'])
  await expect.poll(() => stored(me, projectId)).toEqual(['Wiring', 'Hull', 'Lumber'])
  await expect(page).toHaveURL(new RegExp(`/projects/${projectId}$`))

  await move(page, 'Hull').click()
  await page.getByRole('button', { name: 'Move to…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move Hull' })
  await dialog.getByLabel('Project').selectOption('Boat')
  await expect(dialog.getByText('Its entries go along')).toBeVisible()
  await dialog.getByLabel('Place').selectOption('First')
  await dialog.getByRole('button', { name: 'Move' }).click()
  await page.getByRole('button', { name: 'Open it there' }).click()
  await expect(page).toHaveURL(new RegExp(boat))
  await expect.poll(() => order(page)).toEqual(['Hull', 'Mast'])
})

test('a drag that ends before anything of it was drawn puts the milestone where it ends', {
  tag: '@long',
}, async ({ page, me }) => {
  const projectId = await projectOf(me, 'Canoe', 'Lumber', 'Hull', 'Wiring')
  await page.goto(`/projects/${projectId}`)
  await move(page, 'Lumber').evaluate((grip) => {
    const items = [...(grip.closest('ol')?.children ?? [])]
    const { left, top } = grip.getBoundingClientRect()
    const { bottom } = items.at(-1)?.getBoundingClientRect() ?? { bottom: 0 }
    const at = (type: string, target: EventTarget, clientY: number) =>
      target.dispatchEvent(
        new PointerEvent(type, {
          clientX: left + 8,
          clientY,
          bubbles: true,
          isPrimary: true,
          pointerType: 'mouse',
        }),
      )
    at('pointerdown', grip, top + 8)
    at('pointermove', window, top + 40)
    at('pointermove', window, bottom - 4)
    at('pointerup', window, bottom - 4)
  })
  expect(await order(page)).toEqual(['Hull', 'Wiring', 'Lumber'])
  await expect.poll(() => stored(me, projectId)).toEqual(['Hull', 'Wiring', 'Lumber'])
})

test('the dates of a milestone are behind More, and in order', { tag: '@long' }, async ({ page, me }) => {
  await page.goto(`/projects/${await projectOf(me, 'Canoe', 'Lumber')}`)
  const edit = page.getByRole('button', { name: 'Edit milestone Lumber' })
  const dialog = page.getByRole('dialog')
  await edit.click()
  await expect(dialog.getByLabel('Due date')).toBeHidden()
  await dialog.getByText('More').click()
  await dialog.getByLabel('Start date').fill('2026-03-05')
  await dialog.getByLabel('Due date').fill('2026-03-04')
  await dialog.getByRole('button', { name: 'Update Milestone' }).click()
  await expect(dialog.getByText('The due date cannot be before the start date')).toBeVisible()
  await dialog.getByLabel('Due date').fill('2026-04-04')
  await dialog.getByRole('button', { name: 'Update Milestone' }).click()
  await expect(page.getByText('Planned Mar 5, 2026 to Apr 4, 2026')).toBeVisible()
  await edit.click()
  await expect(dialog.getByLabel('Due date')).toHaveValue('2026-04-04')
  await dialog.getByLabel('Start date').fill('')
  await dialog.getByRole('button', { name: 'Update Milestone' }).click()
  await expect(page.getByText('Planned until Apr 4, 2026')).toBeVisible()
})

test('a date of which only a part was typed is asked for, not left out', { tag: '@long' }, async ({
  page,
  me,
}) => {
  await page.goto(`/projects/${await projectOf(me, 'Canoe', 'Lumber')}`)
  await page.getByRole('button', { name: 'Edit milestone Lumber' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('More').click()
  const due = dialog.getByLabel('Due date')
  await due.focus()
  await page.keyboard.type('02')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Complete the date, or clear it')).toBeVisible()
  await expect(due).toBeFocused()
  await due.fill('2026-02-03')
  await dialog.getByRole('button', { name: 'Update Milestone' }).click()
  await expect(page.getByText('Planned until Feb 3, 2026')).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: sizes.phone, hasTouch: true, isMobile: true })

  test('a long press drags a milestone, and a tap offers the places', { tag: '@long' }, async ({
    page,
    me,
  }) => {
    const projectId = await projectOf(me, 'Canoe', 'Lumber', 'Hull', 'Wiring')
    await page.goto(`/projects/${projectId}?selected=timeline`)
    const card = page.getByRole('article').filter({ hasText: 'Lumber' })
    const [from, to] = [
      await card.boundingBox(),
      await page.getByRole('article').filter({ hasText: 'Wiring' }).boundingBox(),
    ]
    if (!from || !to) throw new Error('nothing to drag')
    const finger = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
      finger.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: y === undefined ? [] : [{ x: from.x + 60, y }],
      })
    await touch('touchStart', from.y + 20)
    await expect(card).toHaveClass(/outline-focus/)
    for (const part of [0.3, 0.6, 1]) await touch('touchMove', from.y + part * (to.y + to.height - from.y))
    await expect.poll(() => order(page)).toEqual(['Hull', 'Wiring', 'Lumber'])
    await touch('touchEnd')
    await expect.poll(() => stored(me, projectId)).toEqual(['Hull', 'Wiring', 'Lumber'])
    await move(page, 'Hull').tap()
    await page.getByRole('button', { name: 'Down' }).tap()
    await page.getByRole('button', { name: 'Done' }).tap()
    await expect.poll(() => stored(me, projectId)).toEqual(['Wiring', 'Hull', 'Lumber'])
  })
})
