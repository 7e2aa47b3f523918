import type { CollaboratorRole } from '#contract/permissions.ts'
import type { Member } from './member.ts'

/** A project of somebody's, by its id. */
export async function project(owner: Member, title = 'Canoe', isPublic = false): Promise<string> {
  const body = { title, description: `About ${title}`, isPublic }
  return (await owner.call('createProject', { body }))._id
}

/** Invites an address and gives the token of the link. */
export async function invite(
  owner: Member,
  projectId: string,
  { email }: { email: string },
  role: CollaboratorRole = 'viewer',
): Promise<string> {
  const invited = await owner.call('inviteCollaborator', { params: { projectId }, body: { email, role } })
  if (invited.inviteToken === undefined) throw new Error('an invitation came without its token')
  return invited.inviteToken
}

/** Makes somebody a member, by an invitation that they accept. */
export async function join(
  owner: Member,
  projectId: string,
  invited: Member,
  role: CollaboratorRole = 'viewer',
): Promise<void> {
  const inviteToken = await invite(owner, projectId, invited, role)
  await invited.call('acceptInvitation', { params: { inviteToken } })
}
