import { z } from 'zod'
import { defineCalls } from './parts/call.ts'
import { date, id, ids } from './parts/wire.ts'
import { collaboratorRole } from './permissions.ts'
import { visibility } from './projects.ts'

/** The events of a project. A draft causes none until it is published. */
export const activityKind = z.enum([
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
  'milestone_moved',
  'milestone_deleted',
  'milestone_restored',
  'entry_written',
  'entry_edited',
  'entry_moved',
  'entry_deleted',
  'entry_restored',
  'tag_renamed',
  'member_invited',
  'invitation_withdrawn',
  'member_joined',
  'member_declined',
  'member_left',
  'member_removed',
  'role_changed',
  'link_created',
  'link_changed',
  'link_renewed',
  'link_revoked',
])
export type ActivityKind = z.infer<typeof activityKind>

/** The kinds whose subject is an email. Only people who may see invitations see them, and webhooks do not get them. */
export const INVITATION_KINDS = [
  'member_invited',
  'invitation_withdrawn',
  'member_declined',
] as const satisfies ActivityKind[]

/** Further details of an event, by kind. */
const activityDetails = z.object({
  /** `project_created`, `project_published`: the new visibility. */
  visibility: visibility.optional(),
  /** `member_invited`, `member_joined`, `role_changed`: the new role. */
  role: collaboratorRole.optional(),
  /** `entry_moved`, `milestone_moved`: it was moved to another project. */
  movedAway: z.literal(true).optional(),
  /** `tag_renamed`: the name that the tag had. */
  formerName: z.string().optional(),
  /** `entry_edited`: an earlier revision was restored. */
  toRevision: z.literal(true).optional(),
})
export type ActivityDetails = z.infer<typeof activityDetails>

export const ACTIVITY_PER_PAGE = 50

export const activity = z.object({
  _id: id,
  kind: activityKind,
  createdAt: date,
  /** Null if unknown. The name stays after the person has left. */
  actor: z.object({ name: z.string(), isMe: z.boolean() }).nullable(),
  /** The title of the resource, the name of the member or the email of the invitation, at the time of the event. */
  subject: z.string(),
  details: activityDetails,
  /** The milestone concerned, or that of the entry; null if it is no longer in the project. */
  milestone: z.object({ _id: id, title: z.string() }).nullable(),
  /** The entry concerned with its current milestone; null if it is no longer published in the project. */
  entry: z.object({ _id: id, milestone: id }).nullable(),
})
export type Activity = z.infer<typeof activity>

export const activityPage = z.object({
  activity: z.array(activity),
  /** The value of `before` for the next page; null on the last. */
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
    summary: 'The activity of a project, latest first; only for its members',
    params: ids('projectId'),
    query: z.object({ before: id.optional() }),
    responses: { 200: activityPage },
  },
})
