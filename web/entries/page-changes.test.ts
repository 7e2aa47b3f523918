import { expect, test } from 'vitest'
import type { Entry, EntryPage } from '#contract/entries.ts'
import { withChanged, withEntry, withoutEntry } from './page-changes.ts'

const entry = (_id: string): Entry => ({
  _id,
  title: `Loaf ${_id}`,
  content: 'It rose.',
  excerpt: 'It rose.',
  wordCount: 2,
  renderedAs: 'markdown',
  tags: [],
  milestone: 'm',
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
  version: 1,
})

const page = (ids: string[], totalItems = ids.length, total = totalItems): EntryPage => ({
  entries: ids.map(entry),
  pagination: {
    totalItems,
    totalPages: Math.ceil(totalItems / 6),
    currentPage: 1,
    hasPrev: false,
    hasNext: totalItems > 6,
    limit: 6,
  },
  total,
  tags: [],
})

test('a new entry stands on top, and the last gives way on a full page', () => {
  expect(withEntry(page([]), entry('a'))).toEqual(page(['a']))
  expect(withEntry(page(['a', 'b', 'c', 'd', 'e', 'f']), entry('g'))).toEqual(
    page(['g', 'a', 'b', 'c', 'd', 'e'], 7),
  )
})

test('an entry that goes is counted out, of what was found and of all', () => {
  expect(withoutEntry(page(['a', 'b'], 7, 20), 'a')).toEqual(page(['b'], 6, 19))
})

test('a page that does not show an entry does not change with it', () => {
  const shown = page(['a'])
  expect(withoutEntry(shown, 'b')).toBe(shown)
  expect(withChanged(shown, 'b', () => entry('c'))).toEqual(shown)
})

test('an entry changes in its place', () => {
  expect(withChanged(page(['a', 'b']), 'a', () => entry('c'))).toEqual(page(['c', 'b']))
})
