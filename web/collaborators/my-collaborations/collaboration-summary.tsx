import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Pagination } from '#contract/pagination.ts'
import { useWaitingInvitations } from '#web/collaborators/queries.ts'

type CollaborationSummaryProps = {
  pagination: Pagination | undefined
  search: string
  /** What stands at the end of the line. */
  children: ReactNode
}

/** How many collaborations were found, and by what. */
export function CollaborationSummary({ pagination, search, children }: CollaborationSummaryProps) {
  const filtered = filteredText(search)
  return (
    <div className="flex min-h-5 flex-wrap items-center justify-between gap-x-6 gap-y-1">
      <p aria-live="polite" className="flex min-w-0 flex-wrap gap-x-3 text-sm text-muted tabular-nums">
        {pagination && <span>{summaryText(pagination)}</span>}
        {pagination && filtered !== null && <span className="min-w-0 break-words">{filtered}</span>}
      </p>
      {children}
    </div>
  )
}

/** How many collaborations there are and which of them are on the page. */
export function summaryText({ totalItems, currentPage, limit }: Pagination): string {
  if (totalItems === 0) return 'No collaborations found'
  const first = (currentPage - 1) * limit + 1
  const last = Math.min(currentPage * limit, totalItems)
  return `Showing ${first}-${last} of ${totalItems} collaborations`
}

/** What the list was searched for, if anything. */
export function filteredText(search: string): string | null {
  const term = search.trim()
  return term === '' ? null : `Filtered by "${term}"`
}

/** Points to the invitations that another filter hides while they wait for an answer. */
export function WaitingInvitations() {
  const count = useWaitingInvitations()
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
