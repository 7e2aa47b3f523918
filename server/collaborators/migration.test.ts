import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrations } from '#server/database/migrations.ts'
import { testDatabase } from '#server/database/testing.ts'
import { findByHash } from './answer-store.ts'
import { hashOf } from './token.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const id = (number: number) => `0199f1f0-0000-7000-8000-00000000000${number}`

it('what was invited and accepted before invitations could be answered survives, and its links work', async () => {
  const { db, pool } = database
  await sql`drop schema public, identity cascade`.execute(db)
  await sql`create schema public`.execute(db)
  const migrator = new Migrator({
    db: new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }),
    provider: { getMigrations: async () => migrations },
  })
  expect((await migrator.migrateTo('0007_notifications')).error).toBeUndefined()
  await sql`
    insert into users (id, issuer, subject, name, email, email_verified, created_at, updated_at) values
      (${id(1)}, 'x', '1', 'Ada', 'ada@example.test', true, now(), now()),
      (${id(2)}, 'x', '2', 'Grace', 'grace@example.test', true, now(), now())`.execute(db)
  await sql`
    insert into projects (id, owner_id, title, description, is_public, created_at, updated_at)
    values (${id(3)}, ${id(1)}, 'A canoe', 'Strip by strip', false, now(), now())`.execute(db)
  await sql`
    insert into collaborators
      (id, project_id, email, role, status, invite_token, expires_at, user_id, created_at, updated_at)
    values
      (${id(4)}, ${id(3)}, 'new@example.test', 'viewer', 'pending', 'früher', '2100-01-01', null, now(), now()),
      (${id(5)}, ${id(3)}, 'grace@example.test', 'editor', 'accepted', null, null, ${id(2)}, now(), '2026-01-02T00:00:00Z'),
      (${id(6)}, ${id(3)}, 'no@example.test', 'admin', 'declined', null, null, null, now(), now())`.execute(
    db,
  )

  expect((await migrator.migrateToLatest()).error).toBeUndefined()
  expect(await findByHash(db, hashOf('früher'))).toMatchObject({ id: id(4), invite_token: 'früher' })
  const rows = await db
    .selectFrom('collaborators')
    .select(['id', 'joined_at', 'token_hash'])
    .orderBy('id')
    .execute()
  expect(rows.slice(1)).toEqual([
    { id: id(5), joined_at: new Date('2026-01-02T00:00:00Z'), token_hash: null },
    { id: id(6), joined_at: null, token_hash: null },
  ])
})
