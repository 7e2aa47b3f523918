import { useId } from 'react'
import { Link } from 'react-router'
import type { Collaboration } from '#contract/collaborators.ts'
import type { Pagination } from '#contract/parts/pagination.ts'
import { type useMyCollaborations, useOpenInvitations } from '#web/collaborators/queries.ts'
import { RoleBadge } from '#web/collaborators/roles.tsx'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { EmptyState, FetchFailed, NothingFound } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton, SkeletonText, Spinner } from '#web/ui/feedback/loading.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { CardSkeletons, cardGridClass } from '#web/ui/layout/cards.tsx'
import { Time } from '#web/ui/layout/time.tsx'
import { CollaborationActions, CollaborationCard } from './collaboration-card.tsx'

type CollaborationListProps = {
  query: ReturnType<typeof useMyCollaborations>
  /** Whether something above the list is still to come, which would move it. */
  isHeld: boolean
  search: string
  onClearSearch: () => void
}

/** The user's collaborations as cards, or a loading, error or empty state. */
export function CollaborationList({ query, isHeld, search, onClearSearch }: CollaborationListProps) {
  if (query.isPending || isHeld) return <CollaborationsSkeleton />
  if (!query.data) {
    return (
      <FetchFailed
        title="Your collaborations could not be fetched"
        busy={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    )
  }
  const { collaborations } = query.data
  if (collaborations.length === 0 && query.isPlaceholderData) return null
  if (collaborations.length === 0 && search.trim() !== '') {
    return <NothingFound what="collaborations" term={search} onClear={onClearSearch} />
  }
  if (collaborations.length === 0) return <NoCollaborations />
  return (
    <ul className={cardGridClass}>
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
      drawing="people"
      title="No Collaborations Yet"
      action={<LinkButton to="/dashboard">View My Projects</LinkButton>}
    >
      Invitations to other people's projects will appear here.
    </EmptyState>
  )
}

function CollaborationsSkeleton() {
  return (
    <output className={cardGridClass}>
      <VisuallyHidden>Loading collaborations</VisuallyHidden>
      <CardSkeletons className="pb-3">
        <Skeleton className="-mx-5 -mt-5 mb-4 aspect-[3/1] rounded-b-none" />
        <Skeleton className="h-7 w-8/12" />
        <SkeletonText lines={1} className="mt-3 mb-5" />
        <div className="flex gap-1.5">
          <Skeleton className="h-5.5 w-16" />
          <Skeleton className="h-5.5 w-20" />
        </div>
        <Skeleton className="mt-3 h-5 w-9/12" />
      </CardSkeletons>
    </output>
  )
}

type CollaborationSummaryProps = {
  pagination: Pagination | undefined
  /** Whether it is the previous page's, until the filtered one has been fetched. */
  isOutdated: boolean
  search: string
}

/** The number of collaborations, and the search term. */
export function CollaborationSummary({ pagination, isOutdated, search }: CollaborationSummaryProps) {
  const filtered = filteredText(search)
  const known = isOutdated ? undefined : pagination
  return (
    <p aria-live="polite" className="flex min-h-5 min-w-0 flex-wrap gap-x-3 text-sm text-muted tabular-nums">
      {isOutdated && <Spinner label="Loading collaborations" />}
      {known && <span>{summaryText(known)}</span>}
      {known && filtered !== null && <span className="min-w-0 break-words">{filtered}</span>}
    </p>
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

/** The number of invitations shown above the list until it is expanded. */
const SHOWN = 3

/** The pending invitations, shown above the list regardless of its filter, or below it if there was no room for them. */
export function OpenInvitations({ atMost = SHOWN }: { atMost?: number }) {
  const { invitations } = useOpenInvitations()
  const shown = Math.min(SHOWN, atMost)
  if (invitations.length === 0) return null
  return (
    <section tabIndex={-1} aria-label="Invitations" className="mb-8 outline-none">
      <ul className="divide-y divide-line rounded-lg border border-accent/40 bg-accent-soft/35">
        {invitations.slice(0, shown).map((invitation) => (
          <li key={invitation._id}>
            <OpenInvitation invitation={invitation} />
          </li>
        ))}
      </ul>
      {invitations.length > shown && (
        <Link
          to="?status=pending"
          className="mt-2 inline-flex rounded-sm text-sm font-semibold text-accent hover:text-accent-strong pointer-coarse:py-2"
        >
          View all invitations
        </Link>
      )}
    </section>
  )
}

function OpenInvitation({ invitation }: { invitation: Collaboration }) {
  const titleId = useId()
  const { project, inviter, role, expiresAt } = invitation
  return (
    <article
      aria-labelledby={titleId}
      className="flex flex-wrap items-center gap-x-6 gap-y-3 px-4 py-3.5 sm:px-5"
    >
      <div className="min-w-0 flex-1 basis-64">
        <p className="text-sm text-muted">
          <bdi>{inviter.name}</bdi> invites you to
        </p>
        <h2 id={titleId} dir="auto" className="line-clamp-2 font-reading text-lg font-medium">
          {project.title}
        </h2>
        <p className="mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm text-muted">
          <RoleBadge role={role} />
          {expiresAt !== null && (
            <span>
              Expires <Time iso={expiresAt} />
            </span>
          )}
        </p>
      </div>
      <div className="w-full sm:w-64">
        <CollaborationActions collaboration={invitation} titleId={titleId} />
      </div>
    </article>
  )
}
