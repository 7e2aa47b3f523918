import { expectAccessible, expectFitting } from './fixtures/accessibility.ts'
import { expect, test } from './fixtures/journey.ts'

test('a tag has a page, is renamed, merged with another, and gets its entries back with Undo', {
  tag: '@long',
}, async ({ page, me }) => {
  const { _id: projectId } = await me.call('createProject', {
    body: { title: 'A canoe', description: 'Strip by strip' },
  })
  const write = async (milestone: string, entries: readonly (readonly [string, string[]])[]) => {
    const { _id: milestoneId } = await me.call('createMilestone', {
      params: { projectId },
      body: { title: milestone, description: 'x' },
    })
    for (const [title, tags] of entries)
      await me.call('createEntry', { params: { milestoneId }, body: { title, content: 'Slowly.', tags } })
  }
  await write('Hull', [
    ['Cedar strips', ['wood', 'cedar / red']],
    ['Glue', ['glue']],
  ])
  await write('Paddles', [
    ['Ash shaft', ['wood', 'timber']],
    ['Ash blade', ['timber']],
  ])

  await page.goto(`/projects/${projectId}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('link', { name: 'Tags' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Tags' })).toBeVisible()
  const main = page.getByRole('main')
  await expect(main.getByRole('listitem')).toContainText(['cedar / red1', 'glue1', 'timber2', 'wood2'])
  await expectAccessible(page)
  await main.getByRole('link', { name: /cedar/ }).click()
  await expect(main.getByRole('article')).toHaveCount(1)
  await page.goBack()

  await main.getByRole('link', { name: /wood/ }).click()
  await expect(page).toHaveURL(/\/tags\/wood$/)
  await expect(main.getByRole('article')).toHaveCount(2)
  await expect(main).toContainText('Hull')
  await expectFitting(page)

  await page.getByRole('button', { name: 'Rename tag' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename tag' })
  await expect(dialog).toContainText('It changes in 2 entries of this project.')
  await dialog.getByLabel('Name').fill('timber')
  await expect(dialog).toContainText('There is a tag “timber” already. The two become one.')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Merge' }).click()
  await expect(page).toHaveURL(/\/tags\/timber$/)
  await expect(main.getByRole('article')).toHaveCount(3)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page).toHaveURL(/\/tags\/wood$/)
  await expect(main.getByRole('article')).toHaveCount(2)
  const { tags } = await me.call('listTags', { params: { projectId } })
  expect(tags.map(({ name, entries }) => [name, entries])).toEqual([
    ['cedar / red', 1],
    ['glue', 1],
    ['timber', 2],
    ['wood', 2],
  ])
})
