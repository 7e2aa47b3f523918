import type { EntryPage } from '#contract/entries.ts'

/** Returns which entries are on the page, of how many; null for an empty page. */
export function countText({ entries, pagination }: Pick<EntryPage, 'entries' | 'pagination'>): string | null {
  if (entries.length === 0) return null
  const { totalItems, currentPage, limit } = pagination
  const before = (currentPage - 1) * limit
  return `Showing ${before + 1}-${before + entries.length} of ${totalItems} entries`
}

/** Returns the number of entries without filters. */
export const filteredText = ({ total }: Pick<EntryPage, 'total'>) => `Filtered from ${total} total`
