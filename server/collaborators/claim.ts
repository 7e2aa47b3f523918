import type { AppDeps } from '#server/deps.ts'
import type { AddressHook } from '#server/identity/identity.ts'
import type { AppEvent } from '#server/platform/events/events.ts'
import { tellInvited } from './invitation-notifications.ts'
import { listOpenAt, lockAddress } from './invitation-store.ts'
import { addressProof } from './invitee.ts'

type Deps = Pick<AppDeps, 'events' | 'invitationEmails' | 'clock'>

/**
 * Gives somebody, in the transaction in which an address is verified as theirs, the invitations that wait for it. To
 * whom it becomes theirs unverified it gives none: anybody may register any address.
 */
export function createAddressHook({ events, clock, ...deps }: Deps): AddressHook {
  return async (trx, { userId, email, emailVerified }) => {
    const pending: AppEvent[] = []
    const afterwards = () => events.publish(...pending)
    if (addressProof(deps, { email_verified: emailVerified }) !== 'proven') return afterwards
    const context = { trx, publish: (...more: AppEvent[]) => void pending.push(...more), now: clock() }
    await lockAddress(trx, email)
    for (const row of await listOpenAt(trx, email, { userId, now: context.now })) {
      const { id, token_hash: tokenHash, name } = row
      if (tokenHash === null) continue
      const project = { id: row.project_id, title: row.title }
      await tellInvited(context, userId, { id, tokenHash, project, name })
    }
    return afterwards
  }
}
