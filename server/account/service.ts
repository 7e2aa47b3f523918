import type { z } from 'zod'
import {
  type Account,
  type accountFields,
  type passwordFields,
  SESSIONS_LISTED,
  type Session,
} from '#contract/account.ts'
import type { AppDeps } from '#server/deps.ts'
import type { Caller } from '#server/platform/calls.ts'
import { AppError, notFound, notSignedIn } from '#server/platform/errors.ts'
import { presentAccount, presentSession } from './present.ts'
import {
  type AccountRecord,
  deleteOtherSessions,
  deleteSession,
  findAccount,
  findSessions,
  updateName,
} from './store.ts'

/** Returns the caller's own account. */
export async function readAccount(deps: AppDeps, caller: Caller): Promise<Account> {
  return describe(deps, await requireAccount(deps, caller))
}

/** Changes the caller's name, which no sign-in replaces from then on. */
export async function updateAccount(
  deps: AppDeps,
  caller: Caller,
  { name }: z.output<typeof accountFields>,
): Promise<Account> {
  await requireAccount(deps, caller)
  await updateName(deps.db, { userId: caller.userId, name, now: deps.clock() })
  return describe(deps, await requireAccount(deps, caller))
}

/** Replaces the caller's password in return for the current one, and ends every other session. */
export async function changePassword(
  deps: AppDeps,
  caller: Caller,
  fields: z.output<typeof passwordFields>,
): Promise<void> {
  const { subject, provider_session: remaining } = await requireAccount(deps, caller)
  const { passwords } = deps.identity
  if (!passwords) throw new AppError('conflict', 'Passwords are kept by the identity provider of this server')
  await passwords.change(subject, fields, remaining)
}

/** Returns where the caller is signed in. */
export async function listSessions({ db, clock }: AppDeps, caller: Caller): Promise<Session[]> {
  const rows = await findSessions(db, caller, { now: clock(), limit: SESSIONS_LISTED })
  return rows.map(presentSession)
}

/** Signs out one of the caller's sessions; by the cascade its tokens, and with them its streams, end too. */
export async function endSession({ db }: AppDeps, caller: Caller, sessionId: string): Promise<void> {
  if (!(await deleteSession(db, caller, sessionId))) throw notFound('Session')
}

/** Signs out every session of the caller but this one. */
export async function endOtherSessions({ db }: AppDeps, caller: Caller): Promise<void> {
  await deleteOtherSessions(db, caller)
}

/** Returns the account of the caller's session; throws `not_signed_in` where that has ended. */
export async function requireAccount({ db }: AppDeps, caller: Caller): Promise<AccountRecord> {
  const account = await findAccount(db, caller)
  if (!account) throw notSignedIn()
  return account
}

async function describe({ db, identity, quotas }: AppDeps, account: AccountRecord): Promise<Account> {
  const { passwords } = identity
  const isSet = await passwords?.isSet(account.subject)
  const password = isSet === undefined ? 'elsewhere' : isSet ? 'set' : 'none'
  return presentAccount(account, { password, storage: await quotas.readAccount(db, account.id) })
}
