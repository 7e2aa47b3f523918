import type { Kysely } from 'kysely'
import type { Person } from '#contract/people.ts'
import { CannotStart } from '#server/cannot-start.ts'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { managedElsewhere } from '#server/identity/issuer-only.ts'
import { removeTwoFactor } from '#server/identity/two-factor/service.ts'
import { requireAdministratorForChange } from '#server/permissions/administrators.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { conflict } from '#server/platform/api/errors.ts'
import { transact } from '#server/platform/transact.ts'
import { recordAudit } from './audit.ts'
import { requirePerson } from './people.ts'
import { presentPerson } from './present.ts'
import { findOwnSession, lockAccountsWith } from './store.ts'

/**
 * Creates a link to choose a new password within an hour. Throws `conflict` for an account without a local password, and for
 * another administrator: administrators cannot take over each other's accounts.
 */
export async function makeResetLink(
  deps: AppDeps,
  caller: Caller,
  id: string,
): Promise<{ token: string; expiresAt: string }> {
  return transact(deps, async (trx) => {
    await requireAdministratorForChange(trx, caller)
    const person = await requirePerson(trx, id)
    const { passwords } = deps.identity
    if (!passwords)
      throw managedElsewhere(
        deps.identity.options,
        'Passwords are managed by the identity provider of this server',
      )
    if (person.is_admin && id !== caller.userId)
      throw conflict('Administrators reset their own passwords, or npm run reset-password does it')
    const { token, expiresAt } = await passwords.makeResetLink(trx, person.subject)
    const now = deps.clock()
    await recordAudit(trx, { kind: 'reset_link_made', actorId: caller.userId, personId: id, now })
    return { token, expiresAt: expiresAt.toISOString() }
  })
}

/**
 * Turns two-step sign-in off for a user who lost their app and their recovery codes, and ends all their sessions. Throws
 * `conflict` if it is off, and for another administrator, as `makeResetLink` does.
 */
export async function turnOffPersonTwoFactor(deps: AppDeps, caller: Caller, id: string): Promise<void> {
  const afterCommit = await transact(deps, async (trx) => {
    await requireAdministratorForChange(trx, caller)
    const person = await requirePerson(trx, id)
    if (person.is_admin)
      throw conflict('An administrator turns it off under Settings, or with npm run two-step-off')
    const { twoFactor, options } = deps.identity
    if (!twoFactor)
      throw managedElsewhere(options, 'Second factors are managed by the identity provider of this server')
    const afterCommit = await twoFactor.remove(trx, person.subject)
    if (!afterCommit) throw conflict('Two-step sign-in is off for this account')
    const now = deps.clock()
    await recordAudit(trx, { kind: 'two_factor_turned_off', actorId: caller.userId, personId: id, now })
    return afterCommit
  })
  afterCommit()
}

/**
 * Turns two-step sign-in off for the account with an email, for the command line. Returns whether it was on. Throws
 * CannotStart if there is no such account.
 */
export async function turnOffTwoFactorOf(
  db: Kysely<Schema>,
  { email, issuer, now }: { email: string; issuer: string; now: Date },
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const [account] = await lockAccountsWith(trx, { email, issuer })
    if (!account) throw new CannotStart(`There is no account with the address ${email}.`)
    if (!(await removeTwoFactor(trx, account.subject))) return false
    const details = { by: 'command' } as const
    await recordAudit(trx, {
      kind: 'two_factor_turned_off',
      actorId: null,
      personId: account.id,
      details,
      now,
    })
    return true
  })
}

/**
 * Changes the email of an account. The new email is unverified. Throws `conflict` if another account has the email, for
 * another administrator, and for the caller's own account if its email can be confirmed by mail.
 */
export async function changePersonEmail(
  deps: AppDeps,
  caller: Caller,
  id: string,
  email: string,
): Promise<Person> {
  const { person, afterCommit } = await transact(deps, async (trx) => {
    await requireAdministratorForChange(trx, caller)
    const found = await requirePerson(trx, id)
    const { subject, is_admin: isAdmin } = found
    const { emailChanges } = deps.identity
    if (!emailChanges)
      throw managedElsewhere(
        deps.identity.options,
        'Addresses are managed by the identity provider of this server',
      )
    const isSelf = id === caller.userId
    if (isSelf && deps.sendsMail)
      throw conflict('Change your own address under Settings, where you confirm it by email')
    if (isAdmin && !isSelf) throw conflict('Administrators change their addresses themselves')
    // The call is a retry after a lost response.
    if (found.email === email.toLowerCase()) return { person: presentPerson(found, deps) }
    const remaining = isSelf ? await findOwnSession(trx, caller.sessionId) : null
    const afterCommit = await emailChanges.assign(trx, { subject, email, remaining })
    await recordAudit(trx, { kind: 'email_changed', actorId: caller.userId, personId: id, now: deps.clock() })
    return { person: presentPerson(await requirePerson(trx, id), deps), afterCommit }
  })
  afterCommit?.()
  return person
}
