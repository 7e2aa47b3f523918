import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { NOTIFICATIONS_MAX, RETENTION_DAYS, sweepNotifications } from './service.ts'

const DAY = 24 * 60 * 60_000
const now = new Date()

let t: TestApp
beforeEach(async () => {
  t = await testApp()
})
afterEach(() => t.close())

/** Creates `many` notifications, titled 1 and up. The first has the given age, and each next one is a second older. */
async function fill({ userId }: Person, many: number, ageMs: number) {
  const first = new Date(now.getTime() - ageMs)
  await sql`
    insert into notifications (id, user_id, type, title, message, data, created_at)
    select gen_random_uuid(), ${userId}::uuid, 'other', n::text, '', '{}',
      ${first}::timestamptz - (n - 1) * interval '1 second'
    from generate_series(1, ${sql.lit(many)}) n`.execute(t.deps.db)
}

const kept = async (person: Person) => {
  const { pagination } = await t.call('listNotifications', {}, { as: person })
  const query = { page: Math.max(pagination.totalPages, 1) }
  const { notifications } = await t.call('listNotifications', { query }, { as: person })
  return { total: pagination.totalItems, oldest: notifications.at(-1)?.title }
}

it('a sweep deletes notifications older than half a year, read or not, and no newer ones', async () => {
  const ada = await t.person()
  await fill(ada, 1, RETENTION_DAYS * DAY - 1_000)
  await fill(ada, 2_500, RETENTION_DAYS * DAY + 1_000)
  await sweepNotifications(t.deps.db, now)
  expect(await kept(ada)).toEqual({ total: 1, oldest: '1' })
})

it('a sweep keeps the newest notifications of each person', async () => {
  const [ada, ben] = [await t.person(), await t.person()]
  await fill(ada, NOTIFICATIONS_MAX + 1_200, 0)
  await fill(ben, NOTIFICATIONS_MAX, 0)
  await sweepNotifications(t.deps.db, now)
  for (const person of [ada, ben])
    expect(await kept(person)).toEqual({ total: NOTIFICATIONS_MAX, oldest: String(NOTIFICATIONS_MAX) })
})

it('a sweep does nothing while another process is sweeping', async () => {
  const ada = await t.person()
  await fill(ada, 1, RETENTION_DAYS * DAY + 1_000)
  await t.deps.db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('milepost notification sweep', 0))`.execute(trx)
    await sweepNotifications(t.deps.db, now)
    expect((await kept(ada)).total).toBe(1)
  })
  await sweepNotifications(t.deps.db, now)
  expect((await kept(ada)).total).toBe(0)
})
