import { type ReactNode, useRef } from 'react'
import type { EntryPage } from '#contract/entries.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Pagination } from '#web/ui/controls/pagination.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Spinner } from '#web/ui/feedback/loading.tsx'

import { EntryCards } from './entry-cards.tsx'
import { countText, filteredText } from './entry-count.ts'
import { type EntryFilters, isFiltered, type useEntryFilters } from './entry-filters.ts'
import { EntryListControls, ViewToggle } from './entry-list-controls.tsx'

type EntryPagesProps = {
  projectId: string
  milestoneId: string
  /** Absent if it could not be fetched. */
  page: EntryPage | undefined
  /** It is the previous page, until the one that the filters ask for has been fetched. */
  isOutdated: boolean
  filtering: ReturnType<typeof useEntryFilters>
  canEdit: boolean
  addButton: ReactNode
  /** Shown instead of the entries if there is no page. */
  failure: ReactNode
}

/** The filters of the entry list and one page of its entries. */
export function EntryPages(props: EntryPagesProps) {
  const { projectId, milestoneId, page, isOutdated, filtering, canEdit, addButton, failure } = props
  const { filters, typed, type, change } = filtering
  const top = useRef<HTMLParagraphElement>(null)

  function goTo(next: number) {
    change({ page: next })
    top.current?.scrollIntoView({ block: 'nearest' })
  }

  return (
    <section aria-label="Entries" className="@container flex flex-col gap-3">
      <EntryListControls
        filters={filters}
        tags={page?.tags ?? []}
        typed={typed}
        onType={type}
        onChange={change}
        addButton={addButton}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p ref={top} aria-live="polite" className="text-sm text-muted tabular-nums *:whitespace-nowrap">
          {page &&
            (isOutdated ? <Spinner label="Loading entries" /> : <Count page={page} filters={filters} />)}
        </p>
        <ViewToggle view={filters.view} onChange={(next) => change({ view: next })} />
      </div>
      {!page && failure}
      {page?.pagination.totalItems === 0 && !isOutdated && (
        <EmptyState
          title="No entries match"
          action={<Button onClick={() => change({ search: '', tag: null })}>Clear filters</Button>}
        >
          Try fewer or other words, or look at all tags.
        </EmptyState>
      )}
      {page && page.pagination.totalItems > 0 && (
        <EntryCards
          projectId={projectId}
          milestoneId={milestoneId}
          entries={page.entries}
          view={filters.view}
          canEdit={canEdit}
        />
      )}
      {page && page.pagination.totalPages > 1 && (
        <Pagination
          label="Pages of entries"
          page={page.pagination.currentPage}
          pageCount={page.pagination.totalPages}
          onPage={goTo}
        />
      )}
    </section>
  )
}

function Count({ page, filters }: { page: EntryPage; filters: EntryFilters }) {
  const count = countText(page)
  return (
    <>
      {count && <span>{count}</span>}{' '}
      {isFiltered(filters) && <span className="inline-block">{filteredText(page)}</span>}
    </>
  )
}
