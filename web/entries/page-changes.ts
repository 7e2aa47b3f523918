import type { Entry, EntryPage } from '#contract/entries.ts'

/** A page of which an entry was changed, wherever it stands on it. */
export function withChanged(page: EntryPage, entryId: string, change: (entry: Entry) => Entry): EntryPage {
  return { ...page, entries: page.entries.map((entry) => (entry._id === entryId ? change(entry) : entry)) }
}

/** A page with a new entry on top. */
export function withEntry(page: EntryPage, entry: Entry): EntryPage {
  const entries = [entry, ...page.entries].slice(0, page.pagination.limit)
  return counted({ ...page, entries }, 1)
}

/** A page without an entry. One that did not show it stays as it is. */
export function withoutEntry(page: EntryPage, entryId: string): EntryPage {
  const entries = page.entries.filter(({ _id }) => _id !== entryId)
  return entries.length === page.entries.length ? page : counted({ ...page, entries }, -1)
}

function counted(page: EntryPage, more: number): EntryPage {
  const { currentPage, limit, hasPrev } = page.pagination
  const totalItems = page.pagination.totalItems + more
  const totalPages = Math.ceil(totalItems / limit)
  const hasNext = currentPage < totalPages
  return {
    ...page,
    total: page.total + more,
    pagination: { totalItems, totalPages, currentPage, hasPrev, hasNext, limit },
  }
}
