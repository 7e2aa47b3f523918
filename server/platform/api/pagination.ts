import type { Pagination } from '#contract/parts/pagination.ts'

/** Returns the pagination of a page of `totalItems`; a page beyond the last becomes the last. */
export function paginate(totalItems: number, asked: { page: number; limit: number }): Pagination {
  const { page, limit } = asked
  const totalPages = Math.ceil(totalItems / limit)
  const currentPage = Math.min(page, Math.max(totalPages, 1))
  return {
    totalItems,
    totalPages,
    currentPage,
    hasPrev: currentPage > 1,
    hasNext: currentPage < totalPages,
    limit,
  }
}

/** Returns how many items precede the page. */
export const offsetOf = ({ currentPage, limit }: Pagination) => (currentPage - 1) * limit
