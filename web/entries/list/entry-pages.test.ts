import { expect, test } from 'vitest'
import type { Entry } from '#contract/entries.ts'
import { countText, filteredText } from './entry-pages.tsx'

const page = (currentPage: number, shown: number, totalItems: number) => ({
  entries: Array.from({ length: shown }, () => ({}) as Entry),
  pagination: { totalItems, totalPages: 9, currentPage, hasPrev: false, hasNext: false, limit: 6 },
})

test.each([
  [1, 6, 14, 'Showing 1-6 of 14 entries'],
  [3, 2, 14, 'Showing 13-14 of 14 entries'],
  [1, 1, 1, 'Showing 1-1 of 1 entries'],
  [1, 0, 0, 'Showing 0-0 of 0 entries'],
])('page %i with %i of %i: %s', (currentPage, shown, totalItems, text) => {
  expect(countText(page(currentPage, shown, totalItems))).toBe(text)
})

test('the filtered count includes the total', () => {
  expect(filteredText({ total: 20 })).toBe('Filtered from 20 total')
})
