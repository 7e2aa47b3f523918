import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { picture } from '#server/files/testing.ts'
import { uploader } from '#server/files/testing-uploads.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { deleted } from '#server/trash/testing.ts'
import { anniversariesOf } from './on-this-day.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

async function journal() {
  const ada = await t.person({ name: 'Ada' })
  const { _id: projectId } = await t.project(ada)
  const { _id: milestoneId } = await t.milestone(ada, projectId)
  return { ada, projectId, milestoneId }
}

const daysOf = async (as: Person, year: string, project?: string) =>
  (
    await t.call(
      'listDays',
      { query: { from: `${year}-01-01`, to: `${year}-12-31`, ...(project && { project }) } },
      { as },
    )
  ).days

const titlesOn = async (as: Person, day: string, project?: string) =>
  (await t.call('listDay', { query: { day, ...(project && { project }) } }, { as })).entries.map(
    ({ title }) => title,
  )

const rememberedOn = async (as: Person, date: string) =>
  (await t.call('listOnThisDay', { query: { date } }, { as })).entries.map(({ title }) => title)

describe('the calendar', () => {
  it.each([
    // On each of these days a clock was changed where the author was, or the day begins when it is still the day before in UTC.
    ['2026-03-29T00:30:00+01:00', 'Europe/Berlin', '2026-03-29'],
    ['2026-10-25T23:30:00+01:00', 'Europe/Berlin', '2026-10-25'],
    ['2026-03-08T00:10:00-08:00', 'America/Los_Angeles', '2026-03-08'],
    ['2026-11-01T23:50:00-08:00', 'America/Los_Angeles', '2026-11-01'],
    ['2026-04-05T00:05:00+13:00', 'Pacific/Auckland', '2026-04-05'],
    ['2026-09-27T23:55:00+13:00', 'Pacific/Auckland', '2026-09-27'],
    ['2024-02-29T00:01:00+14:00', 'Pacific/Kiritimati', '2024-02-29'],
    ['2024-02-29T23:59:00-11:00', 'Pacific/Pago_Pago', '2024-02-29'],
  ])('counts %s in %s on %s', async (happenedAt, happenedZone, day) => {
    const { ada, milestoneId } = await journal()
    await t.entry(ada, milestoneId, { title: 'Here', happenedAt, happenedZone })
    expect(await daysOf(ada, day.slice(0, 4))).toEqual([{ day, entries: 1, words: 4, pictures: 0 }])
    expect(await titlesOn(ada, day)).toEqual(['Here'])
  })

  it('counts the published entries, words and pictures of all projects, or of one', async () => {
    const { ada, projectId, milestoneId } = await journal()
    const other = await journal()
    const shared = await t.member(other.projectId, 'viewer')
    const bytes = await picture(40, 30).jpeg().toBuffer()
    const { upload } = uploader(t)
    const { url } = await upload(ada, projectId, { bytes })
    const on = { happenedOn: '2025-06-01', happenedZone: 'UTC' }
    await t.entry(ada, milestoneId, { content: `One two ![](${url}) ![](${url})`, ...on })
    await t.entry(ada, milestoneId, { content: 'Three', ...on })
    await t.entry(ada, milestoneId, { content: 'Unseen', state: 'draft', ...on })
    const { _id } = await t.entry(ada, milestoneId, { content: 'Gone', ...on })
    await deleted(t, ada, { milestoneId, entryId: _id })
    await t.entry(other.ada, other.milestoneId, { content: 'Four', ...on })
    expect(await daysOf(ada, '2025')).toEqual([{ day: '2025-06-01', entries: 2, words: 3, pictures: 1 }])
    expect(await daysOf(ada, '2024')).toEqual([])
    expect(await daysOf(shared, '2025')).toMatchObject([{ entries: 1 }])
    expect(await daysOf(shared, '2025', other.projectId)).toMatchObject([{ entries: 1 }])
    expect((await t.refused('listDays', query({ project: projectId }), { as: shared })).status).toBe(404)
  })

  const query = (changed: object) => ({ query: { from: '2025-01-01', to: '2025-12-31', ...changed } })

  it.each([
    [{ to: '2024-12-31' }, 'to must not be before from'],
    [{ to: '2027-01-01' }, 'A calendar has at most 380 days'],
  ])('refuses the range %j', async (changed, message) => {
    const { ada } = await journal()
    const response = await t.app.inject({
      url: '/api/calendar',
      query: query(changed).query,
      headers: ada.headers,
    })
    const { issues } = response.json()
    expect({ status: response.statusCode, issues }).toEqual({
      status: 400,
      issues: [{ path: 'to', message }],
    })
  })

  it('begins with the year 1, as that of PostgreSQL does, and ends with 9999', async () => {
    const { ada } = await journal()
    for (const [url, query] of [
      ['/api/calendar', { from: '0000-02-29', to: '0000-03-01' }],
      ['/api/calendar/day', { day: '0000-02-29' }],
      ['/api/on-this-day', { date: '0000-02-29' }],
    ] as const) {
      const { statusCode } = await t.app.inject({ url, query, headers: ada.headers })
      expect(statusCode).toBe(400)
    }
    for (const [from, to] of [
      ['0001-01-01', '0001-12-31'],
      ['9999-01-01', '9999-12-31'],
    ] as const)
      expect(await t.call('listDays', { query: { from, to } }, { as: ada })).toEqual({ days: [] })
  })

  it('lists a long day in pages, and of everybody who may see it', async () => {
    const { ada, projectId, milestoneId } = await journal()
    const viewer = await t.member(projectId, 'viewer')
    const at = (minute: number) => `2025-06-01T10:${String(minute).padStart(2, '0')}:00Z`
    for (let minute = 0; minute < 21; minute++)
      await t.entry(ada, milestoneId, { title: `At ${minute}`, happenedAt: at(minute), happenedZone: 'UTC' })
    expect((await titlesOn(viewer, '2025-06-01', projectId)).slice(0, 2)).toEqual(['At 20', 'At 19'])
    const rest = await t.call('listDay', { query: { day: '2025-06-01', page: 2 } }, { as: viewer })
    expect(rest.entries).toMatchObject([
      {
        title: 'At 0',
        excerpt: 'They smell of summer.',
        author: { name: 'Ada' },
        milestone: { _id: milestoneId },
        project: { _id: projectId },
      },
    ])
    expect(rest.pagination).toMatchObject({ totalItems: 21, totalPages: 2 })
  })

  it('reads the days of a year from the index of each milestone, whatever else it has', {
    timeout: 120_000,
  }, async () => {
    const { ada, projectId, milestoneId } = await journal()
    const insert = `insert into entries (id, milestone_id, title, content, tags, happened_at, created_at, updated_at)
      select gen_random_uuid(), $1, 'T', 'x', '{}', timestamptz '2000-01-01' + i * interval '12 hours', now(), now()
      from generate_series(0, $2::integer - 1) i`
    await t.pool.query(insert, [milestoneId, 15_000])
    await t.pool.query('analyze entries')
    expect((await daysOf(ada, '2010', projectId)).length).toBe(365)
    const { rows } = await t.pool.query(
      `explain (analyze, format json) select count(*) from live_entries e where milestone_id = $1
        and e.happened_at >= '2010-01-01' and e.happened_at < '2011-01-01'`,
      [milestoneId],
    )
    expect(JSON.stringify(rows)).toContain('entries_by_date')
  })
})

