import { type InsertObject, sql, type Transaction } from 'kysely'
import type { Db, Schema } from '#server/database/rows.ts'

export async function insertAudit(
  trx: Transaction<Schema>,
  event: InsertObject<Schema, 'audit_log'>,
): Promise<void> {
  await trx.insertInto('audit_log').values(event).execute()
}

/** Returns events of the audit log, latest first: by id, which is the order of time. */
export function listAudit(db: Db, before: string | undefined, limit: number) {
  return db
    .selectFrom('audit_log as a')
    .leftJoin('users as actor', 'actor.id', 'a.actor_id')
    .leftJoin('users as person', 'person.id', 'a.person_id')
    .select(['a.id', 'a.kind', 'a.actor_id', 'a.person_id', 'a.email', 'a.details', 'a.created_at'])
    .select(['actor.name as actor_name', 'actor.email as actor_email'])
    .select(['person.name as person_name', 'person.email as person_email'])
    .$if(before !== undefined, (query) => query.where('a.id', '<', before ?? ''))
    .orderBy('a.id', 'desc')
    .limit(limit)
    .execute()
}

export type AuditRecord = Awaited<ReturnType<typeof listAudit>>[number]

export async function removeEmailFromAudit(trx: Transaction<Schema>, email: string): Promise<void> {
  await sql`update audit_log set email = null where lower(email) = lower(${email})`.execute(trx)
}

/** Deletes some of the events before a time, and returns how many. */
export async function deleteAuditBefore(
  trx: Transaction<Schema>,
  end: Date,
  atMost: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from audit_log where id in (
      select id from audit_log where created_at < ${end} order by created_at limit ${atMost})`.execute(trx)
  return Number(numAffectedRows)
}
