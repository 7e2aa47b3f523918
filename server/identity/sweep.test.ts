import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testDatabase } from '#server/database/testing.ts'
import { sweepIdentity } from './sessions.ts'
import { testIdentity } from './testing.ts'

const MINUTE = 60_000
const now = new Date()
const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds)

let database: Awaited<ReturnType<typeof testDatabase>>

beforeEach(async () => {
  database = await testDatabase()
})
afterEach(() => database.close())

const TABLES = [
  'identity.session',
  'sessions',
  'identity.confirmations',
  'identity.password_resets',
  'identity.second_steps',
  'identity.verification',
  'call_limits',
]

async function counts() {
  const found: Record<string, number> = {}
  for (const table of TABLES) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(
      database.db,
    )
    found[table] = rows[0]?.n ?? 0
  }
  return found
}

const each = (n: number) => Object.fromEntries(TABLES.map((table) => [table, n]))

/** Inserts a row of each kind that expires at `end`, and a session whose last token has expired by then. */
async function fill(end: Date) {
  const { db } = database
  const userId = randomUUID()
  await sql`
    insert into identity."user" (id, name, email, "emailVerified")
    values (${userId}, 'Ada', ${`${userId}@example.test`}, false)`.execute(db)
  await sql`
    insert into identity.session ("expiresAt", token, "updatedAt", "userId")
    values (${end}, ${randomUUID()}, ${end}, ${userId})`.execute(db)
  const signedInAt = new Date(end.getTime() - 65 * MINUTE)
  const identity = testIdentity(db, () => signedInAt)
  const claims = { issuer: 'urn:test', subject: userId, email: 'ada@example.test', emailVerified: false }
  await identity.exchange({
    idToken: JSON.stringify({ ...claims, name: null, picture: null, session: null }),
  })
  await sql`
    insert into identity.confirmations (id, user_id, email, token_hash, created_at, expires_at)
    values (${randomUUID()}, ${userId}, 'ada@example.test', ${userId}, ${end}, ${end})`.execute(db)
  await sql`
    insert into identity.password_resets (id, email, token_hash, created_at, expires_at)
    values (${randomUUID()}, 'ada@example.test', ${userId}, ${end}, ${end})`.execute(db)
  await sql`
    insert into identity.second_steps (token_hash, user_id, expires_at)
    values (${userId}, ${userId}, ${end})`.execute(db)
  await sql`
    insert into identity.verification (identifier, value, "expiresAt") values ('x', 'y', ${end})`.execute(db)
  await sql`
    insert into call_limits (key, calls, ends_at) values (${userId}, 1, ${end})`.execute(db)
}

test('a sweep removes expired rows of each kind, and nothing else', async () => {
  await fill(ago(MINUTE))
  await fill(ago(1))
  await fill(ago(-MINUTE))
  expect(await counts()).toEqual(each(3))
  await sweepIdentity(database.db, now)
  expect(await counts()).toEqual(each(1))
})

test('a sweep ends a session half a year after its sign-in even if it is in use, and none earlier', async () => {
  const { db } = database
  const userId = randomUUID()
  await sql`
    insert into identity."user" (id, name, email, "emailVerified")
    values (${userId}, 'Ada', 'ada@example.test', false)`.execute(db)
  for (const days of [179, 181])
    await sql`
      insert into identity.session ("createdAt", "expiresAt", token, "updatedAt", "userId")
      values (${ago(days * 24 * 60 * MINUTE)}, ${ago(-MINUTE)}, ${`${days} days`}, ${now}, ${userId})`.execute(
      db,
    )
  await sweepIdentity(db, now)
  const { rows } = await sql<{ token: string }>`select token from identity.session`.execute(db)
  expect(rows).toEqual([{ token: '179 days' }])
})

test('a sweep removes any number of rows, even during other sweeps', async () => {
  await sql`
    insert into call_limits (key, calls, ends_at)
    select n::text, 1, ${ago(MINUTE)} from generate_series(1, 2500) n`.execute(database.db)
  await Promise.all([1, 2, 3].map(() => sweepIdentity(database.db, now)))
  await sweepIdentity(database.db, now)
  expect(await counts()).toEqual(each(0))
})

test('a sweep does nothing while another process is sweeping', async () => {
  await fill(ago(MINUTE))
  await database.db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('milepost identity sweep', 0))`.execute(trx)
    await sweepIdentity(database.db, now)
    expect(await counts()).toEqual(each(1))
  })
  await sweepIdentity(database.db, now)
  expect(await counts()).toEqual(each(0))
})
