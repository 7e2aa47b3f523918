import { type Kysely, sql, type Transaction } from 'kysely'
import type { Db, Schema } from '#server/database/rows.ts'

export type PasskeyRecord = {
  id: string
  user_id: string
  name: string
  credential_id: Buffer
  public_key: Buffer
  counter: number
  transports: string[]
  rp_id: string
  created_at: Date
  last_used_at: Date | null
}

const columns = sql`id, user_id, name, credential_id, public_key, counter, transports, rp_id, created_at, last_used_at`

/** Returns the passkeys of an account, newest first. */
export async function listPasskeysOf(db: Db, userId: string): Promise<PasskeyRecord[]> {
  const { rows } = await sql<PasskeyRecord>`
    select ${columns} from identity.passkeys where user_id = ${userId}
    order by created_at desc, id desc`.execute(db)
  return rows
}

/** Returns the passkey with a credential id. */
export async function findByCredential(db: Db, credentialId: Buffer): Promise<PasskeyRecord | undefined> {
  const { rows } = await sql<PasskeyRecord>`
    select ${columns} from identity.passkeys where credential_id = ${credentialId}`.execute(db)
  return rows[0]
}

/** Locks a session of the provider until the transaction ends; returns false if it has ended. */
export async function lockSession(trx: Transaction<Schema>, session: string | null): Promise<boolean> {
  const { rows } = await sql`select from identity.session where id = ${session}::uuid for share`.execute(trx)
  return rows.length > 0
}

/** Serializes the additions to one account, so that their number stays within the limit. */
export async function lockAccount(trx: Transaction<Schema>, userId: string): Promise<void> {
  await sql`select from identity."user" where id = ${userId} for no key update`.execute(trx)
}

/** Inserts a passkey; returns undefined if its credential is already stored. */
export async function insertPasskey(
  trx: Transaction<Schema>,
  passkey: Omit<PasskeyRecord, 'last_used_at'>,
): Promise<PasskeyRecord | undefined> {
  const { id, user_id, name, credential_id, public_key, counter, transports, rp_id, created_at } = passkey
  const { rows } = await sql<PasskeyRecord>`
    insert into identity.passkeys
      (id, user_id, name, credential_id, public_key, counter, transports, rp_id, created_at)
    values (${id}, ${user_id}, ${name}, ${credential_id}, ${public_key}, ${counter}, ${transports}::text[], ${rp_id}, ${created_at})
    on conflict do nothing
    returning ${columns}`.execute(trx)
  return rows[0]
}

export async function updatePasskeyName(
  db: Db,
  { id, userId, name }: { id: string; userId: string; name: string },
): Promise<PasskeyRecord | undefined> {
  const { rows } = await sql<PasskeyRecord>`
    update identity.passkeys set name = ${name} where id = ${id} and user_id = ${userId}
    returning ${columns}`.execute(db)
  return rows[0]
}

/** Deletes a passkey; returns false if the account has none with this id. */
export async function deletePasskey(
  trx: Transaction<Schema>,
  { id, userId }: { id: string; userId: string },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from identity.passkeys where id = ${id} and user_id = ${userId}`.execute(trx)
  return numAffectedRows > 0n
}

/** Deletes every passkey of a user. */
export async function deletePasskeysOf(trx: Transaction<Schema>, userId: string): Promise<void> {
  await sql`delete from identity.passkeys where user_id = ${userId}`.execute(trx)
}

/** Records that a challenge was signed; returns false if it was recorded before. */
export async function insertRedeemed(
  db: Db,
  { challengeHash, forgetAt }: { challengeHash: string; forgetAt: Date },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into identity.redeemed_round_trips (state_hash, forget_at) values (${challengeHash}, ${forgetAt})
    on conflict do nothing`.execute(db)
  return numAffectedRows > 0n
}

/**
 * Records a use of a passkey, in the session that it opened, if any. Deletes the session instead if the passkey was removed meanwhile
 * or has signed with a later counter. Waits for a concurrent removal. Returns whether the passkey was used.
 */
export async function recordUse(
  db: Kysely<Schema>,
  { id, session, counter, now }: { id: string; session: string | null; counter: number; now: Date },
): Promise<boolean> {
  const { rows } = await sql<{ ended: boolean }>`
    with used as (
      update identity.passkeys set counter = ${counter}, last_used_at = ${now}
      where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0)) returning id),
    ended as (
      delete from identity.session where id = ${session}::uuid and not exists (select from used) returning id)
    select exists (select from ended) or not exists (select from used) as ended`.execute(db)
  return rows[0]?.ended === false
}

/** Counts the passkeys that were created for other hosts, and returns those hosts. */
export async function countUnusable(
  db: Kysely<Schema>,
  host: string,
): Promise<{ passkeys: number; hosts: string[] }> {
  const { rows } = await sql<{ rp_id: string; passkeys: number }>`
    select rp_id, count(*)::int as passkeys from identity.passkeys
    where rp_id <> ${host} group by rp_id order by rp_id`.execute(db)
  return {
    passkeys: rows.reduce((sum, { passkeys }) => sum + passkeys, 0),
    hosts: rows.map(({ rp_id }) => rp_id),
  }
}
