import { useRef } from 'react'
import { COLLABORATION_FILTERS, SEARCH_MAX } from '#contract/parts/list-options.ts'
import { useHiddenInvitations, useMyCollaborations, useOpenInvitations } from '#web/collaborators/queries.ts'
import { useFilters } from '#web/forms/filters.ts'
import { ScreenTitle } from '#web/head/screen-title.tsx'
import { ConfirmationEmail } from '#web/identity/emailed-links/confirmation-email.tsx'
import { useSession } from '#web/identity/session.tsx'
import { Pagination } from '#web/ui/controls/pagination.tsx'
import { SearchInput } from '#web/ui/controls/search-input.tsx'
import { TryAgain } from '#web/ui/controls/try-again.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Outdated } from '#web/ui/feedback/outdated.tsx'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import { useRoomAbove } from '#web/ui/layout/use-room-above.ts'
import { readFilters, type StatusFilter, writeFilters } from './collaboration-filters.ts'
import { CollaborationList, CollaborationSummary, OpenInvitations } from './collaboration-list.tsx'

const HEADING = 'My Collaborations'
const codec = { read: readFilters, write: writeFilters }

/** The projects that others invited the user to. */
export default function MyCollaborationsScreen() {
  const { filters, typed, type, change } = useFilters(codec)
  const query = useMyCollaborations(filters)
  const { invitations, isAwaited } = useOpenInvitations()
  const isHeld = isAwaited && filters.status !== 'pending'
  const room = useRoomAbove(invitations.length, { isDrawn: !query.isPending && !isAwaited })
  const pagination = isHeld ? undefined : query.data?.pagination
  const list = useRef<HTMLElement>(null)

  function goTo(page: number) {
    change({ page })
    list.current?.scrollIntoView({ block: 'nearest' })
  }

  return (
    <Page>
      <ScreenTitle>{HEADING}</ScreenTitle>
      <PageHeader title={HEADING} lede="Projects you're collaborating on with other team members" />
      {filters.status !== 'pending' && room > 0 && <OpenInvitations atMost={room} />}
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
        <Outdated of={[query]} />
        <CollaborationSummary
          pagination={pagination}
          isOutdated={query.isPlaceholderData}
          search={filters.search}
        />
        <CollaborationList
          query={query}
          isHeld={isHeld}
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
        {filters.status !== 'pending' && room === 0 && !isHeld && <OpenInvitations />}
        {/* Below the list, because it comes later and must not move what is being read. */}
        {query.data && !isHeld && <MissingInvitations />}
      </section>
    </Page>
  )
}

const labels: { [status in StatusFilter]: string } = {
  all: 'All',
  accepted: 'Accepted',
  pending: 'Pending',
  declined: 'Declined',
}

type StatusFiltersProps = {
  choices: readonly StatusFilter[]
  status: StatusFilter
  onChange: (status: StatusFilter) => void
}

/** Filters the collaborations by the status of their invitation. */
function StatusFilters({ choices, status, onChange }: StatusFiltersProps) {
  return (
    <fieldset
      aria-label="Status"
      className="flex max-w-full min-w-0 flex-wrap gap-1 rounded-lg bg-sunken p-1 max-sm:w-full"
    >
      {choices.map((choice) => (
        <button
          key={choice}
          type="button"
          aria-pressed={choice === status}
          className="h-8 flex-1 rounded-md border border-transparent px-2 text-sm font-semibold text-muted transition-colors hover:text-ink aria-pressed:border-line aria-pressed:bg-raised aria-pressed:text-ink aria-pressed:shadow-sm sm:px-3.5 pointer-coarse:h-11"
          onClick={() => onChange(choice)}
        >
          {labels[choice]}
        </button>
      ))}
    </fieldset>
  )
}

/** Explains why invitations may be missing: the user's email address is not confirmed, or that could not be fetched. */
function MissingInvitations() {
  const { user } = useSession()
  const { areHidden, failed } = useHiddenInvitations()
  if (failed) {
    return (
      <Banner tone="info" action={<TryAgain size="sm" onClick={() => void failed.refetch()} />}>
        Invitations may be missing here, because it could not be checked whether you have confirmed your
        address.
      </Banner>
    )
  }
  if (!areHidden) return null
  return (
    <Banner tone="info">
      <p>
        Invitations to <b className="font-semibold break-words">{user?.email}</b> appear here once you have
        confirmed that address, by the link that was mailed to it.
      </p>
      <ConfirmationEmail />
    </Banner>
  )
}
