import { array, assert, asyncProperty, constantFrom, integer } from 'fast-check'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Email, Mail } from '#server/platform/mail/mail.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { unusedQueues } from '#server/testing/email-queues.ts'
import { runs } from '#testing/runs.ts'
import { queueNews, sendNews } from './emails.ts'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS
const publicUrl = 'https://milepost.example'

let t: TestApp
const queued: string[] = []
const sent: Email[] = []
beforeAll(async () => {
  const news = { add: async (_trx: unknown, { id }: { id: string }) => void queued.push(id), wake() {} }
  t = await testApp({}, { pages: 'built', emails: async () => ({ ...unusedQueues, news }) })
})
afterAll(() => t.close())
beforeEach(() => {
  queued.length = 0
  sent.length = 0
})

const accepting: Mail = { send: async (email) => void sent.push(email) }
const send = (id: string, mail = accepting) => sendNews({ ...t.deps, mail, publicUrl }, id)

/** Queues what is due in a day and a bit. */
const queueNextDay = () =>
  queueNews({ ...t.deps, clock: () => new Date(t.deps.clock().getTime() + 25 * HOUR_MS) })

const sendQueued = () => Promise.all(queued.splice(0).map((id) => send(id)))

async function nextDay() {
  await queueNextDay()
  await sendQueued()
}

const to = ({ email }: Person) => sent.filter((one) => one.to === email)

/** A project of Ada, in which Bo, whose address is confirmed, is a viewer. */
async function aProject({ emailVerified = true } = {}) {
  const ada = await t.person({ name: 'Ada' })
  const { _id: projectId } = await t.project(ada, { title: 'Canoe' })
  const { _id: milestoneId } = await t.milestone(ada, projectId)
  const bo = await t.member(projectId, 'viewer')
  await t.call('updateAccount', { body: { name: 'Bo' } }, { as: bo })
  await sql`update users set email_verified = ${emailVerified} where id = ${bo.userId}`.execute(t.deps.db)
  return { ada, bo, projectId, milestoneId }
}

const choose = (as: Person, body: { newsHour?: number | null; emailsMentions?: boolean }) =>
  t.call('updateNotificationPreferences', { body }, { as })

