import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { migrate } from './migrate.ts'
import { up as addEntryPages } from './migrations/0004_entry_pages.ts'
import { migrations } from './migrations.ts'
import { emptyDatabase, setTimeLimits, TIME_LIMITS_QUERY, testDatabase } from './testing.ts'
import { onServer } from './testing-setup.ts'

let database: Awaited<ReturnType<typeof testDatabase>>

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

test('several processes may migrate an empty database concurrently', { tags: ['long'] }, async () => {
  await sql`drop schema public, identity cascade`.execute(database.db)
  await sql`create schema public`.execute(database.db)
  await Promise.all([1, 2, 3].map(() => migrate(database.config)))
  const { rows } = await sql`select name from kysely_migration`.execute(database.db)
  expect(rows.length).toBeGreaterThan(1)
  await expect(database.db.selectFrom('projects').selectAll().execute()).resolves.toEqual([])
})

test('a migration has no time limit except for locks, which is long enough for PostgreSQL to cancel an autovacuum', async () => {
  const { config, close } = await emptyDatabase()
  const [first, second] = migrations
  await migrate(config, first)
  const names = await setTimeLimits(config)
  await onServer(config, (client) =>
    client.query(`
      create table seen (name text, setting text);
      create function see() returns trigger language plpgsql as
        $$ begin insert into seen ${TIME_LIMITS_QUERY}; return null; end $$;
      create trigger see after insert on kysely_migration execute function see()`),
  )
  await migrate(config, second)
  const { rows } = await onServer(config, (client) => client.query('select * from seen'))
  await close()
  expect(rows).toEqual(
    names.map((name) => ({
      name,
      setting: name === 'lock_timeout' ? '2000' : '0',
    })),
  )
})

test('a migration waits for a backup without holding up readers, and says so once', async () => {
  const { config, close } = await emptyDatabase()
  await migrate(config, '0040_webhook_secrets')
  const waits: string[][] = []
  let attempts = 0
  await onServer({ ...config, application_name: 'milepost backup' }, async (backup) => {
    await backup.query('begin; lock table users in access share mode')
    const pause = async () => {
      attempts += 1
      await onServer(config, (reader) => reader.query('select from users'))
      if (attempts === 3) await backup.query('rollback')
    }
    const options = {
      onWait: (connections: string[]) => void waits.push(connections),
      lockTimeoutMs: 1,
      pause,
    }
    await migrate(config, '0041_dates_of_people', {}, options)
  })
  const { rows } = await onServer(config, (client) =>
    client.query(`select name from kysely_migration where name = '0041_dates_of_people'`),
  )
  await close()
  expect(attempts).toBe(3)
  expect(waits).toEqual([[expect.stringMatching(/^milepost backup \(process \d+\)$/)]])
  expect(rows).toHaveLength(1)
})

test('a migration that was aborted by a deadlock is retried', async () => {
  const { config, close } = await emptyDatabase()
  const [first, second] = migrations
  await migrate(config, first)
  await onServer(config, (client) =>
    client.query(`
      create sequence attempts;
      create function collide() returns trigger language plpgsql as $$ begin
        if nextval('attempts') = 1 then raise exception using errcode = 'deadlock_detected'; end if;
        return null;
      end $$;
      create trigger collide after insert on kysely_migration execute function collide()`),
  )
  let pauses = 0
  const pause = async () => {
    pauses += 1
  }
  await migrate(config, second, {}, { pause })
  await close()
  expect(pauses).toBe(1)
})

test('a migration that waited is refused in one sentence if a newer Milepost has migrated meanwhile', async () => {
  const { config, close } = await emptyDatabase()
  await migrate(config, '0040_webhook_secrets')
  await onServer(config, async (backup) => {
    await backup.query('begin; lock table users in access share mode')
    const pause = () =>
      backup.query(`rollback; insert into kysely_migration (name, timestamp) values ('9999_future', 'then')`)
    const migrating = migrate(config, '0041_dates_of_people', {}, { lockTimeoutMs: 1, pause })
    await expect(migrating).rejects.toThrow(/newer Milepost.*9999_future/)
  })
  await close()
})

test('a migration that waits for a backup ends when it is stopped', { tags: ['long'] }, async () => {
  const { config, close } = await emptyDatabase()
  await migrate(config, '0040_webhook_secrets')
  const stop = new AbortController()
  await onServer(config, async (backup) => {
    await backup.query('begin; lock table users in access share mode')
    const reason = new Error('a signal arrived')
    const options = { onWait: () => stop.abort(reason), lockTimeoutMs: 1, stop: stop.signal }
    const migrating = migrate(config, '0041_dates_of_people', {}, options)
    await expect(migrating).rejects.toBe(reason)
  })
  await close()
})

test('a connection that breaks after the migration does not end the process', async () => {
  const pools: Pool[] = []
  vi.spyOn(Pool.prototype, 'end').mockImplementationOnce(function (this: Pool) {
    pools.push(this)
  })
  await migrate(database.config)
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'milepost migration'`.execute(database.db)
  await expect.poll(() => pools[0]?.totalCount).toBe(0)
  await pools[0]?.end()
})

test('a database whose owner may not create extensions is searched without an index', async ({ skip }) => {
  const { db } = database
  const { rows } = await sql<{ rolsuper: boolean }>`
    select rolsuper from pg_roles where rolname = current_user`.execute(db)
  skip(rows[0]?.rolsuper === true, 'nothing is forbidden to a superuser')
  await sql`drop extension pg_trgm, btree_gin cascade`.execute(db)
  await sql`drop table entry_tags, milestone_tags`.execute(db)
  await sql`drop function folded, sort_key, entry_tags_changed, entries_tagged cascade`.execute(db)
  const { rows: names } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  await sql`revoke create on database ${sql.id(names[0]?.name ?? '')} from current_user, public`.execute(db)
  await addEntryPages(new Kysely<unknown>({ dialect: new PostgresDialect({ pool: database.pool }) }))
  const index = await sql`select to_regclass('entries_search') as name`.execute(db)
  expect(index.rows).toEqual([{ name: null }])
})

test('a count is a number, not a string', async () => {
  const { rows } = await sql<{ total: number }>`select count(*) as total from users`.execute(database.db)
  expect(rows[0]?.total).toBe(0)
})

test('a database of a newer Milepost is refused in one sentence', async () => {
  await sql`insert into kysely_migration (name, timestamp) values ('9999_future', 'then')`.execute(
    database.db,
  )
  await expect(migrate(database.config)).rejects.toThrow(/newer Milepost.*9999_future/)
})

test('a file that a system or an editor left beside the migrations is none', async () => {
  const { readdirSync } = await vi.importActual<typeof import('node:fs')>('node:fs')
  const stray = ['._0118_newest_entries.ts', '.#0001_first.ts', '0118_newest_entries.d.ts', '0118 2.ts']
  vi.doMock('node:fs', () => ({ readdirSync: (folder: URL) => [...readdirSync(folder), ...stray] }))
  vi.resetModules()
  const found = await import('./migrations.ts')
  vi.doUnmock('node:fs')
  expect(found.migrations).toEqual(migrations)
})
