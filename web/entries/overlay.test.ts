import { expect, test } from 'vitest'
import type { Entry, EntryListPage } from '#contract/entries.ts'
import { withChanged, withEntry, withInput, withoutEntry } from './overlay.ts'

const entry = (_id: string): Entry => ({
  _id,
  title: `Loaf ${_id}`,
  content: 'It rose.',
  excerpt: 'It rose.',
  wordCount: 2,
  renderedAs: 'markdown',
  tags: [],
  milestone: 'm',
  happenedAt: '2026-11-21T10:00:00.000Z',
  happenedOn: '2026-11-21',
  happenedZone: 'UTC',
  author: { name: 'Ada Lovelace' },
  state: 'published',
  publishedAt: '2026-11-21T10:00:00.000Z',
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
  version: 1,
})

const page = (ids: string[], totalItems = ids.length, total = totalItems): EntryListPage => ({
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

test('a new entry is first, and the last entry of a full page is removed', () => {
  expect(withEntry(page([]), entry('a'))).toEqual(page(['a']))
  expect(withEntry(page(['a', 'b', 'c', 'd', 'e', 'f']), entry('g'))).toEqual(
    page(['g', 'a', 'b', 'c', 'd', 'e'], 7),
  )
})

test('a removed entry is subtracted from both totals', () => {
  expect(withoutEntry(page(['a', 'b'], 7, 20), 'a')).toEqual(page(['b'], 6, 19))
})

test('a page without an entry does not change with it', () => {
  const shown = page(['a'])
  expect(withoutEntry(shown, 'b')).toBe(shown)
  expect(withChanged(shown, 'b', () => entry('c'))).toEqual(shown)
})

test('a changed entry keeps its position', () => {
  expect(withChanged(page(['a', 'b']), 'a', () => entry('c'))).toEqual(page(['c', 'b']))
})

const fields = { title: 'Rye', content: 'It rose.', tags: ['bread', 'rye'] }

const image = { smallURL: '/api/media/1/960', width: 900, height: 600, sources: [] }
const wheat: Entry = {
  _id: '1',
  title: 'Wheat',
  content: 'It did not.',
  excerpt: 'It did not.',
  wordCount: 3,
  renderedAs: 'markdown',
  tags: [],
  imageURL: '/api/media/1/widest',
  image,
  milestone: 'm',
  happenedAt: '2026-03-01T12:00:00.000Z',
  happenedOn: '2026-03-01',
  happenedZone: 'UTC',
  author: { name: 'Ada Lovelace' },
  state: 'published',
  publishedAt: '2026-03-01T12:00:00.000Z',
  createdAt: '2026-03-01T12:00:00.000Z',
  updatedAt: '2026-03-01T12:00:00.000Z',
  version: 1,
}

test('before the server responds, an entry has its new text and its current image', () => {
  const shown = { ...wheat, ...fields, excerpt: 'It rose.' }
  expect(withInput(wheat, { ...fields, coverFile: null })).toEqual(shown)
  expect(withInput(wheat, fields)).toEqual(shown)
})

test('before the server responds, an entry has HTML only for unchanged content', () => {
  const read = { ...wheat, html: '<p>It did not.</p>' }
  expect(withInput(read, { ...fields, content: read.content })).toMatchObject({
    html: read.html,
    excerpt: read.excerpt,
  })
  expect(withInput(read, fields).html).toBeUndefined()
})
