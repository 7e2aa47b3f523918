import { z } from 'zod'
import { chosenCover, coverFile, coverImage, fileLimits } from './files.ts'
import { defineCalls } from './parts/call.ts'
import { BETWEEN_TAGS, composed } from './parts/characters.ts'
import { chosenDay, chosenInstant, day, sentZone } from './parts/dates.ts'
import { ENTRY_PAGE_SIZES, ENTRY_SORTS, SEARCH_MAX, TAG_MAX } from './parts/list-options.ts'
import { digits, pageNumber, pagination } from './parts/pagination.ts'
import { prose, search, singleLine, title } from './parts/text.ts'
import { date, fields, id, ids, list, mustBeOneOf, ownId, version } from './parts/wire.ts'

export const CONTENT_MAX = 200_000
export const TAGS_MAX = 50
/** The maximum number of tags in a request, before duplicates are removed. */
const TAGS_SENT_MAX = 10 * TAGS_MAX
/** The maximum length of the JSON of the tags in a form, in characters. */
const TAGS_JSON_MAX = 100_000

export const ENTRY_STATES = ['draft', 'published'] as const
/** Only its author sees a draft. */
export type EntryState = (typeof ENTRY_STATES)[number]

/** A scheduled entry is a draft that publishes itself at a time. */
export const SHOWN_ENTRY_STATES = ['draft', 'scheduled', 'published'] as const
export type ShownEntryState = (typeof SHOWN_ENTRY_STATES)[number]

const tooManyTags = `An entry has at most ${TAGS_MAX} tags`

/** Composed, so that two spellings of a tag are one. */
const tag = singleLine('A tag', TAG_MAX).overwrite(composed)

export const tags = list(z.array(tag, { error: 'Tags must be a list of words' }), TAGS_SENT_MAX, tooManyTags)
  .transform((list) => [...new Set(list)])
  .pipe(z.array(z.string()).max(TAGS_MAX, { message: tooManyTags }))

/**
 * The date, the state and the cover of an entry. The defaults are now, the time zone of the account or UTC, published, and the
 * first picture of the text.
 */
const optionalFields = {
  /** With its offset, which decides on the day unless the time zone does. Takes precedence over `happenedOn`. */
  happenedAt: chosenInstant('The date of an entry').optional(),
  /** The calendar day alone: now if that is today, else noon. */
  happenedOn: chosenDay('The date of an entry').optional(),
  /** The author's time zone then. The default is that of the account, or UTC. */
  happenedZone: sentZone,
  state: z.enum(SHOWN_ENTRY_STATES, { error: mustBeOneOf('state', SHOWN_ENTRY_STATES) }).optional(),
  /** When a scheduled entry is published; one in the past publishes it now. */
  publishAt: chosenInstant('publishAt').optional(),
  /** The author's time zone, in which the time is shown. */
  publishZone: sentZone,
  coverFile: coverFile.optional(),
}

export const entryFields = fields({
  title,
  content: prose('Content', CONTENT_MAX),
  tags: tags.default([]),
  ...optionalFields,
})
export type EntryFields = z.infer<typeof entryFields>

/**
 * The fields as they are sent: in a multipart form the tags are a JSON string. `image` becomes a file and the cover of the entry;
 * in an update, `removeImage` removes the chosen cover.
 */
const sentFields = entryFields.extend({
  tags: z.preprocess(
    (value) => (typeof value === 'string' ? parsedTags(value) : value),
    entryFields.shape.tags,
  ),
  image: z.file({ error: 'An image must be sent as a file of a form' }).optional(),
  /** The autosaved draft of this text, which the save removes. */
  draft: z.uuid({ error: 'draft must be the id of a draft' }).optional(),
  removeImage: z.preprocess(
    (value) => (typeof value === 'string' ? value === 'true' : value),
    z.boolean({ error: 'removeImage must be true or false' }).default(false),
  ),
})

const NEEDS_DATE = { path: ['happenedAt'], message: 'happenedZone needs its happenedAt or happenedOn' }

export const entryForm = sentFields.extend(ownId)

/** An update: an omitted field is unchanged. */
export const entryChange = sentFields
  .extend({
    title: title.optional(),
    content: entryFields.shape.content.optional(),
    tags: z.preprocess((value) => (typeof value === 'string' ? parsedTags(value) : value), tags.optional()),
    /** Whether the text merges the previous version, by others, with the caller's: all of them become its authors. */
    merged: z.preprocess(
      (value) => (typeof value === 'string' ? value === 'true' : value),
      z.boolean({ error: 'merged must be true or false' }).default(false),
    ),
    /** Moves the entry to this milestone, which may be in another project. */
    milestone: z.uuid({ error: 'milestone must be the id of a milestone' }).optional(),
  })
  .refine(
    ({ happenedAt, happenedOn, happenedZone }) =>
      happenedZone === undefined || happenedAt !== undefined || happenedOn !== undefined,
    NEEDS_DATE,
  )
