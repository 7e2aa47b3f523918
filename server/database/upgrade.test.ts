import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import { emptyDatabase, testDatabase } from './testing.ts'
import { allRows, type Rows, untrue } from './testing-contents.ts'
import { levels, stepTo, walkTo } from './testing-samples.ts'
import { onServer } from './testing-setup.ts'

type Database = Awaited<ReturnType<typeof emptyDatabase>>

let updated: Database
/** What the updated database was at each level that is tried. */
const filledAt = new Map<string, Database>()

/** The first one, and the last three; all of them in `npm run test:all`. */
const tried = levels.filter(
  (_, index) => process.env.MILEPOST_TESTS === 'all' || index === 0 || index >= levels.length - 3,
)

beforeAll(async () => {
  updated = await emptyDatabase()
  for (const level of levels) {
    await stepTo(updated.config, level)
    if (tried.includes(level)) filledAt.set(level, await emptyDatabase(updated.name))
  }
})
afterAll(async () => {
  await Promise.all([updated, ...filledAt.values()].map((database) => database.close()))
})

/** Rows of before of which no row of after has all the values, but for what a migration changes in them. */
function lost(before: Rows, after: Rows) {
  return Object.entries(before).flatMap(([table, rows]) =>
    rows
      .map(migrated)
      .filter((row) => !(after[table] ?? []).some((other) => holds(other, row)))
      .map((row) => ({ table, row })),
  )
}

/** Line ends are LF since 0014, so texts have fewer bytes (`untrue` holds them); a revision rises with every change. */
const migrated = (row: Record<string, unknown>) =>
  JSON.parse(
    JSON.stringify({ ...row, revision: undefined, text_bytes: undefined }).replaceAll(
      String.raw`\r\n`,
      String.raw`\n`,
    ),
  ) as Record<string, unknown>

const holds = (other: Record<string, unknown>, row: Record<string, unknown>) =>
  Object.entries(row).every(([column, value]) => JSON.stringify(other[column]) === JSON.stringify(value))

/**
 * Tokens of invitations are kept encrypted, and no longer in notifications (0012); expired counts of sign-ins are dropped
 * with their tables (0016).
 */
function comparable({ collaborators = [], notifications = [], ...others }: Rows): Rows {
  const { 'identity.attempts': _attempts, 'identity.rateLimit': _rateLimit, ...rest } = others
  return {
    ...rest,
    collaborators: collaborators.map(({ invite_token: _plain, ...row }) => row),
    notifications: notifications.map(({ data, ...row }) =>
      JSON.stringify(data).includes('inviteToken') ? row : { data, ...row },
    ),
  }
}

async function rowsOf(config: ClientConfig, sql: string) {
  return onServer(config, async (client) => (await client.query(sql)).rows)
}

test.each(tried)(
  'what was written by a Milepost of %s is whole after the update to the newest',
  async (level) => {
    const config = filledAt.get(level)?.config ?? {}
    const before = comparable(await allRows(config))
    await migrate(config)
    expect(lost(before, await allRows(config))).toEqual([])
    expect(await untrue(config)).toEqual([])
  },
)

test('a database that was updated has the same form as a new one', async () => {
  const fresh = await testDatabase()
  const columns = `select table_schema, table_name, column_name, data_type, is_nullable, column_default,
      generation_expression from information_schema.columns where table_schema in ('public', 'identity') order by 1, 2, 3`
  expect(await rowsOf(updated.config, columns)).toEqual(await rowsOf(fresh.config, columns))
  await fresh.close()
})

test('line ends become LF in all that people typed; versions, dates and counts stay, and two tags that are one now', async () => {
  const database = await emptyDatabase()
  const level = levels.filter((name) => name < '0014').at(-1)
  await walkTo(database.config, level)
  await onServer(database.config, async (client) => {
    await client.query(`
      update users set name = e'Ada\\rL.';
      update identity."user" set name = e'Ada\\r\\nL.';
      update notifications set message = e'in\\r\\nvited';
      update projects set title = e'A\\rcanoe', description = e'Strip\\r\\nby\\rstrip';
      update milestones set description = e'Of\\r\\n\\r\\nits own';
      update entries set title = e'Day\\r\\n2', content = e'a\\r\\nb\\rc\\n', tags = array[e'x\\r\\ny', 'z', e'x\\ny', e'x\\ry'];`)
  })
  const before = await allRows(database.config)
  await migrate(database.config)
  const after = await allRows(database.config)
  expect(JSON.stringify(after)).not.toContain(String.raw`\r`)
  const kept = (rows: Rows) =>
    Object.values(rows).flatMap((table) =>
      table.map(({ id, version, created_at, updated_at, entry_count }) =>
        JSON.stringify([id, version, created_at, updated_at, entry_count]),
      ),
    )
  expect(kept(after)).toEqual(expect.arrayContaining(kept(comparable(before))))
  expect(after.entries?.[0]).toMatchObject({ title: 'Day\n2', content: 'a\nb\nc\n', tags: ['x\ny', 'z'] })
  expect(after.projects?.[0]).toMatchObject({ title: 'A\ncanoe', description: 'Strip\nby\nstrip' })
  expect(await untrue(database.config)).toEqual([])
  await database.close()
})

