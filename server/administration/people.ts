import type { Kysely, Transaction } from 'kysely'
import type { z } from 'zod'
import {
  PEOPLE_PER_PAGE,
  type Person,
  type peoplePage,
  type peopleQuery,
  type personFields,
} from '#contract/people.ts'
import { deleteUnusedAccount, endAllAccess } from '#server/account/deletion.ts'
import { CannotStart } from '#server/cannot-start.ts'
import type { Db, Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import type { TakeoverHook } from '#server/identity/identity.ts'
import { managedElsewhere } from '#server/identity/issuer-only.ts'
import { removeTwoFactor } from '#server/identity/two-factor/service.ts'
import {
  requireAdministrator,
  requireAdministratorForChange,
  requireAnotherAdministrator,
} from '#server/permissions/administrators.ts'
import type { Caller } from '#server/platform/calls.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import { transact } from '#server/platform/transact.ts'
import { recordAudit } from './audit.ts'
import { presentPerson, stateOf } from './present.ts'
import {
  findOwnSession,
  findPerson,
  listPeopleBefore,
  lockAccountsWith,
  lockPerson,
  type PersonRecord,
  setAdministrator,
  setApproved,
  setQuota,
  setSuspended,
} from './store.ts'

/** Returns a page of the accounts, newest first, filtered by part of a name or an email. */
export async function listPeople(
  deps: AppDeps,
  caller: Caller,
  { search, filter, before }: z.output<typeof peopleQuery>,
): Promise<z.infer<typeof peoplePage>> {
  await requireAdministrator(deps.db, caller)
  const rows = await listPeopleBefore(deps.db, { search, filter, before, limit: PEOPLE_PER_PAGE + 1 })
  const people = rows.slice(0, PEOPLE_PER_PAGE).map((row) => presentPerson(row, deps))
  return { people, next: rows.length > PEOPLE_PER_PAGE ? (people.at(-1)?._id ?? null) : null }
}

/**
 * Changes the status, rights or quota of an account. Suspending it ends its sessions, tokens and streams in the same commit.
 * Throws `conflict` if the account's state does not allow the change, or if no administrator would remain.
 */
export async function updatePerson(
  deps: AppDeps,
  caller: Caller,
  id: string,
  { isApproved, isSuspended, isAdmin, quota }: z.output<typeof personFields>,
): Promise<Person> {
  const changed = await transact(deps, async (trx) => {
    await requireAdministratorForChange(trx, caller)
    await lockPerson(trx, id)
    const change = { trx, caller, now: deps.clock(), emailQueues: deps.emailQueues }
    if (isApproved) await approve(change, await requirePerson(trx, id))
    if (isSuspended === true) await suspend(change, await requirePerson(trx, id))
    if (isSuspended === false) await unsuspend(change, await requirePerson(trx, id))
    if (isAdmin === true) await makeAdministrator(change, await requirePerson(trx, id))
    if (isAdmin === false) await unmakeAdministrator(change, await requirePerson(trx, id))
    if (quota !== undefined) await changeQuota(change, await requirePerson(trx, id), quota)
    return presentPerson(await requirePerson(trx, id), deps)
  })
  if (isApproved) deps.emailQueues?.approvals.wake()
  return changed
}

type Change = Pick<AppDeps, 'emailQueues'> & { trx: Transaction<Schema>; caller: Caller; now: Date }

async function approve({ trx, caller, now, emailQueues }: Change, person: PersonRecord) {
  if (person.awaiting_since === null) return
  await setApproved(trx, person.id)
  await emailQueues?.approvals.add(trx, { userId: person.id })
  await recordAudit(trx, { kind: 'account_approved', actorId: caller.userId, personId: person.id, now })
}

async function suspend({ trx, caller, now }: Change, person: PersonRecord) {
  if (person.suspended_at !== null) return
  if (person.id === caller.userId) throw conflict('You cannot suspend your own account')
  if (person.is_admin) throw conflict('Administrators cannot be suspended. Remove that role first.')
  await setSuspended(trx, person.id, now)
  await endAllAccess(trx, person.id)
  await recordAudit(trx, { kind: 'account_suspended', actorId: caller.userId, personId: person.id, now })
}

async function unsuspend({ trx, caller, now }: Change, person: PersonRecord) {
  if (person.suspended_at === null) return
  await setSuspended(trx, person.id, null)
  await recordAudit(trx, { kind: 'account_unsuspended', actorId: caller.userId, personId: person.id, now })
}

async function makeAdministrator({ trx, caller, now }: Change, person: PersonRecord) {
  if (person.is_admin) return
  if (stateOf(person) !== 'active') throw conflict('Only somebody who can sign in can be an administrator')
  await setAdministrator(trx, person.id, true)
  await recordAudit(trx, { kind: 'administrator_made', actorId: caller.userId, personId: person.id, now })
}

async function unmakeAdministrator({ trx, caller, now }: Change, person: PersonRecord) {
  if (!person.is_admin) return
  await requireAnotherAdministrator(
    trx,
    person.id,
    'This is the last administrator. Make somebody else one first.',
  )
  await setAdministrator(trx, person.id, false)
  await recordAudit(trx, { kind: 'administrator_unmade', actorId: caller.userId, personId: person.id, now })
}

async function changeQuota({ trx, caller, now }: Change, person: PersonRecord, quota: number | null) {
  if (person.quota_bytes === quota) return
  await setQuota(trx, person.id, quota)
  const event = { kind: 'quota_changed', actorId: caller.userId, personId: person.id } as const
  await recordAudit(trx, { ...event, details: { quota }, now })
}

/** Deletes an account that awaits approval and was never signed in to. Throws `conflict` for any other. */
export async function refusePerson(deps: AppDeps, caller: Caller, id: string): Promise<void> {
  await transact(deps, async (trx) => {
    await requireAdministratorForChange(trx, caller)
    await lockPerson(trx, id)
    const person = await requirePerson(trx, id)
    if (person.awaiting_since === null) throw conflict('This account was approved in the meantime')
    await deleteUnusedAccount(trx, id)
    await recordAudit(trx, {
      kind: 'account_refused',
      actorId: caller.userId,
      personId: id,
      now: deps.clock(),
    })
  })
}

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

/** Turns two-step sign-in off for the account with an email, for the command line. Throws CannotStart. */
export async function turnOffTwoFactorOf(
  db: Kysely<Schema>,
  { email, issuer, now }: { email: string; issuer: string; now: Date },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const [account] = await lockAccountsWith(trx, { email, issuer })
    if (!account) throw new CannotStart(`There is no account with the address ${email}.`)
    if (!(await removeTwoFactor(trx, account.subject)))
      throw new CannotStart(`Two-step sign-in is off for ${email}.`)
    const details = { by: 'command' } as const
    await recordAudit(trx, {
      kind: 'two_factor_turned_off',
      actorId: null,
      personId: account.id,
      details,
      now,
    })
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
    // A repeated call after a lost response.
    if (found.email === email.toLowerCase()) return { person: presentPerson(found, deps) }
    const remaining = isSelf ? await findOwnSession(trx, caller.sessionId) : null
    const afterCommit = await emailChanges.assign(trx, { subject, email, remaining })
    await recordAudit(trx, { kind: 'email_changed', actorId: caller.userId, personId: id, now: deps.clock() })
    return { person: presentPerson(await requirePerson(trx, id), deps), afterCommit }
  })
  afterCommit?.()
  return person
}

