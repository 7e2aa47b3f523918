import { z } from 'zod'
import { defineCalls } from './call.ts'
import { entry, neighbour, renderedEntry } from './entries.ts'
import { TAG_MAX } from './list-options.ts'
import { milestone } from './milestones.ts'
import { pageNumber, pagination } from './pagination.ts'
import { project } from './projects.ts'
import { search } from './text.ts'
import { date, id, ids } from './wire.ts'

/** A public project as anybody sees it: the owner is a name only, never an id or an email. */
export const worldProject = project
  .pick({
    _id: true,
    title: true,
    description: true,
    isPublic: true,
    visibility: true,
    imageURL: true,
    image: true,
    createdAt: true,
    progress: true,
    lastEntryAt: true,
    finished: true,
  })
  .extend({ user: z.object({ name: z.string() }) })

export const worldMilestone = milestone.extend({ entries: z.array(entry) })

/** Milestones oldest first, entries newest first. */
export const world = z.object({ project: worldProject, milestones: z.array(worldMilestone) })
export type World = z.infer<typeof world>

export const WORLD_ENTRIES_PER_PAGE = 12

/**
 * Which part of a public project a page shows: a milestone, or all entries that carry a tag. A milestone that is not one of
 * its own and a tag that no entry carries are as none; a page past the last is absent.
 */
export const worldQuery = z.object({
  milestone: id.optional(),
  tag: search('Tag', TAG_MAX),
  page: pageNumber.default(1),
})
export type WorldQuery = z.output<typeof worldQuery>

/** A milestone as a stop on the way, without what it holds. */
const milestoneSummary = milestone.pick({
  _id: true,
  title: true,
  completed: true,
  entryCount: true,
  createdAt: true,
  reachedAt: true,
})

/** An entry as a line of a list. */
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

/** All milestones of a public project, oldest first, and of one of them a page of its entries, newest first. */
export const worldPage = z.object({
  project: worldProject,
  milestones: z.array(milestoneSummary),
  /** The entry that happened last. */
  latest: entry.pick({ _id: true, title: true, happenedOn: true, happenedZone: true }).nullable(),
  /** The milestone that was asked for, else the first; null where there is none, or where a tag is shown. */
  shown: milestone
    .pick({ _id: true, title: true, description: true })
    .extend({ entries: z.array(entrySummary), pagination })
    .nullable(),
  /** The entries of the tag that was asked for, in place of `shown`. */
  tagged: z.object({ tag: z.string(), entries: z.array(entrySummary), pagination }).nullable(),
})
export type WorldPage = z.infer<typeof worldPage>

/** A public entry with its milestone; `previous` happened before it, `next` after it, in the same milestone. */
export const worldEntry = z.object({
  project: worldProject,
  milestone: milestone.pick({ _id: true, title: true }),
  entry: renderedEntry,
  previous: neighbour,
  next: neighbour,
})
export type WorldEntry = z.infer<typeof worldEntry>

/** How many entries `listWorldEntries` returns at most. */
export const WORLD_ENTRIES_MAX = 50

/** The latest entries of a public project, last published first, each with the title of its milestone. */
export const worldEntries = z.object({
  project: worldProject,
  /** When anything in the project last changed, deletions included. */
  changedAt: date,
  entries: z.array(
    entry.extend({
      milestoneTitle: z.string(),
      /** The content as HTML: of the newest entries, as many as together stay under some bound. */
      html: z.string().optional(),
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
    summary: 'A public project with its milestones, and one page of the entries of one of them',
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
    summary: `The entries of a public project that were published last, at most ${WORLD_ENTRIES_MAX}`,
    params: ids('projectId'),
    responses: { 200: worldEntries },
  },
})
