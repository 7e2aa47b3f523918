import type { EntryPage } from '#contract/entries.ts'

/** How many entries there are and which of them are on the page, of which there is at least one. */
export function countText({ entries, pagination }: Pick<EntryPage, 'entries' | 'pagination'>): string {
  const { totalItems, currentPage, limit } = pagination
  const before = (currentPage - 1) * limit
  return `Showing ${before + 1}-${before + entries.length} of ${totalItems} entries`
}

/** How many there would be without filters. */
export const filteredText = ({ total }: Pick<EntryPage, 'total'>) => `Filtered from ${total} total`
