import { expect, test } from 'vitest'
import { readFilters, writeFilters } from './collaboration-filters.ts'

const at = (query: string) => new URLSearchParams(query)

test('without a query: the accepted ones, page 1', () => {
  expect(readFilters(at(''))).toEqual({ search: '', status: 'accepted', page: 1 })
})

test.each(['status=best&page=-2', 'page=1e3', `q=${'a'.repeat(201)}`, 'q=%00'])(
  'what a query says wrongly is as at first: %s',
  (query) => {
    expect(readFilters(at(query))).toEqual(readFilters(at('')))
  },
)

test('default values are not written, and other parameters are kept', () => {
  const changed = writeFilters(at('status=pending&from=mail'), { status: 'accepted' })
  expect(String(changed)).toBe('from=mail')
})

test('any change except of the page resets to page 1', () => {
  expect(String(writeFilters(at('page=3'), { status: 'all' }))).toBe('status=all')
  expect(String(writeFilters(at('page=3'), { search: 'rye' }))).toBe('q=rye')
  expect(String(writeFilters(at('status=all'), { page: 3 }))).toBe('status=all&page=3')
})
