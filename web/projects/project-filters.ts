import { SEARCH_MAX } from '#contract/lists.ts'
import { within, withWords } from '#web/forms/query-words.ts'

/** What a reader has set above the projects. */
export type ProjectFilters = { search: string }

const initial: ProjectFilters = { search: '' }

const names = { search: 'q' } as const

/** Reads the filters from a URL's query; what it does not say, or says wrongly, is as at first. */
export function readFilters(params: URLSearchParams): ProjectFilters {
  return { search: within(SEARCH_MAX, params.get(names.search)) ?? initial.search }
}

/** The query with some filters changed. */
export function writeFilters(params: URLSearchParams, change: Partial<ProjectFilters>): URLSearchParams {
  return withWords(params, names, { ...readFilters(params), ...change }, initial)
}
