import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { CannotStart } from '#server/cannot-start.ts'
import type { Schema } from '#server/database/rows.ts'
import { hashPassword } from './hashing.ts'
import { findAccount, replacePassword } from './store.ts'

/** Sets and returns a random password for an account, and signs it out everywhere. Throws CannotStart. */
export async function resetPassword(db: Kysely<Schema>, email: string): Promise<string> {
  const password = randomBytes(16).toString('base64url')
  const hash = await hashPassword(password)
  if (await db.transaction().execute((trx) => replacePassword(trx, email, hash))) return password
  throw new CannotStart(
    (await findAccount(db, email))
      ? `${email} signs in with Google and has no password.`
      : `There is no account with the address ${email}.`,
  )
}
