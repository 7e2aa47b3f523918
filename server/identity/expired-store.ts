import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'

/** The times before which rows are of no use to anybody. */
export type Bounds = { now: Date; sessionsBefore: Date; limitsBefore: Date }

/** Removes so many expired rows of each kind, and answers the most that it removed of one. */
export async function deleteExpired(
  trx: Transaction<Schema>,
  { now, sessionsBefore, limitsBefore }: Bounds,
  atMost: number,
): Promise<number> {
  const expired: [table: string, condition: RawBuilder<unknown>][] = [
    ['identity.session', sql`"expiresAt" < ${now}`],
    ['sessions', sql`created_at < ${sessionsBefore}`],
    ['identity.confirmations', sql`expires_at < ${now}`],
    ['identity.verification', sql`"expiresAt" < ${now}`],
    ['identity.attempts', sql`forget_at < ${now}`],
    ['identity.redeemed_round_trips', sql`forget_at < ${now}`],
    ['identity.rateLimit', sql`"lastRequest" < ${limitsBefore.getTime()}`],
  ]
  let most = 0
  for (const [name, condition] of expired) {
    const table = sql.table(name)
    const { numAffectedRows = 0n } = await sql`
      delete from ${table} where ctid in (
        select ctid from ${table} where ${condition} limit ${atMost} for update skip locked)`.execute(trx)
    most = Math.max(most, Number(numAffectedRows))
  }
  return most
}
