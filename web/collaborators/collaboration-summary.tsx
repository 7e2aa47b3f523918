import type { ReactNode } from 'react'
import type { Pagination } from '#contract/pagination.ts'
import { filteredText, summaryText } from './collaboration-count.ts'

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
