import { ENTRY_PAGE_SIZES, ENTRY_SORTS, SEARCH_MAX, TAG_MAX } from '#contract/parts/list-options.ts'
import { oneOf, pageOf, useFilters, withFilters, within } from '#web/forms/filters.ts'

export type Sort = (typeof ENTRY_SORTS)[number]
export type PageSize = (typeof ENTRY_PAGE_SIZES)[number]

export const VIEWS = ['grid', 'list'] as const
export type View = (typeof VIEWS)[number]

export type EntryFilters = {
  search: string
  tag: string | null
  sort: Sort
  size: PageSize
  page: number
  view: View
}

const initial: EntryFilters = { search: '', tag: null, sort: 'newest', size: 6, view: 'grid', page: 1 }

const names = { search: 'q', tag: 'tag', sort: 'sort', size: 'size', view: 'view', page: 'page' } as const

/** Reads the filters from the search params; missing and invalid values become the initial ones. */
export function readFilters(params: URLSearchParams): EntryFilters {
  return {
    search: within(SEARCH_MAX, params.get(names.search)) ?? initial.search,
    tag: within(TAG_MAX, params.get(names.tag)) || initial.tag,
    sort: oneOf(ENTRY_SORTS, params.get(names.sort), initial.sort),
    size: oneOf(ENTRY_PAGE_SIZES, params.get(names.size), initial.size),
    view: oneOf(VIEWS, params.get(names.view), initial.view),
    page: pageOf(params.get(names.page)),
  }
}

/** Returns the search params with some filters changed. Any change except of page or view resets to page 1. */
export function writeFilters(params: URLSearchParams, change: Partial<EntryFilters>): URLSearchParams {
  const { page, ...filters } = { ...readFilters(params), ...change }
  const stays = 'page' in change || Object.keys(change).every((name) => name === 'view')
  return withFilters(params, names, { ...filters, page: stays ? page : initial.page }, initial)
}

/** Returns the search params without search, tag and page, which belong to one milestone. */
export function forAnotherMilestone(params: URLSearchParams): URLSearchParams {
  return writeFilters(params, { search: initial.search, tag: initial.tag })
}

/** Whether search or tag may hide entries. */
export function isFiltered({ search, tag }: EntryFilters): boolean {
  return search.trim() !== '' || tag !== null
}

const codec = { read: readFilters, write: writeFilters }

/** The filters of the entry list. */
export const useEntryFilters = () => useFilters(codec)
