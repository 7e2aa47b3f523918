import { type Kysely, sql, type Transaction } from 'kysely'
import type { Db, Schema } from '#server/database/rows.ts'

/** Returns when the person of an application session last proved who they are; undefined if the session has ended. */
export async function findProofTime(db: Kysely<Schema>, sessionId: string): Promise<Date | undefined> {
  const { rows } = await sql<{ provenAt: Date }>`
    select coalesce(p."provenAt", p."createdAt", s.proven_at, s.created_at) as "provenAt"
    from sessions s left join identity.session p on p.id = s.provider_session
    where s.id = ${sessionId}`.execute(db)
  return rows[0]?.provenAt
}

/** Records a proof in a session of the provider; returns false if the session has ended. */
export async function updateProofTime(
  trx: Transaction<Schema>,
  { session, userId, now }: { session: string | null; userId: string; now: Date },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update identity.session set "provenAt" = ${now}
    where id = ${session}::uuid and "userId" = ${userId}`.execute(trx)
  return numAffectedRows > 0n
}

/** Returns whether an account of the local provider is linked to a person of an issuer, whose URL may end with a slash or not. */
export async function isLinkedTo(db: Db, userId: string, issuer: string): Promise<boolean> {
  const { rows } = await sql`
    select from identity.account
    where "userId" = ${userId} and rtrim("providerId", '/') = rtrim(${issuer}, '/')`.execute(db)
  return rows.length > 0
}
