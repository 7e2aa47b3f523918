import { z } from 'zod'
import { CONTENT_MAX, TAGS_MAX } from './entries.ts'
import { defineCalls } from './parts/call.ts'
import { characters, isStorable, withLineFeeds } from './parts/characters.ts'
import { DEFAULT_COVER } from './parts/covers.ts'
import { chosenInstant, day, sentZone } from './parts/dates.ts'
import { TAG_MAX } from './parts/list-options.ts'
import { TITLE_MAX } from './parts/text.ts'
import { date, fields, id, ids, list, version } from './parts/wire.ts'

/** The maximum number of drafts that the server stores for a person. */
export const DRAFTS_MAX = 100
/** A draft may hold titles and tags this many times longer than can be saved, so that no text is lost before it is shortened. */
const TOO_LONG = 10
const DRAFT_TAGS_MAX = 2 * TAGS_MAX

/** The text as it was typed; it may be empty. */
const typed = (name: string, max: number) =>
  z
    .string({ error: `${name} must be text` })
    .overwrite(withLineFeeds)
    .refine(isStorable, { message: `${name} contains a character that cannot be stored`, abort: true })
    .refine((value) => characters(value) <= max, {
      message: `${name} must be at most ${max.toLocaleString('en')} characters`,
    })
    .meta({ maxLength: max })

/** Here, null is a draft without a choice. */
const draftCover = z.union([z.uuid(), z.enum([DEFAULT_COVER, 'none'])], {
  error: "coverFile must be the id of a file, 'none' or 'default'",
})

export const draftFields = fields({
  title: typed('Title', TOO_LONG * TITLE_MAX),
  content: typed('Content', CONTENT_MAX),
  tags: list(
    z.array(typed('A tag', TOO_LONG * TAG_MAX), { error: 'Tags must be a list of words' }),
    DRAFT_TAGS_MAX,
    `A draft has at most ${DRAFT_TAGS_MAX} tags`,
  ).default([]),
  /** The changed entry; absent for a new one. */
  entry: z.uuid({ error: 'entry must be the id of an entry' }).nullish(),
  /** The version of the entry on which the change is based. */
  baseVersion: version.nullish(),
  /** The milestone to save it in. */
  milestone: z.uuid({ error: 'milestone must be the id of a milestone' }).nullish(),
  /** The date of the entry, if one was chosen. */
  happenedAt: chosenInstant('The date of an entry').nullish(),
  happenedZone: sentZone,
  /** The choice of the cover, if one was made. */
  coverFile: draftCover.nullish(),
  /** The last known version of the same draft, if it was discarded: that of the new one is higher, so that nobody takes it for theirs. */
  after: version.max(1_000_000_000).nullish(),
})
export type DraftFields = z.infer<typeof draftFields>

const named = z.object({ _id: id, title: z.string() }).nullable()

/** The resources that a draft refers to, if its author may still see them. */
const draftRefs = {
  /** Null for a new entry, and if the entry no longer exists. */
  entry: named,
  milestone: named,
  project: named,
  /** Whether the author may still save it there. */
  canEdit: z.boolean(),
}

/** A draft in a list. */
export const listedDraft = z.object({
  _id: id,
  title: z.string(),
  excerpt: z.string(),
  ...draftRefs,
  version,
  /** The time at which the server stored it. */
  savedAt: date,
})
export type ListedDraft = z.infer<typeof listedDraft>

export const draft = listedDraft.omit({ excerpt: true }).extend({
  content: z.string(),
  tags: z.array(z.string()),
  baseVersion: version.nullable(),
  /** The milestone to save it in, which may differ from the entry's. */
  target: z.object({ projectId: id, milestoneId: id }).nullable(),
  happenedOn: day.nullable(),
  coverFile: draftCover.nullable(),
})
export type Draft = z.infer<typeof draft>

const savedDraft = z.object({ _id: id, version, savedAt: date })
export type SavedDraft = z.infer<typeof savedDraft>

/** The drafts of the caller. Nobody else can find out that one exists. */
export const draftCalls = defineCalls({
  listDrafts: {
    method: 'GET',
    path: '/api/drafts',
    who: 'signed-in',
    scope: 'none',
    summary: 'My autosaved drafts, most recently saved first',
    query: z.object({
      /** Lists only the draft of this entry. */
      entry: z.uuid({ error: 'entry must be the id of an entry' }).optional(),
    }),
    responses: { 200: z.object({ drafts: z.array(listedDraft) }) },
  },
  readDraft: {
    method: 'GET',
    path: '/api/drafts/:draftId',
    who: 'signed-in',
    scope: 'none',
    summary: 'One of my autosaved drafts',
    params: ids('draftId'),
    responses: { 200: draft },
  },
  saveDraft: {
    method: 'PUT',
    path: '/api/drafts/:draftId',
    who: 'signed-in',
    scope: 'none',
    summary: 'Save an autosaved draft: a new one without If-Match, the next version of one with it',
    params: ids('draftId'),
    body: draftFields,
    responses: { 200: savedDraft },
  },
  discardDraft: {
    method: 'DELETE',
    path: '/api/drafts/:draftId',
    who: 'signed-in',
    scope: 'none',
    summary: 'Discard one of my autosaved drafts',
    params: ids('draftId'),
    responses: { 204: null },
  },
})
