import { sql, type Transaction } from 'kysely'
import type { Db, Schema } from '#server/database/rows.ts'

export type PersonRecord = { id: string; name: string; email: string; email_verified: boolean }

const columns = ['users.id', 'users.name', 'users.email', 'users.email_verified'] as const

export function findPerson(db: Db, userId: string): Promise<PersonRecord | undefined> {
  return db.selectFrom('users').select(columns).where('users.id', '=', userId).executeTakeFirst()
}

/** A person, locked: what is counted of them is counted one by one. */
export function lockPerson(trx: Transaction<Schema>, userId: string): Promise<PersonRecord | undefined> {
  return trx
    .selectFrom('users')
    .select(columns)
    .where('users.id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** What notices and letters say of a project, and whose it is. */
export function findProject(db: Db, projectId: string) {
  return db
    .selectFrom('projects as p')
    .innerJoin('users as owner', 'owner.id', 'p.owner_id')
    .select(['p.id', 'p.title', 'p.owner_id', 'owner.email as owner_email'])
    .where('p.id', '=', projectId)
    .executeTakeFirst()
}

/**
 * Whoever invites an address, and whoever gets it, goes one after the other until their transaction ends: so one of
 * them sees what the other did. It is the last lock that either takes.
 */
export async function lockAddress(trx: Transaction<Schema>, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('invited ' || lower(${email}), 0))`.execute(trx)
}

/** Everybody with this address, in any case of its letters. */
export function findPeopleAt(db: Db, email: string): Promise<PersonRecord[]> {
  return db
    .selectFrom('users')
    .select(columns)
    .where(sql`lower(users.email)`, '=', sql`lower(${email})`)
    .execute()
}
