import { expect, test } from 'vitest'
import { finishedFacts } from './finished-summary.tsx'

const at = '2026-03-20T12:00:00.000Z'

test('a finished project states its days, milestones, entries and pictures', () => {
  expect(finishedFacts({ at, days: 128, entries: 1_041, pictures: 1 }, 5)).toBe(
    '128 days, 5 milestones, 1,041 entries, 1 picture.',
  )
})

test('a finished project without pictures does not mention them', () => {
  expect(finishedFacts({ at, days: 1, entries: 1, pictures: 0 }, 1)).toBe('1 day, 1 milestone, 1 entry.')
})
