import { expect, test } from 'vitest'
import { filteredText, summaryText } from './collaboration-list.tsx'

const page = (currentPage: number, totalItems: number) => ({
  totalItems,
  totalPages: Math.ceil(totalItems / 10),
  currentPage,
  hasPrev: currentPage > 1,
  hasNext: currentPage * 10 < totalItems,
  limit: 10,
})

test.each([
  [page(1, 0), 'No collaborations found'],
  [page(1, 1), 'Showing 1-1 of 1 collaborations'],
  [page(1, 10), 'Showing 1-10 of 10 collaborations'],
  [page(3, 25), 'Showing 21-25 of 25 collaborations'],
])('the summary of page $currentPage of $totalItems', (pagination, text) => {
  expect(summaryText(pagination)).toBe(text)
})

test('the summary names what was searched for, if anything', () => {
  expect(filteredText(' canoe ')).toBe('Filtered by "canoe"')
  expect(filteredText('  ')).toBeNull()
})
