import { z } from 'zod'
import { chosenCover, contourTint, coverFile, coverImage } from './files.ts'
import { defineCalls } from './parts/call.ts'
import { description, title } from './parts/text.ts'
import { date, fields, flag, id, ids, mustBeOneOf, ownId, version } from './parts/wire.ts'

export const VISIBILITIES = ['private', 'unlisted', 'public'] as const
/** Who may read a project besides its members: nobody, everybody with its link, or everybody. */
export type Visibility = (typeof VISIBILITIES)[number]

export const visibility = z.enum(VISIBILITIES, { error: mustBeOneOf('visibility', VISIBILITIES) })

/**
 * If both `isPublic` and `visibility` are sent, the one that changes the project is applied; `visibility` if both do or the
 * project is new.
 */
export const projectFields = fields({
  title,
  description,
  isPublic: flag('isPublic'),
  visibility: visibility.optional(),
})
export type ProjectFields = z.infer<typeof projectFields>

/** An update: an omitted field is unchanged. `isPublic` alone leaves an unlisted project unlisted. */
export const projectChange = fields({
  title: title.optional(),
  description: description.optional(),
  isPublic: projectFields.shape.isPublic.removeDefault().optional(),
  visibility: projectFields.shape.visibility,
  coverFile: coverFile.optional(),
})
export type ProjectChange = z.infer<typeof projectChange>

/** The most recently published entry, without drafts. */
export const lastEntry = z.object({ _id: id, milestone: id, title: z.string(), publishedAt: date })
export type LastEntry = z.infer<typeof lastEntry>

/** The summary of a project whose milestones are all completed: when the last one was, and its duration in days. */
const finished = z.object({ at: date, days: z.int(), entries: z.int(), pictures: z.int() })
export type Finished = z.infer<typeof finished>

export const project = z.object({
  _id: id,
  title: z.string(),
  description: z.string(),
  /** Whether everybody can open its link, which includes unlisted projects. */
  isPublic: z.boolean(),
  visibility,
  /** The chosen cover. Without a choice, `imageURL` and `image` are those of the newest entry with a cover. */
  coverFile: chosenCover,
  imageURL: z.string().optional(),
  image: coverImage.optional(),
  tint: contourTint,
  createdAt: date,
  updatedAt: date,
  version,
  milestoneCount: z.int(),
  completedMilestoneCount: z.int(),
  /** The percentage of completed milestones, rounded; 0 if there are none. */
  progress: z.int().min(0).max(100),
  /** When the latest of its entries happened, without drafts. */
  lastEntryAt: date.nullable(),
  lastEntry: lastEntry.nullable(),
  /** Only in the response with a single project, and only once all of its milestones are completed. */
  finished: finished.optional(),
})
export type Project = z.infer<typeof project>

/** Whether the body makes a project readable to others than its members. */
const publishes = ({ isPublic, visibility }: ProjectChange) =>
  (visibility ?? (isPublic ? 'public' : 'private')) !== 'private'

export const projectCalls = defineCalls({
  listProjects: {
    method: 'GET',
    path: '/api/projects',
    who: 'signed-in',
    scope: 'read',
    mcp: {},
    cli: {},
    summary: 'The projects that I own, newest first',
    responses: { 200: z.array(project) },
  },
  readProject: {
    method: 'GET',
    path: '/api/projects/:projectId',
    who: 'either',
    scope: 'read',
    mcp: {},
    cli: {},
    summary: 'One project',
    params: ids('projectId'),
    responses: { 200: project },
  },
  createProject: {
    method: 'POST',
    path: '/api/projects',
    who: 'signed-in',
    scope: 'write',
    publishes,
    mcp: { hides: ['_id'] },
    cli: { hides: ['_id'] },
    summary: 'Create a project',
    body: projectFields.extend(ownId),
    responses: { 201: project },
  },
  updateProject: {
    method: 'PUT',
    path: '/api/projects/:projectId',
    who: 'signed-in',
    scope: 'manage',
    changesPublic: true,
    needs: 'project:edit',
    publishes,
    mcp: {},
    cli: {},
    summary: 'Change the title, description, visibility or cover of a project',
    params: ids('projectId'),
    body: projectChange,
    responses: { 200: project },
  },
  deleteProject: {
    method: 'DELETE',
    path: '/api/projects/:projectId',
    who: 'signed-in',
    scope: 'manage',
    changesPublic: true,
    needs: 'project:delete',
    summary:
      'Move a project and everything in it to the trash; returns the id of the deletion in the header Deletion-Id',
    params: ids('projectId'),
    responses: { 204: null },
  },
})
