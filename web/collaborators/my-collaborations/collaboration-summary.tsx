import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Pagination } from '#contract/pagination.ts'
import { usePendingInvitations } from '#web/collaborators/queries.ts'
import { Spinner } from '#web/ui/spinner.tsx'

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
