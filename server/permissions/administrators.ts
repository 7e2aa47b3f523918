import type { Transaction } from 'kysely'
import type { Db, Schema } from '#server/database/rows.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { absent, conflict } from '#server/platform/api/errors.ts'
import { isAdministrator, lockAdministrators } from './store.ts'

/** Throws `not_found`, as for a call that does not exist, unless the caller is an administrator of this server. */
export async function requireAdministrator(db: Db, { userId }: Caller): Promise<void> {
  if (!(await isAdministrator(db, userId))) throw absent()
}

/**
 * Requires that the caller is an administrator, and locks all administrators, so that concurrent revocations of their right
 * wait.
 */
export async function requireAdministratorForChange(
  trx: Transaction<Schema>,
  { userId }: Caller,
): Promise<void> {
  const administrators = await lockAdministrators(trx)
  if (!administrators.some(({ id, isHere }) => id === userId && isHere)) throw absent()
}

/** Throws `conflict` if other accounts would remain without an administrator. */
export async function requireAnotherAdministrator(
  trx: Transaction<Schema>,
  userId: string,
  message: string,
): Promise<void> {
  const administrators = await lockAdministrators(trx)
  if (!administrators.some(({ id }) => id === userId)) return
  if (!administrators.some(({ id, isHere }) => id !== userId && isHere)) throw conflict(message)
}