test('entries keep their dates, and have the author that only one person can be', async () => {
  const database = await emptyDatabase()
  const level = levels.filter((name) => name < '0018').at(-1)
  await walkTo(database.config, level)
  const [alone, shared] = ['0a1a0000-0000-7000-8000-000000000001', '0a1a0000-0000-7000-8000-000000000002']
  await onServer(database.config, async (client) => {
    const { rows } = await client.query(`select id, owner_id from projects limit 1`)
    for (const [id, title] of [
      [alone, 'Alone'],
      [shared, 'Shared'],
    ])
      await client.query(
        `insert into projects (id, owner_id, title, description, is_public, created_at, updated_at)
         values ($1, $2, $3, 'x', $4, now(), now())`,
        [id, rows[0].owner_id, title, title === 'Alone'],
      )
    await client.query(
      `insert into collaborators (id, project_id, email, role, status, user_id, created_at, updated_at) values
         (gen_random_uuid(), $1, 'v@x.test', 'viewer', 'pending', null, now(), now()),
         (gen_random_uuid(), $2, 'e@x.test', 'editor', 'pending', null, now(), now())`,
      [alone, shared],
    )
    await client.query(
      `insert into milestones (id, project_id, title, description, completed, created_at, updated_at)
       select gen_random_uuid(), p, n::text, 'x', true, date '2026-01-01' + n, now()
       from unnest($1::uuid[]) p, generate_series(1, 70) n order by n desc`,
      [[alone, shared]],
    )
    await client.query(
      `insert into entries (id, milestone_id, title, content, tags, created_at, updated_at)
       select gen_random_uuid(), id, 'E', 'x', '{}', '2026-03-04T23:30:00-02:00', now() from milestones
       where project_id = any ($1)`,
      [[alone, shared]],
    )
  })
  await migrate(database.config)
  const entries = await rowsOf(
    database.config,
    `select distinct p.title, p.visibility, e.happened_on, e.happened_zone, e.happened_at = e.created_at as same, e.state,
       e.published_at = e.created_at as published, e.author_id = p.owner_id as own, e.author_name = u.name as named,
       m.reached_at
     from entries e join milestones m on m.id = e.milestone_id join projects p on p.id = m.project_id
     join users u on u.id = p.owner_id where p.title in ('Alone', 'Shared') order by 1`,
  )
  const kept = { happened_zone: 'UTC', same: true, state: 'published', published: true, reached_at: null }
  expect(entries).toMatchObject([
    { ...kept, title: 'Alone', visibility: 'public', own: true, named: true },
    { ...kept, title: 'Shared', visibility: 'private', own: null, named: null },
  ])
  const days = await rowsOf(
    database.config,
    `select happened_on::text from entries where title = 'E' limit 1`,
  )
  expect(days).toEqual([{ happened_on: '2026-03-05' }])
  const milestones = await rowsOf(
    database.config,
    `select title from milestones where project_id = '${alone}' order by position`,
  )
  expect(milestones.map(({ title }) => Number(title))).toEqual(Array.from({ length: 70 }, (_, n) => n + 1))
  await database.close()
})

test('a server of the release before may go on writing', async () => {
  const database = await emptyDatabase()
  await walkTo(database.config)
  await onServer(database.config, async (client) => {
    const { rows } = await client.query(
      `select id, project_id from milestones where deleted_at is null limit 1`,
    )
    const [{ id, project_id: project }] = rows
    await client.query(
      `insert into milestones (id, project_id, title, description, completed, created_at, updated_at)
       values (gen_random_uuid(), $1, 'Late', 'x', true, now(), now())`,
      [project],
    )
    await client.query(
      `insert into entries (id, milestone_id, title, content, tags, created_at, updated_at)
       values (gen_random_uuid(), $1, 'Late', 'x', '{late}', '2026-03-04T23:30:00Z', '2026-03-04T23:30:00Z')`,
      [id],
    )
    await client.query(`update entries set title = 'Later', updated_at = now() where title = 'Late'`)
    await client.query(`update projects set is_public = not is_public`)
  })
  const [entry] = await rowsOf(
    database.config,
    `select happened_on::text, happened_zone, state, happened_at = created_at and published_at = created_at as same
     from live_entries where title = 'Later'`,
  )
  expect(entry).toEqual({ happened_on: '2026-03-04', happened_zone: 'UTC', state: 'published', same: true })
  expect(await untrue(database.config)).toEqual([])
  await database.close()
})
