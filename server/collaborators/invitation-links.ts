import type { Db } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { emailProof } from './invitation-proof.ts'
import { listAnswerable, listNotifiedOf, lockInvitationsOf } from './invitation-store.ts'
import { type ChangeContext, revokeInvitation } from './notifications.ts'
import { findPerson } from './store.ts'

/**
 * Returns the tokens of the invitations among these that a person may answer, by the invitation's id. Notifications refer
 * to invitations, and link to them only while this person may answer them.
 */
export async function readNotifiedTokens(
  { clock, tokenCipher, ...deps }: Pick<AppDeps, 'clock' | 'tokenCipher' | 'sendsMail'>,
  db: Db,
  userId: string,
  collaboratorIds: string[],
): Promise<Map<string, string>> {
  const person = collaboratorIds.length > 0 && (await findPerson(db, userId))
  if (!person) return new Map()
  const invitee = { userId, email: person.email, proof: emailProof(deps, person) }
  const rows = await listAnswerable(db, collaboratorIds, invitee, clock())
  return new Map(
    rows.flatMap(({ id, invite_token_encrypted }) => {
      const token = tokenCipher.decrypt(invite_token_encrypted, id)
      return token === null ? [] : [[id, token] as const]
    }),
  )
}

/** Revokes all invitations of a project that is about to be deleted permanently. */
export async function revokeInvitations(
  context: Pick<ChangeContext, 'trx' | 'publish'>,
  projectId: string,
): Promise<void> {
  for (const invitation of await lockInvitationsOf(context.trx, projectId))
    await revokeInvitation(context, invitation)
}

/** Publishes events to people who were notified of a project's invitations when their links become invalid, or valid again. */
export async function publishToInvited(
  { trx, publish }: Pick<ChangeContext, 'trx' | 'publish'>,
  projectId: string,
): Promise<void> {
  for (const person of await listNotifiedOf(trx, projectId))
    publish({ person }, { person, project: projectId })
}
