import { HIT_PAGES_MAX, SEARCH_MAX } from '#contract/parts/list-options.ts'
import { pageOf, withFilters, within } from '#web/forms/filters.ts'

export type SearchFilters = { search: string; page: number }

const initial: SearchFilters = { search: '', page: 1 }
const names = { search: 'q', page: 'page' } as const

export const readFilters = (params: URLSearchParams): SearchFilters => ({
  search: within(SEARCH_MAX, params.get('q')) ?? '',
  page: Math.min(pageOf(params.get('page')), HIT_PAGES_MAX),
})

/** A change of the words begins at the first page. */
export function writeFilters(params: URLSearchParams, changes: Partial<SearchFilters>): URLSearchParams {
  return withFilters(params, names, { ...readFilters(params), page: 1, ...changes }, initial)
}
