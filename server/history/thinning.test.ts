import * as fc from 'fast-check'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findInconsistencies } from '#server/database/testing-contents.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { runs } from '#testing/runs.ts'
import { thinHistories } from './thinning.ts'

const DAY_MS = 86_400_000
const NOW = Date.parse('2026-07-01T12:00:00Z')
const DAYS = { historyDays: 30, historyDailyDays: 365 }

/** A revision of the given age. */
type Old = { hours: number; superseded: boolean; isNamed: boolean; isDraft: boolean; isBase: boolean }

let t: TestApp
let ada: Person
let milestoneId: string
beforeAll(async () => {
  t = await testApp()
  ada = await t.person()
  milestoneId = (await t.milestone(ada, (await t.project(ada))._id))._id
})
afterAll(() => t.close())

/** Creates an entry with this history, oldest first, and its current revision. */
async function entryWith(history: Old[]): Promise<string> {
  const { _id } = await t.entry(ada, milestoneId)
  await t.pool.query('delete from entry_revisions where entry_id = $1', [_id])
  const rows = [...history.toSorted((a, b) => b.hours - a.hours), current]
  await t.pool.query('update entries set version = $2 where id = $1', [_id, rows.length])
  for (const [at, { hours, superseded, isNamed, isDraft, isBase }] of rows.entries()) {
    const version = at + 1
    await sql`
      insert into entry_revisions (id, entry_id, first_version, version, title, content, tags, happened_at, happened_on,
        happened_zone, state, author_ids, author_names, name, cause, superseded, bytes, begun_at, created_at)
      values (${uuidv7()}, ${_id}, ${version}, ${version}, 'T', 'x', '{}', now(), current_date, 'UTC',
        ${isDraft ? 'draft' : 'published'}, '{}', '{}', ${isNamed ? 'N' : null}, 'save', ${superseded}, 2, now(),
        ${new Date(NOW - hours * 3_600_000)})`.execute(t.deps.db)
    if (isBase)
      await sql`
        insert into entry_drafts (id, writer_id, entry_id, milestone_id, title, content, tags, base_version, created_at,
          updated_at)
        values (${uuidv7()}, ${(await t.person()).userId}, ${_id}, null, '', '', '{}', ${version}, now(), now())`.execute(
        t.deps.db,
      )
  }
  await t.pool.query('update entries set history_bytes = $2 where id = $1', [_id, 2 * (rows.length - 1)])
  return _id
}

const current: Old = { hours: 0, superseded: false, isNamed: false, isDraft: false, isBase: false }

const thinAt = (now: number) => thinHistories({ ...t.deps, ...DAYS, clock: () => new Date(now) })

async function versionsOf(entryId: string): Promise<number[]> {
  const { rows } = await t.pool.query<{ version: number }>(
    'select version from entry_revisions where entry_id = $1 order by version',
    [entryId],
  )
  return rows.map(({ version }) => version)
}

const dayOf = ({ hours }: Old) => Math.floor((NOW - hours * 3_600_000) / DAY_MS)
/** Weeks begin on Monday. 1 January 1970 was a Thursday. */
const weekOf = (one: Old) => Math.floor((dayOf(one) + 3) / 7)

/** Returns what has to remain of a history, as a literal implementation of the rule. */
function expected(history: Old[]): number[] {
  const rows = [...history.toSorted((a, b) => b.hours - a.hours), current]
  const isLast = (at: number, periodOf: (one: Old) => number) => {
    const own = rows[at] ?? current
    return !rows.some(
      (other, later) =>
        later > at && !other.superseded && other.isDraft === own.isDraft && periodOf(other) === periodOf(own),
    )
  }
  return rows.flatMap((one, at) => {
    const days = one.hours / 24
    const isKept = one.superseded
      ? days <= 30
      : days <= 30 || (days <= 365 ? isLast(at, dayOf) : isLast(at, weekOf))
    return isKept || one.isNamed || one.isBase ? [at + 1] : []
  })
}

const old = fc.record({
  // Many on the same days, of the last month, the last year and earlier.
  hours: fc.oneof(
    fc.integer({ min: 1, max: 24 * 29 }),
    fc.integer({ min: 24 * 31, max: 24 * 40 }),
    fc.integer({ min: 24 * 370, max: 24 * 400 }),
  ),
  superseded: fc.boolean(),
  isNamed: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
  isDraft: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
  isBase: fc.integer({ min: 0, max: 14 }).map((one) => one === 0),
})

it('keeps all revisions of the last month, one a day for a year, one a week before that, and all named, base and current ones', async () => {
  const histories = fc.array(old, { minLength: 5, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(histories, fc.boolean(), async (history, isDaily) => {
      const entryId = await entryWith(history)
      // The result is the same whether the history was thinned out repeatedly or once.
      if (isDaily) for (const days of [360, 200, 5]) await thinAt(NOW - days * DAY_MS)
      await thinAt(NOW)
      expect(await versionsOf(entryId)).toEqual(expected(history))
      await thinAt(NOW)
      expect(await versionsOf(entryId)).toEqual(expected(history))
    }),
    { numRuns: runs(15) },
  )
  expect(await findInconsistencies(t.config)).toEqual([])
})

it('does not change the revision of the project, so that public pages stay cached', async () => {
  const project = await t.project(ada, { isPublic: true })
  milestoneId = (await t.milestone(ada, project._id))._id
  await entryWith([
    { ...current, hours: 1_000 },
    { ...current, hours: 1_001 },
  ])
  const read = async () =>
    (await t.pool.query('select revision, text_bytes from projects where id = $1', [project._id])).rows[0]
  const before = await read()
  await thinAt(NOW)
  expect(await read()).toEqual({ ...before, text_bytes: before.text_bytes - 2 })
})
