import { type Kysely, sql } from 'kysely'
import type { DatePreferences } from '#contract/parts/date-formats.ts'
import type { DateColumns } from './rows/account.ts'
import type { Schema } from './rows.ts'

type PersonColumn = 'e.author_id' | 'e.user_id' | 'c.user_id' | 'u.id' | 'users.id'

/** The picture id of the person in a column; null if they have none. */
export const pictureOf = (column: PersonColumn) =>
  sql<string | null>`(select pp.id from profile_pictures pp where pp.user_id = ${sql.ref(column)})`

/** Returns the date settings of a row's person. */
export const datesOf = ({ time_zone, date_format }: DateColumns): DatePreferences => ({
  ...(time_zone !== null && { timeZone: time_zone }),
  ...(date_format !== null && { dateFormat: date_format }),
})

/** Returns the time zone that a person has chosen. */
export async function findTimeZone(db: Kysely<Schema>, userId: string): Promise<string | undefined> {
  const row = await db.selectFrom('users').select('time_zone').where('id', '=', userId).executeTakeFirst()
  return row?.time_zone ?? undefined
}

/** Returns the date settings of the owner of a local account. */
export async function findDates(db: Kysely<Schema>, userId: string): Promise<DatePreferences> {
  const row = await db
    .selectFrom('users')
    .select(['time_zone', 'date_format'])
    .where('issuer', '=', 'urn:milepost:local')
    .where('subject', '=', userId)
    .executeTakeFirst()
  return row ? datesOf(row) : {}
}

/** Returns the email of a local account; undefined if there is no such account. */
export async function findAccountEmail(db: Kysely<Schema>, userId: string): Promise<string | undefined> {
  const { rows } = await sql<{ email: string }>`
    select email from identity."user" where id = ${userId}`.execute(db)
  return rows[0]?.email
}
