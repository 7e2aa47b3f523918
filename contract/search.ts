import { z } from 'zod'
import { defineCalls } from './parts/call.ts'
import { HIT_PAGES_MAX, SEARCH_MAX } from './parts/list-options.ts'
import { digits } from './parts/pagination.ts'
import { search } from './parts/text.ts'
import { date, id, mustBeOneOf } from './parts/wire.ts'
import { FILTERS_HELP } from './search-query.ts'

export const SEARCH_KINDS = ['project', 'milestone', 'entry'] as const

/** Where a text matches: the first character and the number of characters, as JavaScript counts them. */
const mark = z.object({ start: z.int(), length: z.int() })
/** A text with the places that match, which are marked where it is shown. */
const markedText = z.object({ text: z.string(), marks: z.array(mark) })
export type MarkedText = z.infer<typeof markedText>

export const searchHit = z.object({
  kind: z.enum(SEARCH_KINDS),
  _id: id,
  title: markedText,
  /** The passage of the text that matches, or its beginning. */
  snippet: markedText,
  project: z.object({ _id: id, title: z.string() }),
  /** The milestone of an entry. */
  milestone: z.object({ _id: id, title: z.string() }).nullable(),
  tags: z.array(z.string()),
  /** The author of an entry, if known. */
  author: z.object({ name: z.string() }).nullable(),
  /** Of an entry; projects and milestones have the time at which they were created. */
  happenedAt: date,
  /** The calendar day of an entry where its author was. */
  happenedOn: z.iso.date().nullable(),
  isDraft: z.boolean(),
})
export type SearchHit = z.infer<typeof searchHit>

const searchResult = z.object({
  hits: z.array(searchHit),
  page: z.int(),
  hasNext: z.boolean(),
  /** Filters of `q` that name nothing that the caller may see, such as `in:nowhere`. */
  unknown: z.array(z.string()),
  /** Whether older things are still being indexed. */
  isIndexing: z.boolean(),
})
export type SearchResult = z.infer<typeof searchResult>

const page = digits('Page must be a whole number').pipe(
  z
    .number()
    .min(1)
    .max(HIT_PAGES_MAX, { error: `Page must be at most ${HIT_PAGES_MAX}` }),
)

export const searchCalls = defineCalls({
  search: {
    method: 'GET',
    path: '/api/search',
    who: 'signed-in',
    scope: 'read',
    mcp: {},
    summary:
      'Search projects, milestones and entries with their tags and files, in everything that I may see',
    query: z.object({
      q: search('q', SEARCH_MAX).meta({
        description: `Words, of which the last may be incomplete, and "exact phrases". Filters: ${FILTERS_HELP}; a value with spaces in quotes, as in in:"My boat". A minus sign keeps out what follows it: -word, -"a phrase", -tag:NAME.`,
      }),
      kind: z.enum(SEARCH_KINDS, { error: mustBeOneOf('Kind', SEARCH_KINDS) }).optional(),
      page: page.default(1),
    }),
    responses: { 200: searchResult },
  },
})