describe('the numbers', () => {
  it('have the longest pause between two days with entries', async () => {
    const { ada, projectId, milestoneId } = await journal()
    for (const happenedOn of ['2025-01-01', '2025-01-02', '2025-03-01', '2025-03-01', '2025-03-05'])
      await t.entry(ada, milestoneId, { happenedOn, happenedZone: 'UTC' })
    const numbers = await t.call('readNumbers', { query: { project: projectId } }, { as: ada })
    expect(numbers).toEqual({
      days: 4,
      entries: 5,
      words: 20,
      pictures: 0,
      firstDay: '2025-01-01',
      lastDay: '2025-03-05',
      longestPause: { from: '2025-01-02', to: '2025-03-01', days: 57 },
      isRemembered: true,
    })
    const { isRemembered: _, ...all } = numbers
    expect(await t.call('readNumbers', { query: {} }, { as: ada })).toEqual(all)
  })

  it('of nothing are zero', async () => {
    const { ada } = await journal()
    expect(await t.call('readNumbers', { query: {} }, { as: ada })).toEqual({
      days: 0,
      entries: 0,
      words: 0,
      pictures: 0,
      firstDay: null,
      lastDay: null,
      longestPause: null,
    })
  })
})

describe('on this day', () => {
  it('are the entries of earlier years, the newest five', async () => {
    const { ada, milestoneId } = await journal()
    for (let year = 2017; year <= 2026; year++)
      await t.entry(ada, milestoneId, { title: `${year}`, happenedOn: `${year}-05-06`, happenedZone: 'UTC' })
    await t.entry(ada, milestoneId, { title: 'Draft', happenedOn: '2025-05-06', state: 'draft' })
    await t.entry(ada, milestoneId, { title: 'The day after', happenedOn: '2025-05-07' })
    expect(await rememberedOn(ada, '2026-05-06')).toEqual(['2025', '2024', '2023', '2022', '2021'])
    expect(await rememberedOn(ada, '2017-05-06')).toEqual([])
    expect(await rememberedOn(await t.person(), '2026-05-06')).toEqual([])
  })

  it.each([
    ['2026-02-28', ['2024-02-29', '2023-02-28']],
    ['2028-02-28', ['2023-02-28']],
    ['2028-02-29', ['2024-02-29']],
    ['2026-03-01', []],
  ])('%s remembers %j', async (date, expected) => {
    const { ada, milestoneId } = await journal()
    for (const happenedOn of ['2023-02-28', '2024-02-29'])
      await t.entry(ada, milestoneId, { title: happenedOn, happenedOn, happenedZone: 'UTC' })
    expect(await rememberedOn(ada, date)).toEqual(expected)
  })

  it('of a century without leap day skips it', () => {
    expect(anniversariesOf('1904-02-29')).not.toContain('1900-02-29')
    expect(anniversariesOf('1703-02-28')).toEqual(['1702-02-28', '1701-02-28', '1700-02-28'])
  })

  it('leaves out the projects that a person hides, for this person alone', async () => {
    const { ada, projectId, milestoneId } = await journal()
    const viewer = await t.member(projectId, 'viewer')
    await t.entry(ada, milestoneId, { title: 'Then', happenedOn: '2024-05-06', happenedZone: 'UTC' })
    const choose = (isRemembered: boolean) =>
      t.call('updateOnThisDay', { params: { projectId }, body: { isRemembered } }, { as: ada })
    await choose(false)
    await choose(false)
    expect(await rememberedOn(ada, '2026-05-06')).toEqual([])
    expect(await rememberedOn(viewer, '2026-05-06')).toEqual(['Then'])
    const numbers = await t.call('readNumbers', { query: { project: projectId } }, { as: ada })
    expect(numbers.isRemembered).toBe(false)
    await choose(true)
    expect(await rememberedOn(ada, '2026-05-06')).toEqual(['Then'])
  })
})
