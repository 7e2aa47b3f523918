import { isInvitedToProject } from '#server/collaborators/identity-hooks.ts'
import { proofOf } from '#server/collaborators/invitation-proof.ts'
import type { Db } from '#server/database/rows.ts'
import type { Registrant, RegistrationPolicy } from '#server/identity/identity.ts'
import { AppError } from '#server/platform/api/errors.ts'
import { recordAudit } from './audit.ts'
import { deleteInvitationTo, hasServerInvitation } from './invitation-store.ts'
import type { RegistrationRule } from './registration.ts'
import { hasUsers, lockFirstUser } from './store.ts'

type Deps = { registration: { read(db: Db): Promise<RegistrationRule> }; clock: () => Date }

/** Creates the policy of who may register (docs/decisions/administration.md). */
export function createRegistrationPolicy({ registration, clock }: Deps): RegistrationPolicy {
  async function isInvited(db: Db, registrant: Registrant, { mode }: RegistrationRule): Promise<boolean> {
    const now = clock()
    if (await isInvitedToProject(db, registrant, now)) return true
    if (mode === 'closed') return false
    return hasServerInvitation(db, proofOf(registrant), now)
  }

  /** Returns on which grounds the person may register. Throws `registration_closed`. */
  async function decide(db: Db, registrant: Registrant): Promise<'invited' | 'open' | 'approval'> {
    const rule = await registration.read(db)
    if (await isInvited(db, registrant, rule)) return 'invited'
    if (rule.mode === 'closed' || rule.mode === 'invitation') throw refusal(rule, registrant)
    if (!hasDomain(registrant.email, rule.domains)) throw refusal(rule, registrant)
    return rule.mode
  }

  return {
    async check(db, registrant) {
      // The first account is the operator's, so no rule applies to it.
      if (await hasUsers(db)) await decide(db, registrant)
    },

    async admit(trx, registrant) {
      if (!(await hasUsers(trx))) {
        await lockFirstUser(trx)
        if (!(await hasUsers(trx))) {
          const { userId: personId } = registrant
          const details = { by: 'first_account' } as const
          await recordAudit(trx, {
            kind: 'administrator_made',
            actorId: null,
            personId,
            details,
            now: clock(),
          })
          return { isAdmin: true, isAwaiting: false }
        }
      }
      const outcome = await decide(trx, registrant)
      if (outcome === 'invited') await deleteInvitationTo(trx, registrant.email)
      return { isAdmin: false, isAwaiting: outcome === 'approval' }
    },

    async isInvited(trx, registrant) {
      if (!(await isInvited(trx, registrant, await registration.read(trx)))) return false
      await deleteInvitationTo(trx, registrant.email)
      return true
    },
  }
}

/** Returns whether an email belongs to one of the domains. Without domains, every email does. */
function hasDomain(email: string, domains: string[]): boolean {
  return domains.length === 0 || domains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase())
}

const listed = new Intl.ListFormat('en', { type: 'disjunction' })

/** The error is the same for every email, with or without an account. */
function refusal({ mode, domains }: RegistrationRule, { invitation }: Registrant): AppError {
  if (invitation !== undefined)
    return new AppError(
      'registration_closed',
      'This invitation is for another email address, or it is no longer valid.',
    )
  if (mode === 'closed') return new AppError('registration_closed', 'This server takes no new accounts.')
  if (mode === 'invitation')
    return new AppError(
      'registration_closed',
      'New accounts on this server need an invitation. Open the link that was sent to you.',
    )
  return new AppError(
    'registration_closed',
    `New accounts on this server need an email address of ${listed.format(domains)}.`,
  )
}
