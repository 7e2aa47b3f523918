import { useRef } from 'react'
import { HITS_PER_PAGE, SEARCH_MAX } from '#contract/parts/list-options.ts'
import type { SearchResult } from '#contract/search.ts'
import { FILTERS_HELP, parseSearch, withoutFilter } from '#contract/search-query.ts'
import { useFilters } from '#web/forms/filters.ts'
import { ScreenTitle } from '#web/head/screen-title.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { SearchInput } from '#web/ui/controls/search-input.tsx'
import { EmptyState, FetchFailed } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton, SkeletonText } from '#web/ui/feedback/loading.tsx'
import { Outdated } from '#web/ui/feedback/outdated.tsx'
import { TagChip } from '#web/ui/layout/badge.tsx'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import { dayHint } from './day-hint.ts'
import { HitRow } from './hit-row.tsx'
import { hitPath } from './hits.ts'
import { useSearch } from './queries.ts'
import { readFilters, writeFilters } from './search-filters.ts'

const HEADING = 'Search'
const codec = { read: readFilters, write: writeFilters }

/** The search over everything that the user may see. */
export default function SearchScreen() {
  const { filters, typed, type, change } = useFilters(codec)
  const query = useSearch(filters.search, filters.page)
  const list = useRef<HTMLElement>(null)

  function goTo(page: number) {
    change({ page })
    list.current?.focus()
    list.current?.scrollIntoView({ block: 'nearest' })
  }

  return (
    <Page width="reading">
      <ScreenTitle>{filters.search === '' ? HEADING : `${filters.search} – ${HEADING}`}</ScreenTitle>
      <PageHeader
        title={HEADING}
        lede="Everything in your projects, and in those that others share with you"
      />
      <div className="mb-3" data-print="hidden">
        <SearchInput
          label="Search everything"
          placeholder="Words, or “an exact phrase”"
          value={typed}
          onChange={type}
          maxLength={SEARCH_MAX}
          takesFocus
          className="w-full"
        />
      </div>
      <FilterChips search={typed} onChange={(search) => change({ search })} />
      <Outdated of={[query]} className="mb-6" />
      <section
        ref={list}
        tabIndex={-1}
        aria-label="Results"
        aria-busy={query.isFetching}
        className="mt-5 flex scroll-mt-16 flex-col gap-6 outline-none"
      >
        <output className="block text-sm text-muted">{summaryOf(query.data, filters.search)}</output>
        <Results query={query} search={filters.search} onClear={() => change({ search: '' })} />
        {query.data && <Pages result={query.data} onPage={goTo} />}
      </section>
    </Page>
  )
}

function summaryOf(result: SearchResult | undefined, search: string): string {
  if (!result) return ''
  const { hits, hasNext, page, isIndexing } = result
  const waiting = isIndexing ? ' Older things are still being indexed.' : ''
  if (search.trim() === '' && page === 1) return `The newest, in all projects.${waiting}`
  if (page === 1 && !hasNext)
    return `${hits.length === 1 ? '1 result' : `${hits.length} results`}${waiting && '.'}${waiting}`
  if (hits.length === 0) return `No more results.${waiting}`
  const from = (page - 1) * HITS_PER_PAGE
  return `Results ${from + 1} to ${from + hits.length}${hasNext ? ', and there are more' : ''}.${waiting}`
}

/** Examples of filters, as they are typed. */
const SUGGESTED = [
  { filter: 'by:me', says: 'Written by me' },
  { filter: 'has:picture', says: 'With pictures' },
  { filter: 'is:draft', says: 'My drafts' },
]

/** The filters in what was typed, which can be removed, and some that can be added. */
function FilterChips({ search, onChange }: { search: string; onChange: (search: string) => void }) {
  const { filters } = parseSearch(search)
  const written = filters.map((filter) => filter.written)
  return (
    <div className="flex flex-wrap items-center gap-2" data-print="hidden">
      {filters.map((filter) => (
        <TagChip
          key={filter.start}
          tag={filter.written}
          onRemove={() => onChange(withoutFilter(search, filter))}
        />
      ))}
      {SUGGESTED.filter(({ filter }) => !written.includes(filter)).map(({ filter, says }) => (
        <Button key={filter} size="chip" onClick={() => onChange(`${search} ${filter}`.trim())}>
          {says}
        </Button>
      ))}
    </div>
  )
}

type ResultsProps = { query: ReturnType<typeof useSearch>; search: string; onClear: () => void }

function Results({ query, search, onClear }: ResultsProps) {
  const { data } = query
  if (query.isPending) return <ResultsSkeleton />
  if (!data)
    return (
      <FetchFailed title="The search failed" busy={query.isFetching} onRetry={() => void query.refetch()} />
    )
  if (data.hits.length === 0 && data.page > 1) return null
  if (data.hits.length === 0)
    return (
      <EmptyState
        drawing="search"
        title="Nothing found"
        action={search === '' ? undefined : <Button onClick={onClear}>Clear Search</Button>}
      >
        {data.unknown.length > 0
          ? `No such filter, or nothing that it names: ${data.unknown.join(', ')}.${dayHint(data.unknown)}`
          : `Try fewer or other words. Filters narrow a search: ${FILTERS_HELP}. A minus sign keeps a word out: -varnish.`}
      </EmptyState>
    )
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-raised shadow-sm">
      {data.hits.map((hit) => (
        <li key={hit._id}>
          <HitRow hit={hit} path={hitPath(hit)} />
        </li>
      ))}
    </ul>
  )
}

function Pages({
  result: { hits, page, hasNext },
  onPage,
}: {
  result: SearchResult
  onPage: (page: number) => void
}) {
  if (page === 1 && !hasNext) return null
  return (
    <nav aria-label="Pages of results" className="flex justify-center gap-2.5">
      {hits.length === 0 && <Button onClick={() => onPage(1)}>First page</Button>}
      <Button disabled={page === 1} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <Button disabled={!hasNext} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </nav>
  )
}

function ResultsSkeleton() {
  return (
    <div className="divide-y divide-line rounded-lg border border-line bg-raised shadow-sm">
      {Array.from({ length: 4 }, (_, index) => (
        <div key={index} className="flex flex-col gap-2 p-4 sm:p-5">
          <Skeleton className="h-6 w-6/12" />
          <SkeletonText lines={2} className="w-9/12" />
        </div>
      ))}
    </div>
  )
}
