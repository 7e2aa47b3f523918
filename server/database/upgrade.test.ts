import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import { emptyDatabase, filledTemplate, testDatabase } from './testing.ts'
import { allRows, comparable, findInconsistencies, type Rows, rowsOf } from './testing-contents.ts'
import { levels, migrateOneLevel, migrateWithSamples } from './testing-samples.ts'
import { onServer } from './testing-setup.ts'

type Database = Awaited<ReturnType<typeof emptyDatabase>>

let updated: Database
/** The updated databases by the level from which they were updated. */
const filledAt = new Map<string, Database>()

const all = process.env.MILEPOST_TESTS === 'all'
const [first = '', last = ''] = [levels[0], levels.at(-1)]
/** The first and the last level; all levels in `npm run test:all`. */
const tried = all ? levels : [first, last]

beforeAll(async () => {
  if (all) {
    updated = await emptyDatabase()
    for (const level of levels) {
      await migrateOneLevel(updated.config, level)
      filledAt.set(level, await emptyDatabase(updated.name))
    }
  } else {
    updated = await emptyDatabase(await filledTemplate())
    for (const level of tried)
      filledAt.set(level, await emptyDatabase(level === last ? updated.name : undefined))
    await migrateOneLevel(filledAt.get(first)?.config ?? {}, first)
  }
})
afterAll(async () => {
  await Promise.all([updated, ...filledAt.values()].map((database) => database.close()))
})

/** Returns the rows of `before` without an equal row in `after`, apart from values that migrations change. */
function lost(before: Rows, after: Rows) {
  return Object.entries(before).flatMap(([table, rows]) =>
    rows
      .map(migrated)
      .filter((row) => !(after[table] ?? []).some((other) => holds(other, row)))
      .map((row) => ({ table, row })),
  )
}

/** Line ends are LF since 0014, so texts have fewer bytes (checked by `findInconsistencies`). Revisions increase with every change. */
const migrated = (row: Record<string, unknown>) =>
  JSON.parse(
    JSON.stringify({ ...row, revision: undefined, text_bytes: undefined }).replaceAll(
      String.raw`\r\n`,
      String.raw`\n`,
    ),
  ) as Record<string, unknown>

const holds = (other: Record<string, unknown>, row: Record<string, unknown>) =>
  Object.entries(row).every(([column, value]) => JSON.stringify(other[column]) === JSON.stringify(value))

test.each(tried)(
  'what was written by a Milepost of %s is whole after the update to the newest',
  async (level) => {
    const config = filledAt.get(level)?.config ?? {}
    const before = comparable(await allRows(config))
    await migrate(config)
    expect(lost(before, await allRows(config))).toEqual([])
    expect(await findInconsistencies(config)).toEqual([])
  },
)

test('an upgraded database has the same schema as a new one', async () => {
  const fresh = await testDatabase()
  const columns = `select table_schema, table_name, column_name, data_type, is_nullable, column_default,
      generation_expression from information_schema.columns where table_schema in ('public', 'identity') order by 1, 2, 3`
  expect(await rowsOf(updated.config, columns)).toEqual(await rowsOf(fresh.config, columns))
  await fresh.close()
})

test('a server of the previous release may continue to write', { tags: ['long'] }, async () => {
  const database = await emptyDatabase()
  await migrateWithSamples(database.config)
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
  expect(await findInconsistencies(database.config)).toEqual([])
  await database.close()
})