describe('the daily email', () => {
  it('has the news of a day in one line for each thing, and nothing the day after', async () => {
    const { ada, bo, milestoneId } = await aProject()
    for (const title of ['One', 'Two', 'Three']) await t.entry(ada, milestoneId, { title })
    await t.entry(ada, milestoneId, { title: 'Click https://phish.example', content: '@Bo' })
    await nextDay()
    const [email] = to(bo)
    expect(to(bo)).toHaveLength(1)
    expect(email?.subject).toBe('News of your projects on Milepost')
    expect(email?.text).toContain('3 new entries in “Canoe”')
    expect(email?.text).toContain(
      'Ada mentioned you in “Click https:\u200b/\u200b/\u200bphish.\u200bexample” in “Canoe”',
    )
    expect(to(ada)).toEqual([])
    await nextDay()
    expect(to(bo)).toHaveLength(1)
  })

  it('has right-to-left titles in their own direction', async () => {
    const { ada, bo, milestoneId } = await aProject()
    await t.entry(ada, milestoneId, { title: 'קאנו (2)' })
    await nextDay()
    expect(to(bo)[0]?.text).toContain('Ada published “\u2068קאנו (2)\u2069” in “Canoe”')
  })

  it('comes at the hour that the person chose, in their time zone, and not twice in a day', async () => {
    const { ada, bo, milestoneId } = await aProject()
    await t.call('updateDatePreferences', { body: { timeZone: 'Europe/Berlin' } }, { as: bo })
    await choose(bo, { newsHour: 9 })
    await t.entry(ada, milestoneId)
    const at = async (iso: string) => {
      await queueNews({ ...t.deps, clock: () => new Date(iso) })
      return queued.length
    }
    await sql`update notifications set opened_at = '2026-03-27T20:00Z' where user_id = ${bo.userId}`.execute(
      t.deps.db,
    )
    expect(await at('2026-03-28T07:59:00Z')).toBe(0)
    expect(await at('2026-03-28T08:00:00Z')).toBe(1)
    await t.entry(ada, milestoneId)
    await sql`update notifications set opened_at = '2026-03-28T08:30Z' where email_id is null and user_id = ${bo.userId}`.execute(
      t.deps.db,
    )
    // The clocks change in that night.
    expect(await at('2026-03-29T06:59:00Z')).toBe(1)
    expect(await at('2026-03-29T07:00:00Z')).toBe(2)
    // The clock was wrong, and is set back.
    await t.entry(ada, milestoneId)
    await sql`update notifications set opened_at = '2026-03-28T09:00Z' where email_id is null and user_id = ${bo.userId}`.execute(
      t.deps.db,
    )
    expect(await at('2026-03-29T10:00:00Z')).toBe(2)
    expect(await at('2026-03-30T12:00:00Z')).toBe(3)
  })

  it('is sent again with the same id if the server dies before it is recorded, and never after', async () => {
    const { ada, bo, milestoneId } = await aProject()
    await t.entry(ada, milestoneId)
    await queueNews({ ...t.deps, clock: () => new Date(t.deps.clock().getTime() + 25 * HOUR_MS) })
    const [id = ''] = queued
    const dying: Mail = {
      send: async (email) => {
        sent.push(email)
        throw new Error('killed')
      },
    }
    await expect(send(id, dying)).rejects.toThrow('killed')
    await send(id)
    await send(id)
    expect(to(bo).map((email) => email.id)).toEqual([`news-${id}`, `news-${id}`])
  })

  it('is one, however many servers find it due at once', async () => {
    const { ada, bo, milestoneId } = await aProject()
    await t.entry(ada, milestoneId)
    await Promise.all([queueNextDay(), queueNextDay(), queueNextDay()])
    await sendQueued()
    expect(to(bo)).toHaveLength(1)
  })

  it.each<[string, (at: Awaited<ReturnType<typeof aProject>> & { entryId: string }) => Promise<unknown>]>([
    [
      'left the project',
      ({ bo, projectId }) => t.call('leaveProject', { params: { projectId } }, { as: bo }),
    ],
    [
      'hears nothing of it any more',
      ({ bo, projectId }) =>
        t.call('changeWatch', { params: { projectId }, body: { level: 'none' } }, { as: bo }),
    ],
    ['has read it', ({ bo }) => t.call('markAllNotificationsRead', {}, { as: bo })],
    ['turned the email off', ({ bo }) => choose(bo, { newsHour: null })],
    [
      'was suspended',
      ({ bo }) => sql`update users set suspended_at = now() where id = ${bo.userId}`.execute(t.deps.db),
    ],
    [
      'would read of an entry in the trash',
      ({ ada, milestoneId, entryId }) =>
        t.call('deleteEntry', { params: { milestoneId, entryId } }, { as: ada }),
    ],
    [
      'would read of a draft',
      ({ ada, milestoneId, entryId }) =>
        t.call('updateEntry', { params: { milestoneId, entryId }, body: { state: 'draft' } }, { as: ada }),
    ],
    [
      'would read of a deleted project',
      ({ ada, projectId }) => t.call('deleteProject', { params: { projectId } }, { as: ada }),
    ],
  ])('does not come to somebody who, the second before, %s', async (_what, change) => {
    const found = await aProject()
    const { _id: entryId } = await t.entry(found.ada, found.milestoneId)
    await queueNews({ ...t.deps, clock: () => new Date(t.deps.clock().getTime() + 25 * HOUR_MS) })
    await change({ ...found, entryId })
    await Promise.all(queued.map((id) => send(id)))
    expect(to(found.bo)).toEqual([])
  })

  it('does not go to an address that nobody has confirmed', async () => {
    const { ada, bo, milestoneId } = await aProject({ emailVerified: false })
    await t.entry(ada, milestoneId)
    await nextDay()
    expect(to(bo)).toEqual([])
  })
})

describe('a mention', () => {
  it('is emailed at once if wanted, and is not in the daily email', async () => {
    const { ada, bo, projectId, milestoneId } = await aProject()
    await choose(bo, { emailsMentions: true })
    const { _id: entryId } = await t.entry(ada, milestoneId, { title: 'Ribs', content: '@Bo' })
    await queueNews(t.deps)
    await Promise.all(queued.splice(0).map((id) => send(id)))
    expect(to(bo)).toHaveLength(1)
    expect(to(bo)[0]?.text).toContain(
      `${publicUrl}/projects/${projectId}/milestones/${milestoneId}/entries/${entryId}`,
    )
    await nextDay()
    expect(to(bo)).toHaveLength(1)
  })

  it('is emailed at most twenty times a day', async () => {
    const { ada, bo, milestoneId } = await aProject()
    await choose(bo, { emailsMentions: true })
    for (let entry = 0; entry < 23; entry += 1) {
      await t.entry(ada, milestoneId, { content: '@Bo' })
      await queueNews(t.deps)
    }
    expect(queued).toHaveLength(20)
    await Promise.all(queued.map((id) => send(id)))
    expect(to(bo)).toHaveLength(20)
  })
})

