import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import { withoutPasskeys } from '#server/identity/passkeys/removal.ts'
import type { Person } from './person.ts'

/** Serializes the sign-ins of one person at an issuer, so that they create only one user. */
export async function lockPerson(trx: Transaction<Schema>, { issuer, subject }: Person): Promise<void> {
  const key = JSON.stringify([issuer, subject])
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx)
}

/** Returns the user that is linked to a person's account at the issuer. */
export async function findLinked(
  db: Kysely<Schema>,
  { issuer, subject }: Person,
): Promise<string | undefined> {
  const { rows } = await sql<{ userId: string }>`
    select "userId" from identity.account
    where "providerId" = ${issuer} and "accountId" = ${subject}`.execute(db)
  return rows[0]?.userId
}

/** Inserts a user; returns undefined if the email already has one. */
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

export type EmailUser = { id: string; emailVerified: boolean; isOfIssuer: boolean }

/**
 * Locks the application's user with the email of the local provider's user. Call it before `findUserByEmail`: email changes and
 * account deletions lock in the same order.
 */
export async function lockApplicationUserOf(
  trx: Transaction<Schema>,
  { issuer, email }: { issuer: string; email: string },
): Promise<void> {
  await sql`
    select from users where issuer = ${issuer}
      and subject = (select id::text from identity."user" where email = ${email})
    for no key update`.execute(trx)
}

/** Locks and returns the user with the email. `isOfIssuer`: another account of the same issuer is linked to it. */
export async function findUserByEmail(
  trx: Transaction<Schema>,
  { email, issuer }: Person,
): Promise<EmailUser | undefined> {
  const { rows } = await sql<EmailUser>`
    select id, "emailVerified", exists (
      select from identity.account where "userId" = u.id and "providerId" = ${issuer}) as "isOfIssuer"
    from identity."user" u where email = ${email} for update`.execute(trx)
  return rows[0]
}

/** Deletes the password, second factor, linked accounts, passkeys, sessions and access tokens of a user. The database cascades to application tokens. */
export async function deleteSignIns(trx: Transaction<Schema>, userId: string): Promise<void> {
  await sql`delete from identity.account where "userId" = ${userId}`.execute(trx)
  await sql`delete from identity.two_factor where user_id = ${userId}`.execute(trx)
  await sql`delete from identity.devices where user_id = ${userId}`.execute(trx)
  await sql`delete from identity.second_steps where user_id = ${userId}`.execute(trx)
  await withoutPasskeys(trx, userId, async () => {
    await sql`delete from identity.session where "userId" = ${userId}`.execute(trx)
  })
  await sql`
    delete from access_tokens t using users u
    where u.id = t.user_id and u.issuer = 'urn:milepost:local' and u.subject = ${userId}::text`.execute(trx)
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

/** Updates the name, the photo and whether the email is verified. An empty name does not replace a known one. */
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

/** Returns the application's user of a local provider's user; undefined if they never signed in to the application. */
export async function findApplicationUser(
  trx: Transaction<Schema>,
  identity: { issuer: string; subject: string },
): Promise<string | undefined> {
  const row = await trx
    .selectFrom('users')
    .select('id')
    .where('issuer', '=', identity.issuer)
    .where('subject', '=', identity.subject)
    .executeTakeFirst()
  return row?.id
}

/** Records that a sign-in was finished; returns false if it was recorded before. */
export async function insertRedeemed(
  db: Kysely<Schema>,
  { stateHash, forgetAt }: { stateHash: string; forgetAt: Date },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into identity.redeemed_round_trips (state_hash, forget_at) values (${stateHash}, ${forgetAt})
    on conflict do nothing`.execute(db)
  return numAffectedRows > 0n
}
