import type { Kysely, Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import type { RegistrationPolicy, TakeoverHook } from '#server/identity/identity.ts'
import type { Person } from './person.ts'
import {
  deleteSignIns,
  findApplicationUser,
  findLinked,
  findUserByEmail,
  insertLink,
  insertUser,
  lockApplicationUserOf,
  lockPerson,
  refreshUser,
} from './store.ts'

type Deps = {
  db: Kysely<Schema>
  /** The issuer of the local provider's ID tokens. */
  localIssuer: string
  registrationPolicy?: RegistrationPolicy | undefined
  onTakeover?: TakeoverHook | undefined
}

/** `unverified`: the issuer has not verified the email, which has an account here. `taken`: another person of the issuer has it. */
type Refused = { refusal: 'unverified' | 'taken' }
type Linked = { userId: string }

/**
 * Returns the local user of an issuer's person: the linked user, the one with their email, or a new one. Refuses if the user with
 * their email may be another person. Throws `registration_closed`.
 */
export async function linkAccount(deps: Deps, person: Person): Promise<Linked | Refused> {
  let afterTakeover: (() => void) | undefined
  const outcome = await deps.db.transaction().execute<Linked | Refused>(async (trx) => {
    await lockPerson(trx, person)
    const linked = await findLinked(trx, person)
    if (linked !== undefined) {
      await refreshUser(trx, linked, person)
      return { userId: linked }
    }
    const inserted = await insertUser(trx, person)
    if (inserted !== undefined)
      await deps.registrationPolicy?.check(trx, { ...person, invitation: undefined })
    const owner =
      inserted === undefined
        ? await claimEmail(trx, person, deps, async (holderId) => {
            afterTakeover = await takeOver(trx, holderId, deps)
          })
        : { userId: inserted }
    if ('userId' in owner) await insertLink(trx, owner.userId, person)
    return owner
  })
  afterTakeover?.()
  return outcome
}

/**
 * Assigns the user with the person's email to them. If the email was never verified, anybody may have created that user:
 * the creator loses access, and so do the members whom they invited (docs/decisions/issuers.md).
 */
async function claimEmail(
  trx: Transaction<Schema>,
  person: Person,
  { localIssuer: issuer }: Deps,
  takeOverFrom: (holderId: string) => Promise<void>,
): Promise<Linked | Refused> {
  await lockApplicationUserOf(trx, { issuer, email: person.email })
  const holder = await findUserByEmail(trx, person)
  if (holder === undefined || !person.emailVerified) return { refusal: 'unverified' }
  if (!holder.emailVerified) await takeOverFrom(holder.id)
  else if (holder.isOfIssuer) return { refusal: 'taken' }
  await refreshUser(trx, holder.id, person)
  return { userId: holder.id }
}

async function takeOver(trx: Transaction<Schema>, holderId: string, { localIssuer, onTakeover }: Deps) {
  await deleteSignIns(trx, holderId)
  const userId = await findApplicationUser(trx, { issuer: localIssuer, subject: holderId })
  return userId === undefined ? undefined : onTakeover?.(trx, userId)
}
