import { useRef } from 'react'
import { COLLABORATION_FILTERS, SEARCH_MAX } from '#contract/lists.ts'
import { useFilters } from '#web/forms/filters.ts'
import { ScreenTitle } from '#web/shell/screen-title.tsx'
import { Page, PageHeader } from '#web/ui/page.tsx'
import { Pagination } from '#web/ui/pagination.tsx'
import { SearchInput } from '#web/ui/search-input.tsx'
import { useKeepFocus } from '#web/ui/use-keep-focus.ts'
import { readFilters, writeFilters } from './collaboration-filters.ts'
import { CollaborationList } from './collaboration-list.tsx'
import { CollaborationSummary } from './collaboration-summary.tsx'
import { useMyCollaborations } from './queries.ts'
import { StatusFilters } from './status-filters.tsx'
import { UnconfirmedAddress } from './unconfirmed-address.tsx'
import { WaitingInvitations } from './waiting-invitations.tsx'

const HEADING = 'My Collaborations'
const codec = { read: readFilters, write: writeFilters }

/** The projects that others invited the reader to. */
export default function MyCollaborationsScreen() {
  const { filters, typed, type, change } = useFilters(codec)
  const query = useMyCollaborations(filters)
  const pagination = query.data?.pagination
  const list = useRef<HTMLElement>(null)
  useKeepFocus(list, query.data?.collaborations.length ?? 0)

  function goTo(page: number) {
    change({ page })
    list.current?.scrollIntoView({ block: 'nearest' })
  }

  return (
    <Page>
      <ScreenTitle>{HEADING}</ScreenTitle>
      <PageHeader title={HEADING} lede="Projects you're collaborating on with other team members" />
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-3" data-print="hidden">
        <SearchInput
          label="Search collaborative projects"
          placeholder="Search collaborative projects..."
          value={typed}
          onChange={type}
          maxLength={SEARCH_MAX}
          className="w-full sm:w-80"
        />
        <StatusFilters
          choices={COLLABORATION_FILTERS}
          status={filters.status}
          onChange={(status) => change({ status })}
        />
      </div>
      <section
        ref={list}
        tabIndex={-1}
        aria-label="Collaborations"
        className="flex scroll-mt-16 flex-col gap-6 outline-none"
      >
        <UnconfirmedAddress />
        <CollaborationSummary pagination={pagination} search={filters.search}>
          {filters.status !== 'pending' && filters.status !== 'all' && <WaitingInvitations />}
        </CollaborationSummary>
        <CollaborationList
          query={query}
          search={filters.search}
          onClearSearch={() => change({ search: '' })}
        />
        {pagination && pagination.totalPages > 1 && (
          <Pagination
            label="Pages of collaborations"
            page={pagination.currentPage}
            pageCount={pagination.totalPages}
            onPage={goTo}
          />
        )}
      </section>
    </Page>
  )
}
