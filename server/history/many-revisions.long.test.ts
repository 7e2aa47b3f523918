import { type CompiledQuery, Kysely, type LogEvent, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Entry } from '#contract/entries.ts'
import type { Schema } from '#server/database/rows.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { listRevisions } from './service.ts'

const FEW = 300
const MANY = 10_000

let t: TestApp
let ada: Person
let few: Entry
let many: Entry
beforeAll(async () => {
  t = await testApp()
  ada = await t.person()
  const { _id: milestoneId } = await t.milestone(ada, (await t.project(ada))._id)
  few = await t.entry(ada, milestoneId)
  many = await t.entry(ada, milestoneId)
  await addRevisions(few, FEW)
  await addRevisions(many, MANY)
  await t.pool.query('vacuum analyze')
})
afterAll(() => t.close())

/** Adds earlier revisions to an entry, four of five of them superseded. */
async function addRevisions({ _id }: Entry, count: number) {
  await sql`update entries set version = ${count} + 1 where id = ${_id}`.execute(t.deps.db)
  await sql`
    insert into entry_revisions (id, entry_id, first_version, version, title, content, tags, happened_at, happened_on,
      happened_zone, state, author_ids, author_names, cause, superseded, bytes, begun_at, created_at)
    select gen_random_uuid(), ${_id}, n, n, 'Title ' || n, repeat('straw ', 300), '{}', now(), current_date, 'UTC',
      'published', array[${ada.userId}::uuid], '{Ada}', 'save', n % 5 <> 0, 1800, now(), now()
    from generate_series(2, ${count}::integer + 1) n`.execute(t.deps.db)
}

const refOf = ({ milestone: milestoneId, _id: entryId }: Entry) => ({ milestoneId, entryId })

/** Returns the number of table and index pages that reading a page of a history accesses. */
async function buffersRead(entry: Entry, query: { before?: number; version?: number }): Promise<number> {
  const selects: CompiledQuery[] = []
  const log = (event: LogEvent) => {
    if (event.query.sql.includes('entry_revisions')) selects.push(event.query)
  }
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: t.pool }), log })
  await listRevisions({ ...t.deps, db }, { userId: ada.userId, sessionId: '' }, refOf(entry), query)
  expect(selects).toHaveLength(1)
  const [select] = selects
  const { rows } = await t.pool.query(`explain (analyze, buffers, format json) ${select?.sql}`, [
    ...(select?.parameters ?? []),
  ])
  const plan = rows[0]['QUERY PLAN'][0].Plan
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}

it('a page of ten thousand revisions reads no more than one of a few hundred, wherever it starts', async () => {
  const ofFew = await buffersRead(few, {})
  expect(await buffersRead(many, {})).toBeLessThan(1.5 * ofFew)
  expect(await buffersRead(many, { before: 5_000 })).toBeLessThan(1.5 * ofFew)
})

it('the revision of a version is found by index', async () => {
  expect(await buffersRead(many, { version: 9_998 })).toBeLessThan(20)
})

it('all pages together contain each revision that was not superseded exactly once', async () => {
  const seen: number[] = []
  const readFrom = async (before?: number): Promise<void> => {
    const query = before === undefined ? {} : { before }
    const page = await t.call('listRevisions', { params: refOf(few), query }, { as: ada })
    seen.push(...page.revisions.map(({ version }) => version))
    if (page.next !== null) await readFrom(page.next)
  }
  await readFrom()
  const listed = Array.from({ length: FEW + 1 }, (_, at) => FEW + 1 - at)
  expect(seen).toEqual(listed.filter((version) => version % 5 === 0 || version === 1))
})
