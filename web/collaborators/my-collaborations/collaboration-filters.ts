import { COLLABORATION_FILTERS, SEARCH_MAX } from '#contract/parts/list-options.ts'
import { oneOf, pageOf, withFilters, within } from '#web/forms/filters.ts'

export type StatusFilter = (typeof COLLABORATION_FILTERS)[number]

/** The filters of My Collaborations. */
export type CollaborationFilters = { search: string; status: StatusFilter; page: number }

const initial: CollaborationFilters = { search: '', status: 'accepted', page: 1 }

const names = { search: 'q', status: 'status', page: 'page' } as const

/** Reads the filters from search params; missing or invalid ones have their defaults. */
export function readFilters(params: URLSearchParams): CollaborationFilters {
  return {
    search: within(SEARCH_MAX, params.get(names.search)) ?? initial.search,
    status: oneOf(COLLABORATION_FILTERS, params.get(names.status), initial.status),
    page: pageOf(params.get(names.page)),
  }
}

/** Returns the search params with some filters changed. Any change but of the page resets the page to 1. */
export function writeFilters(
  params: URLSearchParams,
  change: Partial<CollaborationFilters>,
): URLSearchParams {
  const changed = { ...readFilters(params), page: initial.page, ...change }
  return withFilters(params, names, changed, initial)
}
