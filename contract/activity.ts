import { z } from 'zod'
import { defineCalls } from './call.ts'
import { collaboratorRole } from './permissions.ts'
import { visibility } from './projects.ts'
import { date, id, ids } from './wire.ts'

/** What happens in a project. An entry that is a draft makes none until it is published. */
const activityKind = z.enum([
  'project_created',
  'project_edited',
  'project_published',
  'project_unpublished',
  'project_deleted',
  'project_restored',
  'project_handed_over',
  'milestone_created',
  'milestone_edited',
  'milestone_completed',
  'milestone_reopened',
  'milestone_deleted',
  'milestone_restored',
  'entry_written',
  'entry_edited',
  'entry_moved',
  'entry_deleted',
  'entry_restored',
  'member_invited',
  'invitation_withdrawn',
  'member_joined',
  'member_declined',
  'member_left',
  'member_removed',
  'role_changed',
])
export type ActivityKind = z.infer<typeof activityKind>

/** What more there is to say, by kind. */
const activityDetails = z.object({
  /** `project_created`, `project_published`: who sees the project from then on. */
  visibility: visibility.optional(),
  /** `member_invited`, `member_joined`, `role_changed`: the role given. */
  role: collaboratorRole.optional(),
  /** `entry_moved`: it left for another project. */
  movedAway: z.literal(true).optional(),
  /** `entry_edited`: it was made what an earlier revision was. */
  toRevision: z.literal(true).optional(),
})
export type ActivityDetails = z.infer<typeof activityDetails>

export const ACTIVITY_PER_PAGE = 50

export const activity = z.object({
  _id: id,
  kind: activityKind,
  createdAt: date,
  /** Who did it; null where that is not known. The name stays when they leave. */
  actor: z.object({ name: z.string(), isMe: z.boolean() }).nullable(),
  /** The title of what it happened to, the name of the member or the email of the invitation, as it was then. */
  subject: z.string(),
  details: activityDetails,
  /** The milestone that it happened to or in, while it is in the project. */
  milestone: z.object({ _id: id, title: z.string() }).nullable(),
  /** The entry that it happened to, while it is published in the project, and the milestone that it is in now. */
  entry: z.object({ _id: id, milestone: id }).nullable(),
})
export type Activity = z.infer<typeof activity>

export const activityPage = z.object({
  activity: z.array(activity),
  /** What to send as `before` for the page after this one; null after the last. */
  next: id.nullable(),
})
export type ActivityPage = z.infer<typeof activityPage>

export const activityCalls = defineCalls({
  listActivity: {
    method: 'GET',
    path: '/api/projects/:projectId/activity',
    who: 'signed-in',
    scope: 'read',
    mcp: {},
    cli: {},
    summary: 'What happened in a project, the latest first; for its members',
    params: ids('projectId'),
    query: z.object({ before: id.optional() }),
    responses: { 200: activityPage },
  },
})
