import { v7 as uuidv7 } from 'uuid'
import type { AccessTokenFields } from '#contract/access-tokens.ts'
import type { Collaborator, InviteFields } from '#contract/collaborators.ts'
import type { Entry, EntryFields } from '#contract/entries.ts'
import type { MilestoneFields } from '#contract/milestones.ts'
import { SCOPES } from '#contract/parts/call.ts'
import type { CollaboratorRole } from '#contract/permissions.ts'
import type { ProjectFields } from '#contract/projects.ts'
import type { AppDeps } from '#server/deps.ts'
import { signedIn } from '#server/identity/testing.ts'
import type { Sender, TestClient } from './client.ts'

export type Person = Sender & { userId: string; email: string }

/** Builders with overrides. Each creates one resource through the API, like a user. */
export function buildersFor(deps: AppDeps, { call }: TestClient) {
  const person = async (
    overrides: { name?: string; email?: string; emailVerified?: boolean } = {},
  ): Promise<Person> => {
    const email = overrides.email ?? `${uuidv7()}@example.test`
    return { ...(await signedIn(deps, { ...overrides, email })), email }
  }

  const project = (owner: Person, overrides: Partial<ProjectFields> = {}) =>
    call(
      'createProject',
      { body: { title: 'A canoe', description: 'Strip by strip', ...overrides } },
      { as: owner },
    )

  const milestone = (author: Person, projectId: string, overrides: Partial<MilestoneFields> = {}) =>
    call(
      'createMilestone',
      { params: { projectId }, body: { title: 'Lumber', description: 'Find straight cedar', ...overrides } },
      { as: author },
    )

  const entry = (author: Person, milestoneId: string, overrides: Partial<EntryFields> = {}) =>
    call(
      'createEntry',
      {
        params: { milestoneId },
        body: { title: 'First boards', content: 'They smell of **summer**.', ...overrides },
      },
      { as: author },
    )

  /** Returns the id of an entry's current revision. */
  const revisionOf = async (writer: Person, { milestone: milestoneId, _id: entryId }: Entry) => {
    const params = { milestoneId, entryId }
    const { revisions } = await call('listRevisions', { params }, { as: writer })
    return revisions[0]?._id ?? ''
  }

  /** Creates an accepted collaborator. */
  const member = async (projectId: string, role: CollaboratorRole): Promise<Person> => {
    const joined = await person({ name: `The ${role}` })
    const now = deps.clock()
    await deps.db
      .insertInto('collaborators')
      .values({
        id: uuidv7(),
        project_id: projectId,
        email: joined.email,
        role,
        status: 'accepted',
        expires_at: null,
        inviter_id: null,
        user_id: joined.userId,
        joined_at: now,
        created_at: now,
        updated_at: now,
      })
      .execute()
    return joined
  }

  /** Invites an email, and returns the invitation that the inviter sees. */
  const invitation = async (
    inviter: Person,
    projectId: string,
    overrides: Partial<InviteFields> = {},
  ): Promise<Collaborator & { inviteToken: string }> => {
    const email = `${uuidv7()}@example.test`
    const body = { email, role: 'editor' as const, ...overrides }
    const invited = await call('inviteCollaborator', { params: { projectId }, body }, { as: inviter })
    const { inviteToken } = invited
    if (inviteToken === undefined) throw new Error('the invitation has no token')
    return { ...invited, inviteToken }
  }

  /** Creates an access token, and returns the headers with which its program sends it. */
  const program = async (owner: Sender, fields: Partial<AccessTokenFields> = {}): Promise<Sender> => {
    const body = { name: 'A program', scopes: [...SCOPES], days: null, ...fields }
    const { token } = await call('createAccessToken', { body }, { as: owner })
    return { headers: { authorization: `Bearer ${token}` } }
  }

  return { person, project, milestone, entry, revisionOf, member, invitation, program }
}
