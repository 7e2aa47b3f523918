import type { Kysely, Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import type { Person } from './person.ts'
import {
  dispossess,
  findHolder,
  findLinked,
  insertLink,
  insertUser,
  lockPerson,
  refreshUser,
} from './store.ts'

/**
 * The user that somebody of the issuer is here: the one they were before, the one that has their address, or a new
 * one. Null where the address has a user who may be somebody else.
 */
export function admit(db: Kysely<Schema>, person: Person): Promise<string | null> {
  return db.transaction().execute(async (trx) => {
    await lockPerson(trx, person)
    const linked = await findLinked(trx, person)
    if (linked !== undefined) {
      await refreshUser(trx, linked, person)
      return linked
    }
    const userId = (await insertUser(trx, person)) ?? (await claimAddress(trx, person))
    if (userId !== null) await insertLink(trx, userId, person)
    return userId
  })
}

/**
 * Gives somebody the user that has their address. If nobody ever verified it, whoever made that user may have been
 * anybody: they are shut out, as docs/decisions/0009 explains.
 */
async function claimAddress(trx: Transaction<Schema>, person: Person): Promise<string | null> {
  const holder = await findHolder(trx, person)
  if (holder === undefined || !person.emailVerified) return null
  if (!holder.emailVerified) await dispossess(trx, holder.id)
  else if (holder.isOfIssuer) return null
  await refreshUser(trx, holder.id, person)
  return holder.id
}
