import type { Kysely } from 'kysely'
import type { DateChoice } from '#contract/date-formats.ts'
import type { DateColumns, Schema } from './rows.ts'

/** How dates are written for the person of a row. */
export const datesOf = ({ time_zone, date_format }: DateColumns): DateChoice => ({
  ...(time_zone !== null && { timeZone: time_zone }),
  ...(date_format !== null && { dateFormat: date_format }),
})

/** Returns how dates are written for the owner of an account of the local identity provider. */
export async function findDates(db: Kysely<Schema>, userId: string): Promise<DateChoice> {
  const row = await db
    .selectFrom('users')
    .select(['time_zone', 'date_format'])
    .where('issuer', '=', 'urn:milepost:local')
    .where('subject', '=', userId)
    .executeTakeFirst()
  return row ? datesOf(row) : {}
}
