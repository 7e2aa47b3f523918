import { z } from 'zod'
import { coverImage } from './files.ts'
import { defineCalls } from './parts/call.ts'
import { chosenDay, day } from './parts/dates.ts'
import { description, title } from './parts/text.ts'
import { date, fields, flag, id, ids, ownId, version } from './parts/wire.ts'

export const DUE_BEFORE_START = 'The due date cannot be before the start date'

/** Whether the planned days are in order: `YYYY-MM-DD` compares like the days. */
export const areDaysInOrder = ({ startsOn, dueOn }: { startsOn?: Planned; dueOn?: Planned }): boolean =>
  !startsOn || !dueOn || startsOn <= dueOn
type Planned = string | null | undefined

/** Planned days. */
const days = {
  startsOn: chosenDay('Start date').nullable().optional(),
  dueOn: chosenDay('Due date').nullable().optional(),
}

export const milestoneFields = fields({ title, description, completed: flag('completed'), ...days })
export type MilestoneFields = z.infer<typeof milestoneFields>

/** An update: an omitted field is unchanged. */
export const milestoneChange = fields({
  title: title.optional(),
  description: description.optional(),
  completed: milestoneFields.shape.completed.removeDefault().optional(),
  ...days,
})
export type MilestoneChange = z.infer<typeof milestoneChange>

/** A new place of a milestone. */
export const milestonePlace = fields({
  after: z
    .preprocess(
      (value) => (value === '' ? null : value),
      z.uuid({ error: 'after must be the id of a milestone, or null' }).nullable(),
    )
    .optional()
    .meta({
      description:
        'The milestone after which it stands; null or an empty text for the first place. The default is the last place.',
    }),
  /** The project to which it moves with its entries, if not its own. */
  project: z.uuid({ error: 'project must be the id of a project' }).optional(),
})
export type MilestonePlace = z.infer<typeof milestonePlace>

export const milestone = z.object({
  _id: id,
  title: z.string(),
  description: z.string(),
  completed: z.boolean(),
  startsOn: day.nullable(),
  dueOn: day.nullable(),
  /** The time of completion; null if it was completed before times were recorded. */
  reachedAt: date.nullable(),
  createdAt: date,
  updatedAt: date,
  version,
  project: id,
  /** Drafts are not counted. */
  entryCount: z.int(),
})
export type Milestone = z.infer<typeof milestone>

/** How long a milestone took, until now if it is in progress, and what was written in it. */
export const milestoneSummary = z.object({
  days: z.int(),
  entries: z.int(),
  pictures: z.int(),
  /** The covers of its first and of its last entry with one. */
  images: z.array(coverImage),
})
export type MilestoneSummary = z.infer<typeof milestoneSummary>

export const milestoneCalls = defineCalls({
  listMilestones: {
    method: 'GET',
    path: '/api/projects/:projectId/milestones',
    who: 'either',
    scope: 'read',
    mcp: {},
    cli: {},
    summary: 'The milestones of a project in their order: oldest first, unless they were moved',
    params: ids('projectId'),
    responses: { 200: z.array(milestone) },
  },
  readMilestoneSummary: {
    method: 'GET',
    path: '/api/projects/:projectId/milestones/:milestoneId/summary',
    who: 'either',
    scope: 'read',
    summary: 'How long a milestone took, and how much was written in it',
    params: ids('projectId', 'milestoneId'),
    responses: { 200: milestoneSummary },
  },
  createMilestone: {
    method: 'POST',
    path: '/api/projects/:projectId/milestones',
    who: 'signed-in',
    scope: 'write',
    changesPublic: true,
    needs: 'content:edit',
    mcp: { hides: ['_id'] },
    cli: { hides: ['_id'] },
    summary: 'Add a milestone',
    params: ids('projectId'),
    body: milestoneFields.extend(ownId),
    responses: { 201: milestone },
  },
  updateMilestone: {
    method: 'PUT',
    path: '/api/projects/:projectId/milestones/:milestoneId',
    who: 'signed-in',
    scope: 'write',
    changesPublic: true,
    needs: 'content:edit',
    mcp: {},
    cli: {},
    summary: 'Change a milestone or mark it as completed',
    params: ids('projectId', 'milestoneId'),
    body: milestoneChange,
    responses: { 200: milestone },
  },
  moveMilestone: {
    method: 'PUT',
    path: '/api/milestones/:milestoneId/place',
    who: 'signed-in',
    scope: 'write',
    changesPublic: true,
    needs: 'content:edit',
    mcp: {},
    cli: {},
    summary: 'Move a milestone to another place of its project, or with its entries to another project',
    params: ids('milestoneId'),
    body: milestonePlace,
    responses: { 200: milestone },
  },
  deleteMilestone: {
    method: 'DELETE',
    path: '/api/projects/:projectId/milestones/:milestoneId',
    who: 'signed-in',
    scope: 'write',
    changesPublic: true,
    needs: 'content:edit',
    summary:
      'Move a milestone and its entries to the trash; returns the id of the deletion in the header Deletion-Id',
    params: ids('projectId', 'milestoneId'),
    responses: { 204: null },
  },
})
