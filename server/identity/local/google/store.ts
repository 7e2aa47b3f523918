import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import { ISSUER } from '#server/identity/local/auth.ts'
import type { Person } from './person.ts'

/** One at a time for each person of an issuer, so that nobody becomes two. */
export async function lockPerson(trx: Transaction<Schema>, { issuer, subject }: Person): Promise<void> {
  const key = JSON.stringify([issuer, subject])
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx)
}

/** The user to whom somebody's account at the issuer is linked. */
export async function findLinked(
  db: Kysely<Schema>,
  { issuer, subject }: Person,
): Promise<string | undefined> {
  const { rows } = await sql<{ userId: string }>`
    select "userId" from identity.account
    where "providerId" = ${issuer} and "accountId" = ${subject}`.execute(db)
  return rows[0]?.userId
}

/** Makes a user; undefined where the address has one already. */
export async function insertUser(
  trx: Transaction<Schema>,
  { email, emailVerified, name, picture }: Person,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into identity."user" (email, "emailVerified", name, image)
    values (${email}, ${emailVerified}, ${name}, ${picture})
    on conflict (email) do nothing
    returning id`.execute(trx)
  return rows[0]?.id
}

export type Holder = { id: string; emailVerified: boolean; isOfIssuer: boolean }

/** Whoever has the address, locked against sign-ins; `isOfIssuer`: somebody else of the same issuer is linked there. */
export async function findHolder(
  trx: Transaction<Schema>,
  { email, issuer }: Person,
): Promise<Holder | undefined> {
  const { rows } = await sql<Holder>`
    select id, "emailVerified", exists (
      select from identity.account where "userId" = u.id and "providerId" = ${issuer}) as "isOfIssuer"
    from identity."user" u where email = ${email} for update`.execute(trx)
  return rows[0]
}

/** Takes away every way into a user: passwords, other accounts, open sessions and, by the cascade, our tokens. */
export async function dispossess(trx: Transaction<Schema>, userId: string): Promise<void> {
  await sql`delete from identity.account where "userId" = ${userId}`.execute(trx)
  await sql`delete from identity.session where "userId" = ${userId}`.execute(trx)
}

export async function insertLink(
  trx: Transaction<Schema>,
  userId: string,
  { issuer, subject }: Person,
): Promise<void> {
  await sql`
    insert into identity.account ("providerId", "accountId", "userId", "updatedAt")
    values (${issuer}, ${subject}, ${userId}, current_timestamp)`.execute(trx)
}

/** Brings name and photo up to date, and whether the address is verified; a name is not replaced by none. */
export async function refreshUser(trx: Transaction<Schema>, userId: string, person: Person): Promise<void> {
  const { email, emailVerified, name, picture } = person
  await sql`
    update identity."user" set
      name = case when ${name} = '' then name else ${name} end,
      image = ${picture},
      "emailVerified" = "emailVerified" or (${emailVerified}::boolean and email = ${email}),
      "updatedAt" = current_timestamp
    where id = ${userId}`.execute(trx)
}

/** The application's user of a user of the local provider; undefined where they never entered. */
export async function findApplicationUser(
  trx: Transaction<Schema>,
  providerUserId: string,
): Promise<string | undefined> {
  const row = await trx
    .selectFrom('users')
    .select('id')
    .where('issuer', '=', ISSUER)
    .where('subject', '=', providerUserId)
    .executeTakeFirst()
  return row?.id
}

/** Remembers that a round trip was redeemed; false where it had been. */
export async function insertRedeemed(
  db: Kysely<Schema>,
  { stateHash, forgetAt }: { stateHash: string; forgetAt: Date },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into identity.redeemed_round_trips (state_hash, forget_at) values (${stateHash}, ${forgetAt})
    on conflict do nothing`.execute(db)
  return numAffectedRows > 0n
}
