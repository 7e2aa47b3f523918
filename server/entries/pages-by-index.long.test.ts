import { type CompiledQuery, Kysely, type LogEvent, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EntryQuery, FIRST_PAGE } from '#contract/entries.ts'
import { ENTRY_SORTS } from '#contract/parts/list-options.ts'
import type { Schema } from '#server/database/rows.ts'
import { clientNamed } from '#server/platform/limits/fair-queue.ts'
import { createSearch } from '#server/platform/limits/search.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { listEntryPage } from './pages.ts'

const MANY = 2_000
const MILESTONES = 10
/** Three entries of this length fill a page of the table without being moved out of line (TOAST). */
const STRAW = 'straw '.repeat(330)

let t: TestApp
let owner: Person
let milestoneId: string
let projectId: string
beforeAll(async () => {
  t = await testApp()
  owner = await t.person()
  milestoneId = await manyEntries((await t.project(owner))._id, MANY)
  await manyEntries((await t.project(owner))._id, MANY)
  await vacuumWhole()
})
afterAll(() => t.close())

/** A milestone whose entries all have the tag "all", every fiftieth "some"; the 77th contains "needle". */
async function manyEntries(ofProject: string, count: number): Promise<string> {
  const { _id } = await t.milestone(owner, ofProject)
  await sql`
    insert into entries (id, milestone_id, title, content, tags, created_at, updated_at)
    select gen_random_uuid(), ${_id}::uuid, 'Day ' || n, case n when 77 then 'a needle' else ${STRAW} end,
      case n % 50 when 0 then array['all', 'some'] else array['all'] end, now() - n * interval '1 hour', now()
    from generate_series(1, ${sql.lit(count)}) n`.execute(t.deps.db)
  return _id
}

/** Vacuums until all pages are marked as all-visible; transactions of other tests may prevent it. */
async function vacuumWhole(tries = 50) {
  await t.pool.query('vacuum analyze')
  const { rows } = await t.pool.query(
    `select 1 from pg_class where relname = 'entries' and relallvisible < relpages`,
  )
  if (rows.length > 0 && tries > 0) await vacuumWhole(tries - 1)
}

type Plan = { 'Node Type': string; 'Actual Rows': number; 'Actual Loops': number; Plans?: Plan[] } & {
  'Rows Removed by Filter'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
}

type PlanMode = 'custom' | 'generic'

/** A page of the milestone, or of the project with all its milestones. */
type Query = Partial<EntryQuery> & { ofProject?: true }

