import { unlinkInvitation } from '#server/notifications/notify.ts'
import type { ChangeContext } from './invitation-notifications.ts'
import { listNoticed, lockInvitationsOf } from './invitation-store.ts'

type Ending = { id: string; project_id: string }

/**
 * Ends the link of an invitation in the transaction in which its token dies: no notification leads to it any longer,
 * and that of the one who answered is read. Answers who had been told of the invitation.
 */
export async function closeInvitation(
  { trx, publish }: Pick<ChangeContext, 'trx' | 'publish'>,
  { id, project_id }: Ending,
  answererId: string | null = null,
): Promise<string[]> {
  await unlinkInvitation(trx, id, answererId)
  const told = await listNoticed(trx, id)
  for (const person of told) publish({ person }, { person, project: project_id })
  return told
}

/** Ends the links of all invitations of a project that is about to be deleted. */
export async function closeInvitations(
  context: Pick<ChangeContext, 'trx' | 'publish'>,
  projectId: string,
): Promise<void> {
  for (const invitation of await lockInvitationsOf(context.trx, projectId))
    await closeInvitation(context, invitation)
}
