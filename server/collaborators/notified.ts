import type { Db } from '#server/database/rows.ts'
import type { Parts } from '#server/parts.ts'
import { addressProof } from './address.ts'
import { listAnswerable } from './notice-store.ts'
import { findPerson } from './people-store.ts'

/**
 * The tokens of those of these invitations that a person may answer, by the invitation's id: notifications refer to
 * invitations, and lead to them only while they wait for this person's answer.
 */
export async function readNotifiedTokens(
  { clock, tokenCipher, ...deps }: Pick<Parts, 'clock' | 'tokenCipher' | 'invitationLetters'>,
  db: Db,
  userId: string,
  collaboratorIds: string[],
): Promise<Map<string, string>> {
  const person = collaboratorIds.length > 0 && (await findPerson(db, userId))
  if (!person) return new Map()
  const invitee = { userId, email: person.email, proof: addressProof(deps, person) }
  const rows = await listAnswerable(db, collaboratorIds, invitee, clock())
  return new Map(
    rows.flatMap(({ id, invite_token_encrypted }) => {
      const token = tokenCipher.decrypt(invite_token_encrypted, id)
      return token === null ? [] : [[id, token] as const]
    }),
  )
}
