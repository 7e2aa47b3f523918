import { z } from 'zod'
import { email } from './email.ts'
import { contourTint, coverImage } from './files.ts'
import { defineCalls } from './parts/call.ts'
import { COLLABORATION_FILTERS, COLLABORATIONS_PER_PAGE, SEARCH_MAX } from './parts/list-options.ts'
import { digits, pageNumber, pagination } from './parts/pagination.ts'
import { search } from './parts/text.ts'
import { date, fields, id, ids, mustBeOneOf, ownId } from './parts/wire.ts'
import { collaboratorRole } from './permissions.ts'
import { lastEntry } from './projects.ts'

/** The lifetime of an invitation in days. */
export const INVITATION_DAYS = 7

export const collaboratorStatus = z.enum(['pending', 'accepted', 'declined'])
export type CollaboratorStatus = z.infer<typeof collaboratorStatus>

const role = z.enum(collaboratorRole.options, { error: mustBeOneOf('Role', collaboratorRole.options) })

export const inviteFields = fields({ email, role: role.default('viewer') })
export type InviteFields = z.infer<typeof inviteFields>

export const roleFields = fields({ role })
export type RoleFields = z.infer<typeof roleFields>

/** A member, or a person who was invited. */
export const collaborator = z.object({
  _id: id,
  email: z.string(),
  role: collaboratorRole,
  status: collaboratorStatus,
  /** The time of the latest invitation. */
  createdAt: date,
  /** The time of acceptance. */
  joinedAt: date.nullable(),
  /** The end of a pending invitation. */
  expiresAt: date.nullable(),
  inviter: z.object({ name: z.string() }),
  /** The person who accepted or declined, if any. */
  invitee: z.object({ name: z.string(), pictureURL: z.string().optional() }).nullable(),
  project: id,
  /** Only on pending rows, and only for the invited person and those who may manage collaborators. */
  inviteToken: z.string().optional(),
  /** Only on pending rows, for those who may see the token: the mail server refused the address for good. */
  undelivered: z.literal(true).optional(),
})
export type Collaborator = z.infer<typeof collaborator>

/** An invitation as returned to its inviter. */
export const invitedCollaborator = collaborator.extend({
  /** On a server that cannot verify emails: the accounts that received the invitation without its link. */
  recipients: z.array(z.object({ name: z.string() })).optional(),
})
export type InvitedCollaborator = z.infer<typeof invitedCollaborator>

/** A collaboration of the caller in somebody else's project: a membership or an invitation. */
export const collaboration = collaborator.extend({
  project: z.object({
    _id: id,
    title: z.string(),
    description: z.string(),
    isPublic: z.boolean(),
    tint: contourTint,
    /** The cover, of an invitation that the caller can answer. */
    imageURL: z.string().optional(),
    /** The progress, the latest entry and the cover of the project; only of memberships, because an invitation does not allow reading. */
    state: z
      .object({
        milestoneCount: z.int(),
        completedMilestoneCount: z.int(),
        lastEntry: lastEntry.nullable(),
        imageURL: z.string().optional(),
        image: coverImage.optional(),
      })
      .optional(),
  }),
})
export type Collaboration = z.infer<typeof collaboration>

/** What an invitation tells of its project to whoever has its link: some of its members and of its latest milestones, and its last entry. */
export const invitedProject = z.object({
  _id: id,
  tint: contourTint,
  /** The cover, for as long as the invitation is open. */
  imageURL: z.string().optional(),
  members: z.array(z.object({ name: z.string() })),
  memberCount: z.int(),
  milestones: z.array(z.object({ title: z.string(), completed: z.boolean() })),
  milestoneCount: z.int(),
  lastEntry: z.object({ title: z.string(), publishedAt: date }).nullable(),
})
export type InvitedProject = z.infer<typeof invitedProject>

export const invitationDetails = z.object({
  projectTitle: z.string(),
  projectDescription: z.string(),
  role: collaboratorRole,
  inviter: z.object({ name: z.string() }),
  project: invitedProject,
  requiresAuth: z.literal(true),
})
export type InvitationDetails = z.infer<typeof invitationDetails>

export const acceptance = z.object({ collaborator, redirectTo: z.string() })
export type Acceptance = z.infer<typeof acceptance>

