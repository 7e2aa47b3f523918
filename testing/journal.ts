import type { Entry } from '#contract/entries.ts'
import type { CollaboratorRole } from '#contract/permissions.ts'
import type { Account } from './account.ts'

/** The parts of an entry that a test cares about. */
type NewEntry = { title: string; content?: string; tags?: string[] }

/** Creates a project and returns its id. */
export async function createProject(owner: Account, title = 'Canoe', isPublic = false): Promise<string> {
  const body = { title, description: `About ${title}`, isPublic }
  return (await owner.call('createProject', { body }))._id
}

/** Creates a project about a bakery with one milestone, and the given entries from the oldest to the newest. */
export async function createJournal(
  owner: Account,
  entries: NewEntry[] = [],
  { isPublic = false }: { isPublic?: boolean } = {},
) {
  const { _id: projectId } = await owner.call('createProject', {
    body: { title: 'A bakery', description: 'From the first loaf to the first customer', isPublic },
  })
  const { _id: milestoneId } = await owner.call('createMilestone', {
    params: { projectId },
    body: { title: 'The first loaf', description: 'Flour, water, salt and patience' },
  })
  const created: Entry[] = []
  for (const { title, content = 'Fed the starter.', tags = [] } of entries) {
    created.push(await owner.call('createEntry', { params: { milestoneId }, body: { title, content, tags } }))
  }
  return {
    projectId,
    milestoneId,
    entries: created,
    projectPath: `/projects/${projectId}`,
    listPath: `/projects/${projectId}?selected=${milestoneId}`,
    entryPath: (index: number) =>
      `/projects/${projectId}/milestones/${milestoneId}/entries/${created[index]?._id}`,
  }
}

/** Returns entries titled Loaf 1, Loaf 2 and so on; every third one is tagged rye. */
export const loafEntries = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    title: `Loaf ${index + 1}`,
    content: index % 2 === 0 ? 'It ROSE.' : 'It did not.',
    tags: index % 3 === 0 ? ['rye'] : [],
  }))

/** Invites an email to a project and returns the token of the invitation link. */
export async function invite(
  owner: Account,
  projectId: string,
  { email }: { email: string },
  role: CollaboratorRole = 'viewer',
): Promise<string> {
  const invited = await owner.call('inviteCollaborator', { params: { projectId }, body: { email, role } })
  if (invited.inviteToken === undefined) throw new Error('the invitation has no token')
  return invited.inviteToken
}

/** Makes an account a collaborator, by an invitation that it accepts. */
export async function addCollaborator(
  owner: Account,
  projectId: string,
  account: Account,
  role: CollaboratorRole = 'viewer',
): Promise<void> {
  const inviteToken = await invite(owner, projectId, account, role)
  await account.call('acceptInvitation', { params: { inviteToken } })
}
