import { expect, test } from 'vitest'
import { forAnotherMilestone, isFiltered, readFilters, writeFilters } from './entry-filters.ts'

const at = (query: string) => new URLSearchParams(query)

test('without a query: newest first, a grid of six, page 1', () => {
  expect(readFilters(at(''))).toEqual({
    search: '',
    tag: null,
    sort: 'newest',
    size: 6,
    view: 'grid',
    page: 1,
  })
})

test('invalid search params fall back to the defaults', () => {
  expect(readFilters(at('sort=best&size=7&view=3d&page=-2&tag='))).toEqual(readFilters(at('')))
})

test.each([`q=${'a'.repeat(201)}`, `tag=${'a'.repeat(51)}`, 'q=%00&tag=%00'])(
  'no invalid filter is sent to the server: %s',
  (query) => {
    expect(readFilters(at(query))).toEqual(readFilters(at('')))
  },
)

test.each([
  [{ search: 'rye' }, 'q=rye'],
  [{ tag: 'oven' }, 'tag=oven'],
  [{ sort: 'title' as const }, 'sort=title'],
  [{ size: 24 as const }, 'size=24'],
])('changing %j returns to page 1', (change, query) => {
  expect(writeFilters(at('page=3'), change).toString()).toBe(query)
})

test('changing the view keeps the page', () => {
  expect(writeFilters(at('page=3'), { view: 'list' }).toString()).toBe('page=3&view=list')
})

test('going to a page keeps the filters', () => {
  expect(writeFilters(at('q=rye&size=12'), { page: 2 }).toString()).toBe('q=rye&size=12&page=2')
})

test('other parameters of the query are kept', () => {
  expect(writeFilters(at('selected=1&edit=2&milestone=3'), { sort: 'oldest' }).toString()).toBe(
    'selected=1&edit=2&milestone=3&sort=oldest',
  )
})

test('changing the milestone keeps view and sort order and removes search, tag and page', () => {
  expect(forAnotherMilestone(at('q=rye&tag=oven&page=2&view=list&size=12&sort=title')).toString()).toBe(
    'view=list&size=12&sort=title',
  )
})

test('only search and tag count as filters', () => {
  expect(isFiltered(readFilters(at('view=list&sort=title&q=+')))).toBe(false)
  expect(isFiltered(readFilters(at('q=rye')))).toBe(true)
  expect(isFiltered(readFilters(at('tag=rye')))).toBe(true)
})
