import type { QueryClient } from '@tanstack/react-query'
import type { Entry, EntryBetween, EntryFields, EntryListPage } from '#contract/entries.ts'
import { dayIn } from '#contract/parts/date-formats.ts'
import { excerptOfSource } from '#markdown/source-excerpt.ts'
import { htmlAfter } from '#web/markdown/ticks.ts'
import { eachShown, type ShownChange, showing, UNSAVED } from '#web/saving/overlay.ts'

/** An entry with its neighbors, and with its HTML if that was fetched after the last change of the content. */
export type EntryWithHtml = Entry & { html?: string | undefined } & Partial<
    Pick<EntryBetween, 'previous' | 'next'>
  >

/** An entry as sent by the composer. */
export type EntryInput = EntryFields & {
  /** Whether the text contains changes of others. */
  merged?: true
  /** Moves an existing entry to this milestone. */
  milestone?: string
  /** The draft of this text, which ends with the save. */
  draft?: string
}

type Shows = {
  /** Whether the entries of a milestone belong to the list. */
  hasMilestone: (milestoneId: string, client: QueryClient) => boolean
  /** Whether a new entry is on this page of it. */
  takesNew: boolean
}

/** A page of entries with pending changes. */
export const showingPage = ({ hasMilestone, takesNew }: Shows) =>
  showing(
    eachShown((page: EntryListPage, change, client) => {
      const { thing } = change
      const isListed = page.entries.some(({ _id }) => _id === thing)
      if (change.call === 'createEntry') {
        const { milestoneId } = change.params
        if (isListed) return change.answer ? withChanged(page, thing, () => change.answer as Entry) : page
        if (!takesNew || !hasMilestone(milestoneId, client)) return page
        return withEntry(page, change.answer ?? unsavedEntry(thing, milestoneId, change.body as EntryInput))
      }
      if (!isListed) return page
      if (change.call === 'updateEntry') return withChanged(page, thing, (entry) => changed(entry, change))
      return change.call === 'deleteEntry' ? withoutEntry(page, thing) : page
    }),
  )

/** One entry with pending changes. */
export const showingEntry = showing(
  eachShown((entry: EntryWithHtml, change) =>
    change.call === 'updateEntry' && change.thing === entry._id ? changed(entry, change) : entry,
  ),
)

function changed(
  entry: EntryWithHtml,
  { body, base, answer }: Extract<ShownChange, { call: 'updateEntry' }>,
): EntryWithHtml {
  // One that was moved is fetched from there.
  if (answer?.milestone === entry.milestone) return withAnswer(entry, answer)
  // The next change is based on what this one makes.
  return { ...withInput(entry, body as Partial<EntryInput>), ...(base > 0 && { version: base + 1 }) }
}

/** Returns an entry as the server has it now. Responses to changes contain no HTML: that of unchanged content stays until it is refetched. */
export const withAnswer = (old: EntryWithHtml | undefined, answer: Entry): EntryWithHtml => ({
  ...(old?.previous !== undefined && { previous: old.previous }),
  ...(old?.next !== undefined && { next: old.next }),
  ...answer,
  html: old && htmlAfter(old.html, old.content, answer.content),
})

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

/** Returns the optimistic version of a changed entry: a new cover appears only once it is stored. */
export function withInput(
  entry: EntryWithHtml,
  { content = entry.content, ...input }: Partial<EntryInput>,
): EntryWithHtml {
  const { title = entry.title, tags = entry.tags, happenedAt, happenedZone, state, publishAt } = input
  return {
    ...entry,
    title,
    tags,
    ...(happenedAt &&
      happenedZone && { happenedAt, happenedZone, happenedOn: dayIn(happenedZone, new Date(happenedAt)) }),
    ...(state && { state }),
    ...(publishAt && { publishAt }),
    ...(content !== entry.content && {
      content,
      excerpt: excerptOfSource(content),
      html: htmlAfter(entry.html, entry.content, content),
    }),
  }
}

/** Returns a page with a changed entry, if it contains it. */
export function withChanged(
  page: EntryListPage,
  entryId: string,
  change: (entry: Entry) => Entry,
): EntryListPage {
  return { ...page, entries: page.entries.map((entry) => (entry._id === entryId ? change(entry) : entry)) }
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
