import { type Kysely, sql } from 'kysely'
import type { DateChoice } from '#contract/date-formats.ts'
import type { DateColumns, Schema } from './rows.ts'

type PersonColumn = 'e.author_id' | 'e.user_id' | 'c.user_id' | 'u.id' | 'users.id'

/** The id of the picture of the person whom a column names; null where there is none. */
export const pictureOf = (column: PersonColumn) =>
  sql<string | null>`(select pp.id from profile_pictures pp where pp.user_id = ${sql.ref(column)})`

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
