import { expect, test } from 'vitest'
import { ENTRIES_PER_PAGE, projectPage } from './project-page.ts'
import { aMilestone, anEntry, aWorld } from './testing.ts'

const many = Array.from({ length: ENTRIES_PER_PAGE + 1 }, (_, index) => anEntry({ _id: `e${index}` }))
const world = aWorld([
  aMilestone({ _id: 'first', entries: [anEntry({ _id: 'only', content: `# ${'word '.repeat(1_000)}` })] }),
  aMilestone({ _id: 'second', completed: true, entries: many }),
])

const nothing = { milestone: null, page: null }

test('the first milestone is shown until another is chosen', () => {
  expect(projectPage(world, nothing).shown?._id).toBe('first')
  expect(projectPage(world, { milestone: 'second', page: null }).shown?._id).toBe('second')
  expect(projectPage(world, { milestone: 'gone', page: null }).shown?._id).toBe('first')
  expect(projectPage(aWorld([]), nothing).shown).toBeNull()
})

test.each([
  [null, 1, ENTRIES_PER_PAGE],
  ['2', 2, 1],
  ['9', 2, 1],
  ['-1', 1, ENTRIES_PER_PAGE],
  ['1.5', 1, ENTRIES_PER_PAGE],
  ['two', 1, ENTRIES_PER_PAGE],
])('page %j of the entries is page %i', (page, given, length) => {
  const { shown } = projectPage(world, { milestone: 'second', page })
  expect(shown).toMatchObject({ page: given, pageCount: 2 })
  expect(shown?.entries).toHaveLength(length)
})

test('of the entries only the beginnings leave, and only of the milestone that is shown', () => {
  const sent = JSON.stringify(projectPage(world, nothing))
  expect(sent.length).toBeLessThan(1_500)
  expect(sent).not.toContain('e1')
})
