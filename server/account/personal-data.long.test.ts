import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Connection, connect } from '#server/database/connect.ts'
import { emptyDatabase } from '#server/database/testing.ts'
import { migrateWithSamples } from '#server/database/testing-samples.ts'
import { features } from '#server/features.ts'
import { purgeAccounts } from './deletion.ts'

let database: Awaited<ReturnType<typeof emptyDatabase>>
let connection: Connection

// Every migration has samples, so every table has rows here.
beforeAll(async () => {
  database = await emptyDatabase()
  await migrateWithSamples(database.config)
  connection = connect(database.config, pino({ level: 'silent' }))
})
afterAll(async () => {
  await connection.close()
  await database.close()
})

/** Returns the tables and columns that contain one of the texts. */
async function columnsWith(texts: string[]): Promise<string[]> {
  const { db } = connection
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
    order by 1`.execute(db)
  const found: string[] = []
  for (const { name } of rows) {
    const { rows: columns } = await sql<{ key: string }>`
      select distinct cell.key from ${sql.raw(name)} t, jsonb_each_text(to_jsonb(t)) cell
      where exists (select from unnest(${texts}::text[]) known where strpos(lower(cell.value), lower(known)) > 0)
      order by cell.key`.execute(db)
    found.push(...columns.map(({ key }) => `${name}.${key}`))
  }
  return found
}

test('no table contains a name or an email of deleted accounts, nor an id except in the audit log', async () => {
  const { db } = connection
  await sql`
    update users set issuer = 'urn:milepost:local', subject = (select id::text from identity."user")
    where subject = 'ada'`.execute(db)
  const { rows: people } = await sql<{ known: string[] }>`
    select array_remove(array[id::text, subject, nullif(name, ''), email], null) as known from users`.execute(
    db,
  )
  const { rows: former } = await sql<{ email: string }>`select email from former_emails`.execute(db)
  // Not `bo`, which is part of other words.
  const known = [...people.flatMap((person) => person.known), ...former.map(({ email }) => email)].filter(
    ({ length }) => length > 2,
  )
  expect((await columnsWith(known)).length).toBeGreaterThan(20)

  await sql`update users set leaving_since = '2026-01-01T00:00:00Z'`.execute(db)
  await purgeAccounts({
    db,
    features,
    events: { publish: () => undefined, subscribe: () => () => undefined },
    sendsMail: true,
    trashDays: 30,
    clock: () => new Date('2026-03-05T00:00:00Z'),
  })
  const { rows: left } = await sql`select from users`.execute(db)
  expect(left).toEqual([])
  // These ids are random and no longer refer to a person.
  expect(await columnsWith(known)).toEqual(['public.audit_log.actor_id', 'public.audit_log.person_id'])
})