export type EntryChange = Pick<z.infer<typeof entryChange>, keyof EntryFields | 'milestone' | 'draft'>

/** Reads tags that came as one text: a list in JSON, or what is between commas. */
function parsedTags(text: string): unknown {
  if (text.length > TAGS_JSON_MAX) return text // not a list, see below
  if (!/^\s*[[{]/.test(text)) return text.split(BETWEEN_TAGS).filter((tag) => tag.trim() !== '')
  try {
    return JSON.parse(text)
  } catch {
    return text // not a list: the schema reports it
  }
}

/** The author of a text: a name, and a picture if they have one. */
export const author = z.object({ name: z.string(), pictureURL: z.string().optional() })

export const entry = z.object({
  _id: id,
  title: z.string(),
  content: z.string(),
  tags: z.array(z.string()),
  /** A path of this server. For a private project it is valid only for the caller and for about an hour. */
  imageURL: z.string().optional(),
  /** Present with `imageURL`: the image's size in pixels, and a small version for cards. */
  image: coverImage.optional(),
  coverFile: chosenCover,
  /** The beginning of the content as plain text, for lists. */
  excerpt: z.string(),
  /** The number of words in the content; briefly 0 for an entry that was written before words were counted. */
  wordCount: z.int(),
  /** `plain` if the content was too complex to be formatted and is shown as it was written. */
  renderedAs: z.enum(['markdown', 'plain']),
  milestone: id,
  /** When it happened, and the calendar day of that instant in the author's time zone, `happenedZone`. */
  happenedAt: date,
  happenedOn: day,
  happenedZone: z.string(),
  /** Null if unknown. */
  author: author.nullable(),
  /** Present if the caller is its author, who alone may make it a draft again. */
  isMine: z.literal(true).optional(),
  /** Only its author sees a draft or a scheduled entry, and no count includes it. */
  state: z.enum(SHOWN_ENTRY_STATES),
  /** When a scheduled entry is published, and the time zone in which its author chose the time. */
  publishAt: date.optional(),
  publishZone: z.string().optional(),
  /** The time of first publication; null for a draft that was never published. */
  publishedAt: date.nullable(),
  createdAt: date,
  updatedAt: date,
  version,
})
export type Entry = z.infer<typeof entry>

/** An entry with its content as safe HTML, and the headings of that HTML: the id of the element and the level as written. */
export const renderedEntry = entry.extend({
  html: z.string(),
  headings: z.array(z.object({ id: z.string(), level: z.int(), text: z.string() })),
})
export type RenderedEntry = z.infer<typeof renderedEntry>

/** An entry beside another one in the story, with its milestone if that is a different one. */
export const neighbour = entry
  .pick({ _id: true, title: true })
  .extend({ milestone: z.object({ _id: id, title: z.string() }).optional() })
  .nullable()
export type Neighbour = NonNullable<z.infer<typeof neighbour>>

/**
 * An entry with those before and after it that the caller may see. They go on with the nearest milestone that has any, like the story
 * of a public project.
 */
export const entryBetween = renderedEntry.extend({ previous: neighbour, next: neighbour })
export type EntryBetween = z.infer<typeof entryBetween>

/** The current location of an entry. */
export const entryLocation = z.object({ _id: id, milestone: id, project: id })
export type EntryLocation = z.infer<typeof entryLocation>

const pageFields = {
  page: pageNumber,
  limit: digits(mustBeOneOf('Limit', ENTRY_PAGE_SIZES)).pipe(
    z.literal(ENTRY_PAGE_SIZES, { error: mustBeOneOf('Limit', ENTRY_PAGE_SIZES) }),
  ),
  /** A part of the title or the content, case-insensitive. */
  search: search('Search', SEARCH_MAX),
  tag: search('Tag', TAG_MAX).unwrap().overwrite(composed).optional(),
  sort: z.enum(ENTRY_SORTS, { error: mustBeOneOf('Sort', ENTRY_SORTS) }),
}

/** What a list of entries is like unless its query says otherwise. */
export const FIRST_PAGE = { page: 1, limit: 6, sort: 'newest' } as const

/** The filters and the page of the entries of a milestone. Without any of them, all entries are returned. */
export const entryQuery = z.object(pageFields).partial()

/** The filters and the page of a list of a whole project's entries, which is always paginated. */
export const projectEntryQuery = z.object({
  ...pageFields,
  page: pageFields.page.default(FIRST_PAGE.page),
  limit: pageFields.limit.default(FIRST_PAGE.limit),
  sort: pageFields.sort.default(FIRST_PAGE.sort),
})
export type EntryQuery = z.output<typeof projectEntryQuery>

/**
 * A page of the entries of a milestone or a project. `total` and `tags` ignore the filters. The caller's own drafts are among the
 * entries and in `total`, but their tags are not in `tags`.
 */
export const entryListPage = z.object({
  entries: z.array(entry),
  pagination,
  total: z.int(),
  tags: z.array(z.string()),
})
export type EntryListPage = z.infer<typeof entryListPage>

/** The server settings that the entry editor needs. */
export const entryOptions = z.object({
  /** Whether the editor shows its image section. */
  images: z.boolean(),
  files: fileLimits,
})
export type EntryOptions = z.infer<typeof entryOptions>

export const entryCalls = defineCalls({
  readEntryOptions: {
    method: 'GET',
    path: '/api/entries/options',
    who: 'anyone',
    summary: 'The options of the entry editor on this server',
    responses: { 200: entryOptions },
  },
  listEntries: {
    method: 'GET',
    path: '/api/milestones/:milestoneId/entries',
    who: 'either',
    scope: 'read',
    summary:
      'The entries of a milestone by when they happened: all of them, newest first, or, with any parameter, one page of those that match',
    params: ids('milestoneId'),
    query: entryQuery,
    responses: { 200: z.union([z.array(entry), entryListPage]) },
  },
  listProjectEntries: {
    method: 'GET',
    path: '/api/projects/:projectId/entries',
    who: 'either',
    scope: 'read',
    mcp: {},
    cli: {},
    summary:
      'One page of the entries of all milestones of a project, by when they happened; newest first by default',
    params: ids('projectId'),
    query: projectEntryQuery,
    responses: { 200: entryListPage },
  },
  readEntry: {
    method: 'GET',
    path: '/api/milestones/:milestoneId/entries/:entryId',
    who: 'either',
    scope: 'read',
    mcp: {},
    cli: {},
    summary: 'One entry, with its content as HTML and the entries before and after it',
    params: ids('milestoneId', 'entryId'),
    responses: { 200: entryBetween },
  },
  locateEntry: {
    method: 'GET',
    path: '/api/entries/:entryId',
    who: 'either',
    scope: 'read',
    summary: 'The current milestone and project of an entry, even after it was moved',
    params: ids('entryId'),
    responses: { 200: entryLocation },
  },
  createEntry: {
    method: 'POST',
    path: '/api/milestones/:milestoneId/entries',
    who: 'signed-in',
    scope: 'write',
    needs: 'content:edit',
    publishes: ({ state }: EntryFields) => state !== 'draft',
    mcp: { hides: ['_id', 'image', 'draft', 'removeImage'] },
    cli: { hides: ['_id', 'image', 'draft', 'removeImage'] },
    summary: 'Write an entry',
    params: ids('milestoneId'),
    body: entryForm,
    multipart: true,
    responses: { 201: renderedEntry },
  },
  updateEntry: {
    method: 'PUT',
    path: '/api/milestones/:milestoneId/entries/:entryId',
    who: 'signed-in',
    scope: 'write',
    changesPublic: true,
    needs: 'content:edit',
    publishes: ({ state, milestone }: EntryChange) =>
      state === 'published' || state === 'scheduled' || milestone !== undefined,
    mcp: { hides: ['image', 'draft', 'removeImage', 'merged'] },
    cli: { hides: ['image', 'draft', 'removeImage', 'merged', 'milestone'] },
    summary: 'Change an entry, or move it to another milestone',
    params: ids('milestoneId', 'entryId'),
    body: entryChange,
    multipart: true,
    responses: { 200: renderedEntry },
  },
  deleteEntry: {
    method: 'DELETE',
    path: '/api/milestones/:milestoneId/entries/:entryId',
    who: 'signed-in',
    scope: 'write',
    changesPublic: true,
    needs: 'content:edit',
    summary: 'Move an entry to the trash; returns the id of the deletion in the header Deletion-Id',
    params: ids('milestoneId', 'entryId'),
    responses: { 204: null },
  },
})