export const collaborationQuery = z.object({
  page: pageNumber.default(1),
  limit: digits('Limit must be a whole number')
    .pipe(z.number().min(1, 'Limit must be at least 1').max(100, 'Limit must be at most 100'))
    .default(COLLABORATIONS_PER_PAGE),
  /** A part of the project's title or description, case-insensitive. */
  search: search('Search', SEARCH_MAX),
  status: z
    .enum(COLLABORATION_FILTERS, { error: mustBeOneOf('Status', COLLABORATION_FILTERS) })
    .default('accepted'),
})
export type CollaborationQuery = z.output<typeof collaborationQuery>

/** The server settings that the invitation dialog needs. */
export const invitationOptions = z.object({
  /** Whether invitations are sent by email; if not, the inviter has to share the link. */
  mailed: z.boolean(),
})
export type InvitationOptions = z.infer<typeof invitationOptions>

/** Accepts any text: one that cannot be a token belongs to no invitation. */
const tokenParams = z.object({ inviteToken: z.string() })

export const transferFields = z.object({ collaborator: id })

export const collaboratorCalls = defineCalls({
  transferProject: {
    method: 'PUT',
    path: '/api/projects/:projectId/owner',
    who: 'signed-in',
    scope: 'none',
    needsProof: true,
    needs: 'project:delete',
    summary: 'Transfer my project to one of its members; I remain as an admin',
    params: ids('projectId'),
    body: transferFields,
    responses: { 204: null },
  },
  readInvitationOptions: {
    method: 'GET',
    path: '/api/collaborators/options',
    who: 'anyone',
    summary: 'Whether this server emails invitations',
    responses: { 200: invitationOptions },
  },
  listCollaborators: {
    method: 'GET',
    path: '/api/projects/:projectId/collaborators',
    who: 'signed-in',
    scope: 'manage',
    summary: 'The members of a project and, for callers who may invite people, its invitations, oldest first',
    params: ids('projectId'),
    responses: { 200: z.array(collaborator) },
  },
  inviteCollaborator: {
    method: 'POST',
    path: '/api/projects/:projectId/collaborators',
    who: 'signed-in',
    scope: 'manage',
    needs: 'collaborators:manage',
    summary: 'Invite somebody by email; a declined or expired invitation is replaced and gets a new link',
    params: ids('projectId'),
    body: inviteFields.extend(ownId),
    responses: { 201: invitedCollaborator },
  },
  updateCollaborator: {
    method: 'PUT',
    path: '/api/projects/:projectId/collaborators/:collaboratorId',
    who: 'signed-in',
    scope: 'manage',
    needs: 'collaborators:manage',
    summary: 'Change the role of a member or of an invitation',
    params: ids('projectId', 'collaboratorId'),
    body: roleFields,
    responses: { 200: collaborator },
  },
  leaveProject: {
    method: 'DELETE',
    path: '/api/projects/:projectId/collaborators/me',
    who: 'signed-in',
    scope: 'none',
    needs: 'collaborators:leave',
    summary: 'Leave a project that I was invited to',
    params: ids('projectId'),
    responses: { 204: null },
  },
  removeCollaborator: {
    method: 'DELETE',
    path: '/api/projects/:projectId/collaborators/:collaboratorId',
    who: 'signed-in',
    scope: 'manage',
    needs: 'collaborators:manage',
    summary: 'Remove a member, or withdraw an invitation',
    params: ids('projectId', 'collaboratorId'),
    responses: { 204: null },
  },
  acceptInvitation: {
    method: 'POST',
    path: '/api/collaborators/accept/:inviteToken',
    who: 'either',
    scope: 'none',
    summary: 'Accept an invitation; without a bearer token, only returns its details',
    params: tokenParams,
    responses: { 200: z.union([acceptance, invitationDetails]) },
  },
  declineInvitation: {
    method: 'POST',
    path: '/api/collaborators/decline/:inviteToken',
    who: 'either',
    scope: 'none',
    summary: 'Decline an invitation',
    params: tokenParams,
    responses: { 204: null },
  },
  listMyCollaborations: {
    method: 'GET',
    path: '/api/collaborators/my-collaborations',
    who: 'signed-in',
    scope: 'read',
    mcp: {},
    summary: 'The projects to which I am or was invited, newest invitation first',
    query: collaborationQuery,
    responses: { 200: z.object({ collaborations: z.array(collaboration), pagination }) },
  },
})