/** The executed plans of all statements of a page, custom or generic. */
async function plansOf({ ofProject, ...query }: Query, mode: PlanMode = 'custom'): Promise<Plan[]> {
  const selects: CompiledQuery[] = []
  const log = (event: LogEvent) => {
    if (/^(select|with) /.test(event.query.sql)) selects.push(event.query)
  }
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: t.pool }), log })
  const asked = { ...FIRST_PAGE, ...query }
  const caller = { userId: owner.userId, sessionId: '' }
  const asking = { caller, client: clientNamed('owner'), search: createSearch(db, { atOnce: 1 }) }
  await listEntryPage({ ...t.deps, db }, asking, ofProject ? { projectId } : { milestoneId }, asked)
  const client = await t.pool.connect()
  try {
    await client.query(`set plan_cache_mode = force_${mode}_plan`)
    const plans: Plan[] = []
    for (const select of selects) {
      await client.query(`prepare page as ${select.sql}`)
      const values = select.parameters.map((value) => client.escapeLiteral(String(value)))
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (analyze, buffers, format json) execute page(${values.join(', ')})`,
      )
      await client.query('deallocate page')
      if (!rows[0]) throw new Error('no plan was explained')
      plans.push(rows[0]['QUERY PLAN'][0].Plan)
    }
    return plans
  } finally {
    client.release(true)
  }
}

/** Each scan of a table or index, with the number of rows that it read. */
function scansIn(plan: Plan): { type: string; rows: number }[] {
  const own = { type: plan['Node Type'], rows: looked(plan) }
  const below = (plan.Plans ?? []).flatMap(scansIn)
  return own.type.endsWith('Scan') && own.type !== 'Subquery Scan' && own.type !== 'CTE Scan'
    ? [own, ...below]
    : below
}

const looked = (plan: Plan) =>
  (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']

async function rowsRead(query: Query, mode?: PlanMode): Promise<number> {
  const scans = (await plansOf(query, mode)).flatMap(scansIn)
  expect(scans.length).toBeGreaterThan(3)
  return scans.reduce((sum, { rows }) => sum + rows, 0)
}

/** The number of accesses to pages of tables and indexes. */
async function buffersRead(query: Query): Promise<number> {
  const plans = await plansOf(query)
  return plans.reduce((sum, plan) => sum + plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], 0)
}

describe('a page of a milestone with thousands of entries', () => {
  for (const sort of ENTRY_SORTS) {
    it(`reads only the rows that it shows, ${sort} first`, async () => {
      expect(await rowsRead({ sort })).toBeLessThan(33)
    })

    it(`reads as few rows with a generic plan, ${sort} first`, async () => {
      expect(await rowsRead({ sort }, 'generic')).toBeLessThan(33)
    })

    it(`reads only the rows that it shows for a common or a rare tag, ${sort} first`, async () => {
      expect(await rowsRead({ sort, tag: 'all' })).toBeLessThan(36)
      expect(await rowsRead({ sort, tag: 'some' })).toBeLessThan(36)
      expect(await rowsRead({ sort, tag: 'none' })).toBeLessThan(30)
    })
  }

  it('skips the previous pages without reading their entries', async () => {
    const [first, last] = [await buffersRead({ page: 1 }), await buffersRead({ page: Math.ceil(MANY / 6) })]
    // Three skipped entries fill a page of the table, some hundred a page of the index.
    expect(last - first).toBeLessThan(MANY / 12)
  })

  it('is found by a rare word without reading the rest', async () => {
    expect(await rowsRead({ search: 'NEEDLE' })).toBeLessThan(30)
  })
})

describe('a page of a project with thousands of entries', () => {
  // For each milestone its row, its counts and as many index entries as fit on a page; then the page itself.
  const FEW = MILESTONES * (6 + 10) + 40

  beforeAll(async () => {
    projectId = (await t.project(owner))._id
    for (let count = 0; count < MILESTONES; count += 1) await manyEntries(projectId, MANY / MILESTONES)
    await vacuumWhole()
  })

  for (const sort of ENTRY_SORTS) {
    it(`reads only the rows of each milestone that it could show, ${sort} first`, async () => {
      expect(await rowsRead({ ofProject: true, sort })).toBeLessThan(FEW)
      expect(await rowsRead({ ofProject: true, sort }, 'generic')).toBeLessThan(FEW)
    })

    it(`reads as few rows for a common or a rare tag, ${sort} first`, async () => {
      expect(await rowsRead({ ofProject: true, sort, tag: 'all' })).toBeLessThan(FEW)
      expect(await rowsRead({ ofProject: true, sort, tag: 'some' })).toBeLessThan(FEW)
      expect(await rowsRead({ ofProject: true, sort, tag: 'none' })).toBeLessThan(FEW)
    })
  }

  it('skips the previous pages without reading their entries', async () => {
    const last = Math.ceil(MANY / 6)
    const [first, further] = [
      await buffersRead({ ofProject: true }),
      await buffersRead({ ofProject: true, page: last }),
    ]
    expect(further - first).toBeLessThan(MANY / 12)
  })

  it('is found by a rare word without reading the rest', async () => {
    expect(await rowsRead({ ofProject: true, search: 'NEEDLE' })).toBeLessThan(FEW)
  })
})
