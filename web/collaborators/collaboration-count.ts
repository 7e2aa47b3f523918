import type { Pagination } from '#contract/pagination.ts'

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
