import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Connection } from './connect.ts'
import { prepared } from './prepared.ts'
import { testDatabase } from './testing.ts'

let database: Connection

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

type Values = { text: string | null; words: string[]; at: Date }

const echo = prepared((_db, { text, words, at }: Values) => ({
  compile: () =>
    sql<Values & { fixed: number }>`
      select ${text}::text as text, ${words}::text[] as words, ${at}::timestamptz as at, ${7}::int as fixed`.compile(
      database.db,
    ),
}))

test('a prepared statement uses the values of each call, regardless of earlier ones', async () => {
  const calls: Values[] = [
    { text: 'first', words: ['a', 'b'], at: new Date(1_000) },
    { text: null, words: [], at: new Date(2_000) },
  ]
  const rows = await Promise.all(calls.map((values) => echo.first(database.db, values)))
  expect(rows).toEqual(calls.map((values) => ({ ...values, fixed: 7 })))
})

test('a prepared statement is built once, and prepared once on a connection, also within transactions', async () => {
  let built = 0
  const milestones = prepared((db, { id }: { id: string }) => {
    built += 1
    return db.selectFrom('milestones').select('title').where('id', '=', id)
  })
  const id = '01890a5d-ac96-774b-bcce-b302099a8057'
  await database.db.connection().execute(async (db) => {
    for (let times = 0; times < 3; times += 1) await milestones.all(db, { id })
    const { rows } = await sql<{ statement: string; runs: number }>`
      select statement, generic_plans + custom_plans as runs from pg_prepared_statements
      where statement like '%"milestones"%'`.execute(db)
    expect(rows).toEqual([{ statement: 'select "title" from "milestones" where "id" = $1', runs: 3 }])
  })
  expect(await database.db.transaction().execute((trx) => milestones.first(trx, { id }))).toBeUndefined()
  expect(built).toBe(1)
})
