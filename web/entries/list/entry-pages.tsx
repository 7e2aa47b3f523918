import { type Ref, useRef } from 'react'
import type { EntryListPage } from '#contract/entries.ts'
import { ENTRY_PAGE_SIZES } from '#contract/parts/list-options.ts'
import { SelectionBar } from '#web/entries/bulk/selection-bar.tsx'
import { useSelection } from '#web/entries/bulk/use-selection.ts'
import type { useEntryPage } from '#web/entries/queries.ts'
import { isUnsaved } from '#web/saving/overlay.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Pagination } from '#web/ui/controls/pagination.tsx'
import { EmptyState, FetchFailed } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton, SkeletonText, Spinner } from '#web/ui/feedback/loading.tsx'
import { Outdated } from '#web/ui/feedback/outdated.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { EntryCards, entryGridClass } from './entry-cards.tsx'
import { isFiltered, type useEntryFilters } from './entry-filters.ts'
import { EntryListControls } from './entry-list-controls.tsx'

type EntryPagesProps = {
  projectId: string
  /** The titles of milestones by id, if entries of several are listed. */
  milestoneTitles?: ReadonlyMap<string, string>
  query: ReturnType<typeof useEntryPage>
  /** The expected number of entries while they are being fetched. */
  expected: number
  filtering: ReturnType<typeof useEntryFilters>
  canEdit: boolean
  /** Whether all of them have the tag of the page, so that none is chosen here. */
  hasTag?: boolean
}

/** The filters of the entry list and one page of its entries. */
export function EntryPages(props: EntryPagesProps) {
  const { projectId, milestoneTitles, query, expected, filtering, canEdit, hasTag = false } = props
  // The previous page is shown until the one for the current filters is fetched.
  const { data: page, isPlaceholderData: isOutdated } = query
  const { filters, typed, type, change } = filtering
  const top = useRef<HTMLParagraphElement>(null)

  const { shown, selection, isSelecting, selectButton, endSelecting } = useSelecting(page, canEdit)

  function goTo(next: number) {
    change({ page: next })
    top.current?.scrollIntoView({ block: 'nearest' })
  }

  if (!page && !query.isError) return <EntryListSkeleton count={expected} />
  return (
    <section aria-label="Entries" className="@container flex flex-col gap-3">
      <EntryListControls
        filters={filters}
        tags={hasTag ? null : (page?.tags ?? [])}
        typed={typed}
        onType={type}
        onChange={change}
        quiet={page !== undefined && page.total <= ENTRY_PAGE_SIZES[0]}
        selecting={
          canEdit && page && page.total > 0
            ? { isOn: isSelecting, onToggle: isSelecting ? endSelecting : selection.start }
            : undefined
        }
        selectButton={selectButton}
        count={
          <Count
            ref={top}
            page={page}
            isOutdated={isOutdated}
            isFiltered={hasTag ? filters.search !== '' : isFiltered(filters)}
          />
        }
      />
      <Outdated of={[query]} />
      {!page && (
        <FetchFailed
          title="The entries could not be loaded"
          busy={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {page?.pagination.totalItems === 0 && !isOutdated && (
        <NoMatch onClear={() => change({ search: '', tag: null })} />
      )}
      {page && page.pagination.totalItems > 0 && (
        <EntryCards
          projectId={projectId}
          milestoneTitles={milestoneTitles}
          entries={page.entries}
          view={filters.view}
          canEdit={canEdit}
          selection={isSelecting ? selection : undefined}
          onTag={(tag) => change({ tag: tag === filters.tag ? null : tag })}
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
      {isSelecting && (
        <SelectionBar projectId={projectId} selection={selection} shown={shown} onEnd={endSelecting} />
      )}
    </section>
  )
}

const NoMatch = ({ onClear }: { onClear: () => void }) => (
  <EmptyState
    drawing="search"
    title="No entries match"
    action={<Button onClick={onClear}>Clear filters</Button>}
  >
    Try fewer or other words, or look at all tags.
  </EmptyState>
)

/** The entries of the page that may be selected, and the selection. */
function useSelecting(page: EntryListPage | undefined, canEdit: boolean) {
  const shown = page?.entries.filter((entry) => !isUnsaved(entry)) ?? []
  const selection = useSelection(shown)
  const isSelecting = canEdit && selection.chosen !== null
  const selectButton = useRef<HTMLButtonElement>(null)

  function endSelecting() {
    selection.end()
    selectButton.current?.focus()
  }

  return { shown, selection, isSelecting, selectButton, endSelecting }
}

type CountProps = {
  ref: Ref<HTMLParagraphElement>
  page: EntryListPage | undefined
  isOutdated: boolean
  isFiltered: boolean
}

/** How many entries are listed, and how many without filters. */
function Count({ ref, page, isOutdated, isFiltered: hides }: CountProps) {
  return (
    <p
      ref={ref}
      aria-live="polite"
      className="min-h-5 text-sm text-muted tabular-nums *:whitespace-nowrap @max-xl:order-2 @max-xl:col-span-2 @xl:col-span-3"
    >
      {page && isOutdated && <Spinner label="Loading entries" />}
      {page && !isOutdated && (
        <>
          <span>{countText(page)}</span> {hides && <span className="inline-block">{filteredText(page)}</span>}
        </>
      )}
    </p>
  )
}

/** Returns the range of entries on the page and the total; of an empty page `0-0`. */
export function countText({ entries, pagination }: Pick<EntryListPage, 'entries' | 'pagination'>): string {
  const { totalItems, currentPage, limit } = pagination
  if (entries.length === 0) return `Showing 0-0 of ${totalItems} entries`
  const before = (currentPage - 1) * limit
  return `Showing ${before + 1}-${before + entries.length} of ${totalItems} entries`
}

/** Returns the number of entries without filters. */
export const filteredText = ({ total }: Pick<EntryListPage, 'total'>) => `Filtered from ${total} total`

/** The placeholder of entries that are being loaded. */
export function EntryListSkeleton({ count }: { count: number }) {
  return (
    <output className="@container flex flex-col gap-3">
      <VisuallyHidden>Loading entries</VisuallyHidden>
      <Skeleton className="h-31 @xl:h-17" />
      <div className={entryGridClass}>
        {Array.from({ length: Math.min(Math.max(count, 1), ENTRY_PAGE_SIZES[0]) }, (_, index) => (
          <div
            key={index}
            className="flex h-44 animate-appear flex-col gap-3 rounded-lg border border-line bg-raised p-5 shadow-sm"
          >
            <Skeleton className="h-6 w-9/12" />
            <SkeletonText lines={3} />
            <Skeleton className="mt-auto h-4 w-24" />
          </div>
        ))}
      </div>
    </output>
  )
}
