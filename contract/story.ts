import { z } from 'zod'
import { entry } from './entries.ts'
import { milestone } from './milestones.ts'
import { defineCalls } from './parts/call.ts'
import { digits, pageNumber, pagination } from './parts/pagination.ts'
import { id, ids } from './parts/wire.ts'
import { worldProject } from './world.ts'

/** The number of entries in a part of a story. */
export const STORY_ENTRIES_PER_PAGE = 20
/** The maximum number of entries in a part of a story, for a document that is printed. */
export const STORY_ENTRIES_MAX = 200

/** `entry`: asks for the part with this entry, whatever the page; of an unknown one for the first. A page beyond the last does not exist. */
export const storyQuery = z.object({
  page: pageNumber.default(1),
  entry: id.optional(),
  limit: digits('Limit must be a whole number')
    .pipe(
      z
        .number()
        .min(1)
        .max(STORY_ENTRIES_MAX, { error: `Limit must be at most ${STORY_ENTRIES_MAX}` }),
    )
    .default(STORY_ENTRIES_PER_PAGE),
})
export type StoryQuery = z.output<typeof storyQuery>

const storyEntry = entry
  .pick({
    _id: true,
    title: true,
    happenedOn: true,
    happenedZone: true,
    author: true,
    image: true,
    imageURL: true,
    excerpt: true,
    wordCount: true,
  })
  .extend({
    /** Missing if the entry is not rendered yet, or if the part would become too large. */
    html: z.string().optional(),
  })
export type StoryEntry = z.infer<typeof storyEntry>

const chapter = milestone.pick({ _id: true, title: true, description: true }).extend({
  /** Its place among the milestones with entries, from 1. */
  number: z.int(),
  /** Whether it began in an earlier part. */
  isContinued: z.boolean(),
  entries: z.array(storyEntry),
})

/** A part of the story of a project: its milestones in their order as chapters, and in each the oldest entry first. */
export const story = z.object({
  project: worldProject,
  pagination,
  /** The chapters, or some at even distances, with the page on which each begins. */
  contents: z.array(z.object({ milestone: id, title: z.string(), page: z.int() })),
  chapters: z.array(chapter),
})
export type Story = z.infer<typeof story>

export const storyCalls = defineCalls({
  readStory: {
    method: 'GET',
    path: '/api/projects/:projectId/story',
    who: 'either',
    scope: 'read',
    summary: 'A part of the story of a project, from its first entry on, without drafts',
    params: ids('projectId'),
    query: storyQuery,
    responses: { 200: story },
  },
})
