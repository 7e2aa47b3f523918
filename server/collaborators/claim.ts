import type { AddressHook } from '#server/identity/identity.ts'
import type { Parts } from '#server/parts.ts'
import type { News } from '#server/platform/events/news.ts'
import { tellInvited } from './invitation-notifications.ts'
import { listOpenAt, lockAddress } from './invitation-store.ts'
import { addressProof } from './invitee.ts'

type Means = Pick<Parts, 'events' | 'invitationLetters' | 'clock'>

/**
 * Gives somebody, in the transaction in which an address is verified as theirs, the invitations that wait for it. To
 * whom it becomes theirs unverified it gives none: anybody may register any address.
 */
export function createAddressHook({ events, clock, ...means }: Means): AddressHook {
  return async (trx, { userId, email, emailVerified }) => {
    const news: News[] = []
    const afterwards = () => events.tell(...news)
    if (addressProof(means, { email_verified: emailVerified }) !== 'proven') return afterwards
    const telling = { trx, tell: (...more: News[]) => void news.push(...more), now: clock() }
    await lockAddress(trx, email)
    for (const row of await listOpenAt(trx, email, { userId, now: telling.now })) {
      const { id, token_hash: tokenHash, name } = row
      if (tokenHash === null) continue
      const project = { id: row.project_id, title: row.title }
      await tellInvited(telling, userId, { id, tokenHash, project, name })
    }
    return afterwards
  }
}
