import { z } from 'zod'
import { entry, neighbour, renderedEntry } from './entries.ts'
import { milestone } from './milestones.ts'
import { defineCalls } from './parts/call.ts'
import { day } from './parts/dates.ts'
import { TAG_MAX } from './parts/list-options.ts'
import { pageNumber, pagination } from './parts/pagination.ts'
import { search } from './parts/text.ts'
import { date, id, ids } from './parts/wire.ts'
import { project } from './projects.ts'

/** A public project as visitors see it: of the owner only the name, never an id or an email. */
export const worldProject = project
  .pick({
    _id: true,
    title: true,
    description: true,
    isPublic: true,
    visibility: true,
    imageURL: true,
    image: true,
    tint: true,
    createdAt: true,
    progress: true,
    lastEntryAt: true,
    finished: true,
  })
  .extend({
    /** `profile`: the name of the owner's page (`/@name`), if that is on. */
    user: z.object({ name: z.string(), profile: z.string().optional() }),
    /** Whether readers can follow it by email, if the server sends any. */
    emailsFollowers: z.boolean(),
    /** Whether readers can react to its entries. */
    takesReactions: z.boolean(),
    /** Whether readers can download it as a book and as a website. */
    offersDownloads: z.boolean(),
  })

export const worldMilestone = milestone.extend({ entries: z.array(entry) })

/** Milestones oldest first, entries newest first. */
export const world = z.object({ project: worldProject, milestones: z.array(worldMilestone) })
export type World = z.infer<typeof world>

export const WORLD_ENTRIES_PER_PAGE = 12

/**
 * The selection of a page of a public project: a milestone, or all entries with a tag. An unknown milestone or tag is ignored; a
 * page beyond the last does not exist.
 */
export const worldQuery = z.object({
  milestone: id.optional(),
  tag: search('Tag', TAG_MAX),
  /** Of the entries of a milestone; those with a tag are newest first. */
  order: z.enum(['newest', 'oldest']).default('newest'),
  page: pageNumber.default(1),
})
export type WorldQuery = z.output<typeof worldQuery>

/** A milestone in the timeline, without its entries. */
const milestoneSummary = milestone.pick({
  _id: true,
  title: true,
  completed: true,
  entryCount: true,
  createdAt: true,
  reachedAt: true,
  startsOn: true,
  dueOn: true,
})

/** An entry in a list. */
const entrySummary = entry.pick({
  _id: true,
  title: true,
  tags: true,
  happenedAt: true,
  happenedOn: true,
  happenedZone: true,
  author: true,
  image: true,
  createdAt: true,
  excerpt: true,
})

/** The maximum number of milestones on a page of a public project. */
export const WORLD_MILESTONES_MAX = 60
/** Up to this number of entries a page tells on which days they happened. */
export const WORLD_DAYS_ENTRIES_MAX = 2_000
/** The maximum number of stops in the drawing of all milestones. */
export const WORLD_STOPS_MAX = 14

/** A milestone around which other milestones are listed, and the number of all that are not listed in this direction. */
const further = z.object({ milestone: id, count: z.number().int() }).nullable()

/** All milestones of a public project in short, and where those are that a page does not list. */
const worldTimeline = z.object({
  total: z.number().int(),
  completed: z.number().int(),
  earlier: further,
  later: further,
  /** The milestones in groups of the same size, each by its first; one is completed if all in it are. */
  stops: z.array(z.object({ milestone: id, title: z.string(), completed: z.boolean() })),
})

/**
 * Milestones of a public project, in their order, around one of them, and a page of the entries of that one.
 */
export const worldPage = z.object({
  project: worldProject,
  /** At most `WORLD_MILESTONES_MAX`. */
  milestones: z.array(milestoneSummary),
  timeline: worldTimeline,
  /** The number of all entries. */
  entryCount: z.number().int(),
  /** The days with entries; none if no milestone has a date, or there are more than `WORLD_DAYS_ENTRIES_MAX` entries. */
  days: z.array(day),
  /** The entry with which the story begins: the oldest one of the first milestone that has any. */
  first: entry.pick({ _id: true, title: true }).nullable(),
  /** The entry that happened most recently. */
  latest: entry.pick({ _id: true, title: true, happenedOn: true, happenedZone: true }).nullable(),
  /** The requested milestone, else the first; null if there is none, or if a tag is shown. */
  shown: milestone
    .pick({ _id: true, title: true, description: true })
    .extend({ entries: z.array(entrySummary), pagination })
    .nullable(),
  /** The milestone with entries that comes next, and the oldest of these. */
  following: milestone
    .pick({ _id: true, title: true, entryCount: true })
    .extend({ first: entrySummary })
    .nullable(),
  /** The entries with the requested tag, which replace `shown`. */
  tagged: z.object({ tag: z.string(), entries: z.array(entrySummary), pagination }).nullable(),
})
export type WorldPage = z.infer<typeof worldPage>

/**
 * A public entry with its milestone, and the entries before and after it in the story, which goes on from the last entry of a milestone to
 * the first one of the next milestone that has any.
 */
export const worldEntry = z.object({
  project: worldProject,
  milestone: milestone.pick({ _id: true, title: true }),
  entry: renderedEntry,
  previous: neighbour,
  next: neighbour,
  /** Set for an entry that a share link shows without its project. */
  isAlone: z.literal(true).optional(),
})
export type WorldEntry = z.infer<typeof worldEntry>

/** The maximum number of entries that `listWorldEntries` returns. */
export const WORLD_ENTRIES_MAX = 50

/** The latest entries of a public project, most recently published first, each with the title of its milestone. */
export const worldEntries = z.object({
  project: worldProject,
  /** The time of the latest change in the project, including deletions. */
  changedAt: date,
  entries: z.array(
    entry.extend({
      milestoneTitle: z.string(),
      /** The content as HTML, for as many of the newest entries as fit into a total size. */
      html: z.string().optional(),
      /** The size of the cover in bytes, if it can be read. */
      imageBytes: z.int().optional(),
    }),
  ),
})
export type WorldEntries = z.infer<typeof worldEntries>

export const worldCalls = defineCalls({
  readWorld: {
    method: 'GET',
    path: '/api/projects/world/:projectId',
    who: 'anyone',
    summary: 'A public project with its milestones and entries',
    params: ids('projectId'),
    responses: { 200: world },
  },
  readWorldPage: {
    method: 'GET',
    path: '/api/projects/world/:projectId/page',
    who: 'anyone',
    summary: `A public project with at most ${WORLD_MILESTONES_MAX} of its milestones, and one page of the entries of one of them`,
    params: ids('projectId'),
    query: worldQuery,
    responses: { 200: worldPage },
  },
  readWorldEntry: {
    method: 'GET',
    path: '/api/projects/world/:projectId/entries/:entryId',
    who: 'anyone',
    summary: 'One entry of a public project, with its milestone and its neighbours',
    params: ids('projectId', 'entryId'),
    responses: { 200: worldEntry },
  },
  listWorldEntries: {
    method: 'GET',
    path: '/api/projects/world/:projectId/entries',
    who: 'anyone',
    summary: `The most recently published entries of a public project, at most ${WORLD_ENTRIES_MAX}`,
    params: ids('projectId'),
    responses: { 200: worldEntries },
  },
})
