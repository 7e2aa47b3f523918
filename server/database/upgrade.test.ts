import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import { emptyDatabase, testDatabase } from './testing.ts'
import { allRows, type Rows, untrue } from './testing-contents.ts'
import { levels, stepTo, walkTo } from './testing-samples.ts'
import { onServer } from './testing-setup.ts'

type Database = Awaited<ReturnType<typeof emptyDatabase>>

let updated: Database
/** What the updated database was at each level. */
const filledAt = new Map<string, Database>()

beforeAll(async () => {
  updated = await emptyDatabase()
  for (const level of levels) {
    await stepTo(updated.config, level)
    filledAt.set(level, await emptyDatabase(updated.name))
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

/** Line ends are LF since 0014, so that texts weigh less; a revision rises with every change. */
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

test.each(levels)(
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
