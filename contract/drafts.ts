import { z } from 'zod'
import { defineCalls } from './call.ts'
import { characters, isStorable, withLineFeeds } from './characters.ts'
import { chosenInstant, day, zone } from './dates.ts'
import { CONTENT_MAX, TAGS_MAX } from './entries.ts'
import { TAG_MAX } from './list-options.ts'
import { TITLE_MAX } from './text.ts'
import { date, fields, id, ids, list, version } from './wire.ts'

/** How many drafts a person keeps on the server. */
export const DRAFTS_MAX = 100
/** A draft holds a title or a tag that is too long to be saved: it is to be shortened, not lost. */
const TOO_LONG = 10
const TAGS_SENT_MAX = 2 * TAGS_MAX

/** What was typed, as it was typed, also nothing. */
const typed = (name: string, max: number) =>
  z
    .string({ error: `${name} must be text` })
    .overwrite(withLineFeeds)
    .refine(isStorable, { message: `${name} contains a character that cannot be stored`, abort: true })
    .refine((value) => characters(value) <= max, {
      message: `${name} must be at most ${max.toLocaleString('en')} characters`,
    })
    .meta({ maxLength: max })

export const draftFields = fields({
  title: typed('Title', TOO_LONG * TITLE_MAX),
  content: typed('Content', CONTENT_MAX),
  tags: list(
    z.array(typed('A tag', TOO_LONG * TAG_MAX), { error: 'Tags must be a list of words' }),
    TAGS_SENT_MAX,
    `A draft has at most ${TAGS_SENT_MAX} tags`,
  ).default([]),
  /** The entry that is being changed; absent for a new one. */
  entry: z.uuid({ error: 'entry must be the id of an entry' }).nullish(),
  /** Its version that the change is based on. */
  baseVersion: version.nullish(),
  /** The milestone that it is to be saved in. */
  milestone: z.uuid({ error: 'milestone must be the id of a milestone' }).nullish(),
  /** When it happened, where that was chosen. */
  happenedAt: chosenInstant('happenedAt').nullish(),
  happenedZone: zone.nullish(),
  /** The file that is to be its cover, where that was chosen. */
  coverFile: z.uuid({ error: 'coverFile must be the id of a file' }).nullish(),
}).refine(
  ({ happenedAt, happenedZone }) => (happenedAt ?? null) === null || (happenedZone ?? null) !== null,
  {
    path: ['happenedZone'],
    message: 'happenedAt needs the happenedZone of its author',
  },
)
export type DraftFields = z.infer<typeof draftFields>

const named = z.object({ _id: id, title: z.string() }).nullable()

/** What a draft refers to, as far as its writer may still see it. */
const draftRefs = {
  /** Null for a new entry, and where the entry is gone. */
  entry: named,
  milestone: named,
  project: named,
  /** Whether it can still be saved there. */
  canEdit: z.boolean(),
}

/** A draft as lists show it. */
export const listedDraft = z.object({
  _id: id,
  title: z.string(),
  excerpt: z.string(),
  ...draftRefs,
  version,
  /** When the server stored it. */
  savedAt: date,
})
export type ListedDraft = z.infer<typeof listedDraft>

export const draft = listedDraft.omit({ excerpt: true }).extend({
  content: z.string(),
  tags: z.array(z.string()),
  baseVersion: version.nullable(),
  /** The milestone that it is to be saved in, which may be another one than that of the entry. */
  target: z.object({ projectId: id, milestoneId: id }).nullable(),
  happenedOn: day.nullable(),
  coverFile: id.nullable(),
})
export type Draft = z.infer<typeof draft>

const savedDraft = z.object({ _id: id, version, savedAt: date })
export type SavedDraft = z.infer<typeof savedDraft>

/** The drafts of the caller. Nobody else can learn that one exists. */
export const draftCalls = defineCalls({
  listDrafts: {
    method: 'GET',
    path: '/api/drafts',
    who: 'signed-in',
    scope: 'none',
    summary: 'What I was writing and have not saved, the last one first',
    query: z.object({
      /** Only that of this entry. */
      entry: z.uuid({ error: 'entry must be the id of an entry' }).optional(),
    }),
    responses: { 200: z.object({ drafts: z.array(listedDraft) }) },
  },
  readDraft: {
    method: 'GET',
    path: '/api/drafts/:draftId',
    who: 'signed-in',
    scope: 'none',
    summary: 'One of my drafts',
    params: ids('draftId'),
    responses: { 200: draft },
  },
  saveDraft: {
    method: 'PUT',
    path: '/api/drafts/:draftId',
    who: 'signed-in',
    scope: 'none',
    summary: 'Keep what I am writing: without If-Match a new draft, with it the next version of one',
    params: ids('draftId'),
    body: draftFields,
    responses: { 200: savedDraft },
  },
  discardDraft: {
    method: 'DELETE',
    path: '/api/drafts/:draftId',
    who: 'signed-in',
    scope: 'none',
    summary: 'Discard one of my drafts',
    params: ids('draftId'),
    responses: { 204: null },
  },
})
