import { expect, test } from 'vitest'
import { aPublicPage } from '#web/public/testing.ts'
import { projectPage } from './project-page.ts'

test('a project without milestones shows none', () => {
  expect(projectPage(aPublicPage([]), 'oldest').shown).toBeNull()
})

test('an empty milestone has one page, a long one as many as there are', () => {
  expect(projectPage(aPublicPage(['first'], { _id: 'first' }), 'oldest').shown).toMatchObject({
    page: 1,
    pageCount: 1,
  })
  const page = projectPage(aPublicPage(['first'], { _id: 'first', page: 3 }), 'oldest')
  expect(page.shown).toMatchObject({ page: 3, pageCount: 3 })
})

const summaryOf = (description: string) => {
  const world = aPublicPage([])
  return projectPage({ ...world, project: { ...world.project, description } }, 'oldest').summary
}

test('a summary is a short line that ends with a whole word', () => {
  expect(summaryOf(' Strip by strip,\n\n  a canoe - by hand ')).toBe('Strip by strip, a canoe - by hand')
  expect(summaryOf('bread '.repeat(50))).toMatch(/^(?:bread ){45}bread…$/)
})

test('a summary of a script without spaces does not end at its only space', () => {
  expect([...summaryOf(`木造カヌー ${'板を一枚ずつ曲げて張る。'.repeat(40)}`)]).toHaveLength(280)
})

test.each(['-', ' ', '[', '\n', 'a', '\u{1f35e}'])(
  'the longest description of %j has a short summary',
  (piece) => {
    expect([...summaryOf(piece.repeat(5_000))].length).toBeLessThanOrEqual(281)
  },
)