async function requirePerson(db: Db, id: string): Promise<PersonRecord> {
  const person = await findPerson(db, id)
  if (!person) throw notFound('Person')
  return person
}

/**
 * Makes the account with an email an administrator, approves it and lifts its suspension, for the command line. Throws
 * CannotStart if there is no such account.
 */
export async function appointAdministrator(
  db: Kysely<Schema>,
  { email, issuer, now }: { email: string; issuer: string; now: Date },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const accounts = await lockAccountsWith(trx, { email, issuer })
    if (accounts.length === 0)
      throw new CannotStart(`There is no account with the address ${email}. Register it first.`)
    for (const { id } of accounts) {
      await setApproved(trx, id)
      await setSuspended(trx, id, null)
      await setAdministrator(trx, id, true)
      const details = { by: 'command' } as const
      await recordAudit(trx, { kind: 'administrator_made', actorId: null, personId: id, details, now })
    }
  })
}

/**
 * Revokes the administrator right of an account that another person takes over by verifying its email: the right was given to
 * the person who had the password.
 */
export function createAdministratorTakeoverHook({ clock }: Pick<AppDeps, 'clock'>): TakeoverHook {
  return async (trx, personId) => {
    const person = await findPerson(trx, personId)
    if (person?.is_admin) {
      await setAdministrator(trx, personId, false)
      const details = { by: 'takeover' } as const
      await recordAudit(trx, { kind: 'administrator_unmade', actorId: null, personId, details, now: clock() })
    }
    return () => undefined
  }
}
