import { expect, it } from 'vitest'
import { HIT_PAGES_MAX } from '#contract/parts/list-options.ts'
import { readFilters } from './search-filters.ts'

it('a page beyond the last that can be asked for is that one', () => {
  expect(readFilters(new URLSearchParams('q=oak&page=9999'))).toEqual({ search: 'oak', page: HIT_PAGES_MAX })
})
