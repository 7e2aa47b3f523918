import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Pagination } from '#contract/pagination.ts'
import { type useMyCollaborations, usePendingInvitations } from '#web/collaborators/queries.ts'
import { Button, LinkButton } from '#web/ui/controls/button.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton, Spinner } from '#web/ui/feedback/loading.tsx'

import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { CollaborationCard } from './collaboration-card.tsx'

const gridClass = 'grid grid-cols-1 gap-5 sm:grid-cols-2 lg:grid-cols-3'

type CollaborationListProps = {
  query: ReturnType<typeof useMyCollaborations>
  search: string
  onClearSearch: () => void
}

/** The user's collaborations as cards, or a loading, error or empty state. */
export function CollaborationList({ query, search, onClearSearch }: CollaborationListProps) {
  if (query.isPending) return <CollaborationsSkeleton />
  if (!query.data) {
    return (
      <EmptyState
        title="Your collaborations could not be fetched"
        action={
          <Button busy={query.isFetching} onClick={() => void query.refetch()}>
            Try again
          </Button>
        }
      >
        Nothing is lost. Check your connection and try again.
      </EmptyState>
    )
  }
  const { collaborations } = query.data
  if (collaborations.length === 0 && query.isPlaceholderData) return null
  if (collaborations.length === 0 && search.trim() !== '') {
    return (
      <EmptyState action={<Button onClick={onClearSearch}>Clear Search</Button>}>
        No collaborations found matching "{search}"
      </EmptyState>
    )
  }
  if (collaborations.length === 0) return <NoCollaborations />
  return (
    <ul className={gridClass}>
      {collaborations.map((collaboration) => (
        <li key={collaboration._id}>
          <CollaborationCard collaboration={collaboration} />
        </li>
      ))}
    </ul>
  )
}

function NoCollaborations() {
  return (
    <EmptyState
      title="No Collaborations Yet"
      action={<LinkButton to="/dashboard">View My Projects</LinkButton>}
    >
      Invitations to other people's projects will appear here.
    </EmptyState>
  )
}

function CollaborationsSkeleton() {
  return (
    <output className={gridClass}>
      <VisuallyHidden>Loading collaborations</VisuallyHidden>
      {Array.from({ length: 6 }, (_, index) => (
        <Skeleton key={index} className="h-56 rounded-lg" />
      ))}
    </output>
  )
}

type CollaborationSummaryProps = {
  pagination: Pagination | undefined
  /** It is the previous page's, until the one that the filters ask for has been fetched. */
  isOutdated: boolean
  search: string
  /** Shown at the end of the line. */
  children: ReactNode
}

/** The number of collaborations and the search that found them. */
export function CollaborationSummary({
  pagination,
  isOutdated,
  search,
  children,
}: CollaborationSummaryProps) {
  const filtered = filteredText(search)
  const known = isOutdated ? undefined : pagination
  return (
    <div className="flex min-h-5 flex-wrap items-center justify-between gap-x-6 gap-y-1">
      <p aria-live="polite" className="flex min-w-0 flex-wrap gap-x-3 text-sm text-muted tabular-nums">
        {isOutdated && <Spinner label="Loading collaborations" />}
        {known && <span>{summaryText(known)}</span>}
        {known && filtered !== null && <span className="min-w-0 break-words">{filtered}</span>}
      </p>
      {children}
    </div>
  )
}

/** Returns the number of collaborations and the range on this page. */
export function summaryText({ totalItems, currentPage, limit }: Pagination): string {
  if (totalItems === 0) return 'No collaborations found'
  const first = (currentPage - 1) * limit + 1
  const last = Math.min(currentPage * limit, totalItems)
  return `Showing ${first}-${last} of ${totalItems} collaborations`
}

/** Returns the search term as a sentence, or null without one. */
export function filteredText(search: string): string | null {
  const term = search.trim()
  return term === '' ? null : `Filtered by "${term}"`
}

/** Links to pending invitations that the current filter hides. */
export function PendingInvitationsLink() {
  const count = usePendingInvitations()
  if (count === 0) return null
  return (
    <Link
      to="?status=pending"
      className="rounded-sm text-sm font-semibold text-accent hover:text-accent-strong pointer-coarse:py-2"
    >
      {count === 1 ? '1 invitation waits for your answer' : `${count} invitations wait for your answer`}
    </Link>
  )
}
