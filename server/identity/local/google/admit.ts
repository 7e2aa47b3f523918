import type { Kysely, Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import type { TakeoverHook } from '#server/identity/identity.ts'
import type { Person } from './person.ts'
import {
  dispossess,
  findApplicationUser,
  findHolder,
  findLinked,
  insertLink,
  insertUser,
  lockPerson,
  refreshUser,
} from './store.ts'

type Deps = { db: Kysely<Schema>; onTakeover: TakeoverHook | undefined }

/**
 * The user that somebody of the issuer is here: the one they were before, the one that has their address, or a new
 * one. Null where the address has a user who may be somebody else.
 */
export async function admit({ db, onTakeover }: Deps, person: Person): Promise<string | null> {
  let afterTakeover: (() => void) | undefined
  const admitted = await db.transaction().execute(async (trx) => {
    await lockPerson(trx, person)
    const linked = await findLinked(trx, person)
    if (linked !== undefined) {
      await refreshUser(trx, linked, person)
      return linked
    }
    const userId =
      (await insertUser(trx, person)) ??
      (await claimAddress(trx, person, async (holderId) => {
        afterTakeover = await takeOver(trx, holderId, onTakeover)
      }))
    if (userId !== null) await insertLink(trx, userId, person)
    return userId
  })
  afterTakeover?.()
  return admitted
}

/**
 * Gives somebody the user that has their address. If nobody ever verified it, whoever made that user may have been
 * anybody: they are shut out, and so are those whom they let in (docs/decisions/0009 and 0035).
 */
async function claimAddress(
  trx: Transaction<Schema>,
  person: Person,
  takeOverFrom: (holderId: string) => Promise<void>,
): Promise<string | null> {
  const holder = await findHolder(trx, person)
  if (holder === undefined || !person.emailVerified) return null
  if (!holder.emailVerified) await takeOverFrom(holder.id)
  else if (holder.isOfIssuer) return null
  await refreshUser(trx, holder.id, person)
  return holder.id
}

async function takeOver(trx: Transaction<Schema>, holderId: string, onTakeover: TakeoverHook | undefined) {
  await dispossess(trx, holderId)
  const userId = await findApplicationUser(trx, holderId)
  return userId === undefined ? undefined : onTakeover?.(trx, userId)
}
