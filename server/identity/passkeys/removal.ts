import type { Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import { deletePasskeysOf } from './store.ts'

/**
 * Removes the passkeys of a user before and after `endSessions`. Before: a concurrent sign-in then waits,
 * and ends its own session. After: no session is left in which another passkey could have been added.
 */
export async function withoutPasskeys(
  trx: Transaction<Schema>,
  userId: string,
  endSessions: () => Promise<void>,
): Promise<void> {
  await deletePasskeysOf(trx, userId)
  await endSessions()
  await deletePasskeysOf(trx, userId)
}
