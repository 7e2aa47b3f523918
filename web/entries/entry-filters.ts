import { ENTRY_PAGE_SIZES, ENTRY_SORTS, TAG_MAX } from '#contract/entries.ts'
import { characters, isStorable, SEARCH_MAX } from '#contract/text.ts'

export type Sort = (typeof ENTRY_SORTS)[number]
export type PageSize = (typeof ENTRY_PAGE_SIZES)[number]

export const VIEWS = ['grid', 'list'] as const
export type View = (typeof VIEWS)[number]

/** What a reader has set above the entry list. */
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

function oneOf<T extends string | number>(choices: readonly T[], written: string | null, fallback: T): T {
  return choices.find((choice) => String(choice) === written) ?? fallback
}

/** Text that the server takes for a filter. */
function within(max: number, written: string | null): string | null {
  return written !== null && isStorable(written) && characters(written) <= max ? written : null
}

/** Reads the filters from a URL's query; what it does not say, or says wrongly, is as at first. */
export function readFilters(params: URLSearchParams): EntryFilters {
  const page = params.get(names.page)
  return {
    search: within(SEARCH_MAX, params.get(names.search)) ?? initial.search,
    tag: within(TAG_MAX, params.get(names.tag)) || initial.tag,
    sort: oneOf(ENTRY_SORTS, params.get(names.sort), initial.sort),
    size: oneOf(ENTRY_PAGE_SIZES, params.get(names.size), initial.size),
    view: oneOf(VIEWS, params.get(names.view), initial.view),
    page: page && /^[1-9]\d{0,5}$/.test(page) ? Number(page) : initial.page,
  }
}

/** The query with some filters changed. Any change but that of page or view leads back to page 1. */
export function writeFilters(params: URLSearchParams, change: Partial<EntryFilters>): URLSearchParams {
  const { page, ...filters } = { ...readFilters(params), ...change }
  const stays = 'page' in change || Object.keys(change).every((name) => name === 'view')
  const next = new URLSearchParams(params)
  const written = { ...filters, page: stays ? page : initial.page }
  for (const key of Object.keys(names) as (keyof EntryFilters)[]) {
    const value = written[key]
    if (value === initial[key] || value === null) next.delete(names[key])
    else next.set(names[key], String(value))
  }
  return next
}

/** The query without what belongs to one milestone only (search, tag and page): how to look at the next one. */
export function forAnotherMilestone(params: URLSearchParams): URLSearchParams {
  return writeFilters(params, { search: initial.search, tag: initial.tag })
}

/** Whether search or tag may hide entries. */
export function isFiltered({ search, tag }: EntryFilters): boolean {
  return search.trim() !== '' || tag !== null
}
