import { COLLABORATION_FILTERS, SEARCH_MAX } from '#contract/lists.ts'
import { oneOf, pageOf, withFilters, within } from '#web/forms/filters.ts'

export type StatusFilter = (typeof COLLABORATION_FILTERS)[number]

/** What a reader has set above My Collaborations. */
export type CollaborationFilters = { search: string; status: StatusFilter; page: number }

const initial: CollaborationFilters = { search: '', status: 'accepted', page: 1 }

const names = { search: 'q', status: 'status', page: 'page' } as const

/** Reads the filters from a URL's query; what it does not say, or says wrongly, is as at first. */
export function readFilters(params: URLSearchParams): CollaborationFilters {
  return {
    search: within(SEARCH_MAX, params.get(names.search)) ?? initial.search,
    status: oneOf(COLLABORATION_FILTERS, params.get(names.status), initial.status),
    page: pageOf(params.get(names.page)),
  }
}

/** The query with some filters changed. Any change but that of the page leads back to page 1. */
export function writeFilters(
  params: URLSearchParams,
  change: Partial<CollaborationFilters>,
): URLSearchParams {
  const changed = { ...readFilters(params), page: initial.page, ...change }
  return withFilters(params, names, changed, initial)
}
