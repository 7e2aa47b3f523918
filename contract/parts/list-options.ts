// Separate from the schemas, so that lists need no zod in the browser.

/** The maximum length of a search term. */
export const SEARCH_MAX = 200

export const TAG_MAX = 50

/** The syntax of ids and page numbers in a URL, equal to `id` of wire.ts and `pageNumber` of pagination.ts. */
export const ID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
export const PAGE_PATTERN = /^\d{1,16}$/

export const ENTRY_SORTS = ['newest', 'oldest', 'title'] as const
export const ENTRY_PAGE_SIZES = [6, 12, 24] as const

export const COLLABORATION_FILTERS = ['all', 'accepted', 'pending', 'declined'] as const
export const COLLABORATIONS_PER_PAGE = 10

/** The results of a page of the search over everything. */
export const HITS_PER_PAGE = 20
/** Only so many of the best candidates are ranked. */
export const HIT_PAGES_MAX = 15

/** The longest range of a calendar: a year with a week before and after it. */
export const CALENDAR_DAYS_MAX = 380
