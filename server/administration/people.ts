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
import {
  requireAdministrator,
  requireAdministratorForChange,
  requireAnotherAdministrator,
} from '#server/permissions/administrators.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { conflict, notFound } from '#server/platform/api/errors.ts'
import { transact } from '#server/platform/transact.ts'
import { recordAudit } from './audit.ts'
import { presentPerson, stateOf } from './present.ts'
import {
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

/** Returns the account with this id. Throws `not_found`. */
export async function requirePerson(db: Db, id: string): Promise<PersonRecord> {
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
