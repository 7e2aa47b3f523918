import { dayIn } from '#contract/date-formats.ts'
import type { Entry, EntryFields, EntryListPage } from '#contract/entries.ts'
import { excerptOfSource } from '#markdown/source-excerpt.ts'
import { UNSAVED } from '#web/saving/unsaved.ts'
import type { EntryWithHtml } from './queries.ts'

/** An entry as sent by the editor. */
export type EntryInput = EntryFields & {
  /** Whether the text contains changes of others. */
  merged?: true
  /** Moves an existing entry to this milestone. */
  milestone?: string
  /** The draft of this text, which ends with the save. */
  draft?: string
}

/** Returns the optimistic version of a new entry. */
export function unsavedEntry(
  _id: string,
  milestoneId: string,
  { title, content, tags, happenedAt, happenedZone = 'UTC', state = 'published', publishAt }: EntryInput,
): Entry {
  const now = new Date().toISOString()
  return {
    _id,
    title,
    content,
    tags,
    excerpt: excerptOfSource(content),
    wordCount: 0,
    renderedAs: 'markdown',
    milestone: milestoneId,
    happenedAt: happenedAt ?? now,
    happenedOn: dayIn(happenedZone, new Date(happenedAt ?? now)),
    happenedZone,
    author: null,
    state,
    ...(publishAt && { publishAt }),
    publishedAt: state === 'published' ? now : null,
    createdAt: now,
    updatedAt: now,
    version: UNSAVED,
  }
}

/** Returns the optimistic version of a changed entry: a new cover appears only once it is stored, and changed content has no HTML yet. */
export function withInput(
  entry: EntryWithHtml,
  { title, content, tags, happenedAt, happenedZone, state, publishAt }: EntryInput,
): EntryWithHtml {
  return {
    ...entry,
    title,
    tags,
    ...(happenedAt &&
      happenedZone && { happenedAt, happenedZone, happenedOn: dayIn(happenedZone, new Date(happenedAt)) }),
    ...(state && { state }),
    ...(publishAt && { publishAt }),
    ...(content !== entry.content && { content, excerpt: excerptOfSource(content), html: undefined }),
  }
}

/** Returns a page with a new entry at the top, unchanged if it is on it already. */
export function withEntry(page: EntryListPage, entry: Entry): EntryListPage {
  if (page.entries.some(({ _id }) => _id === entry._id)) return page
  const entries = [entry, ...page.entries].slice(0, page.pagination.limit)
  return counted({ ...page, entries }, 1)
}

/** Returns a page without an entry, unchanged if the entry is not on it. */
export function withoutEntry(page: EntryListPage, entryId: string): EntryListPage {
  const entries = page.entries.filter(({ _id }) => _id !== entryId)
  return entries.length === page.entries.length ? page : counted({ ...page, entries }, -1)
}

function counted(page: EntryListPage, more: number): EntryListPage {
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