describe('stopping the emails', () => {
  async function anEmail() {
    const { ada, bo, milestoneId } = await aProject()
    await t.entry(ada, milestoneId)
    await nextDay()
    return { bo, url: to(bo)[0]?.unsubscribe?.slice(publicUrl.length) ?? '' }
  }
  const hourOf = async (as: Person) => (await t.call('readAccount', {}, { as })).notifications.newsHour

  it('is done by the button of the page or of a mail program, and not by opening the link', async () => {
    const { bo, url } = await anEmail()
    for (const method of ['GET', 'HEAD'] as const)
      expect((await t.app.inject({ method, url })).statusCode).toBe(200)
    const page = await t.app.inject({ url })
    expect(page.body).toMatch(/<form [^>]*method="post"><button/)
    expect(page.headers['cache-control']).toBe('private, no-store, no-transform')
    expect(page.headers['content-security-policy']).toContain("form-action 'self'")
    expect(await hourOf(bo)).toBe(7)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const pressed = await t.app.inject({
      method: 'POST',
      url,
      headers,
      payload: 'List-Unsubscribe=One-Click',
    })
    expect([pressed.statusCode, await hourOf(bo)]).toEqual([200, null])
  })

  it('needs the link of the person', async () => {
    const { bo, url } = await anEmail()
    const { bo: other } = await anEmail()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    for (const wrong of [
      url.replace(bo.userId, other.userId),
      url.replace('daily', 'mention'),
      `${url}x`,
      '/unsubscribe/daily/none/none',
    ])
      expect((await t.app.inject({ method: 'POST', url: wrong, headers, payload: '' })).statusCode).toBe(404)
    expect(await hourOf(other)).toBe(7)
  })
})

it('all news is in exactly one email, at most one a day, over changes of the clocks in any zone', async () => {
  const { bo, projectId } = await aProject()
  const zones = constantFrom(
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'Asia/Kathmandu',
    'No/Where',
  )
  const starts = constantFrom(
    '2026-03-06T12:00Z',
    '2026-03-27T12:00Z',
    '2026-04-03T12:00Z',
    '2026-10-23T12:00Z',
  )
  const minutes = array(integer({ min: 0, max: 4 * 24 * 60 }), { minLength: 1, maxLength: 12 })
  const property = asyncProperty(
    zones,
    starts,
    integer({ min: 0, max: 23 }),
    minutes,
    async (zone, start, hour, opened) => {
      const begin = new Date(start).getTime()
      await sql`delete from news_emails where user_id = ${bo.userId}`.execute(t.deps.db)
      await sql`delete from notifications where user_id = ${bo.userId}`.execute(t.deps.db)
      await sql`update users set time_zone = ${zone}, news_hour = ${hour} where id = ${bo.userId}`.execute(
        t.deps.db,
      )
      const waiting = opened.map((minute) => begin + minute * 60_000).toSorted((a, b) => a - b)
      for (let now = begin; now <= begin + 6 * DAY_MS; now += HOUR_MS) {
        for (; (waiting[0] ?? Infinity) <= now; waiting.shift())
          await sql`
          insert into notifications (id, user_id, type, title, message, data, created_at, kind, opened_at, mail)
          values (${uuidv7()}, ${bo.userId}, 'other', 'x', 'y', ${JSON.stringify({ projectId })}::jsonb, ${new Date(now)}, 'entry',
            ${new Date(waiting[0] ?? now)}, 'daily')`.execute(t.deps.db)
        await queueNews({ ...t.deps, clock: () => new Date(now) })
      }
      const { rows: left } =
        await sql`select from notifications where user_id = ${bo.userId} and email_id is null`.execute(
          t.deps.db,
        )
      expect(left).toEqual([])
      const { rows: emails } = await sql<{ at: Date; first: Date }>`
      select e.created_at as at, min(n.opened_at) as first from news_emails e join notifications n on n.email_id = e.id
      where e.user_id = ${bo.userId} group by e.id order by 1`.execute(t.deps.db)
      for (const { at, first } of emails)
        expect(at.getTime() - first.getTime()).toBeLessThanOrEqual(26 * HOUR_MS)
      const pauses = emails.slice(1).map(({ at }, index) => at.getTime() - (emails[index]?.at.getTime() ?? 0))
      for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(22 * HOUR_MS)
    },
  )
  await assert(property, { numRuns: runs(9) })
}, 180_000)
