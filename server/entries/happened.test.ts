import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Entry, EntryListPage } from '#contract/entries.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { sendForm } from '#server/testing/form.ts'

let t: TestApp
let author: Person
let projectId: string
let milestoneId: string
beforeAll(async () => {
  t = await testApp()
  author = await t.person({ name: 'Ada' })
  projectId = (await t.project(author, { isPublic: true }))._id
  milestoneId = (await t.milestone(author, projectId))._id
})
afterAll(() => t.close())

const write = (happenedAt: string, happenedZone: string, into = milestoneId) =>
  t.entry(author, into, { title: `${happenedAt} ${happenedZone}`, happenedAt, happenedZone })

/** The titles of a list or of one of its pages. */
const titlesOf = (answer: unknown) =>
  (Array.isArray(answer) ? (answer as Entry[]) : (answer as EntryListPage).entries).map(({ title }) => title)

describe('the day of an entry', () => {
  it.each([
    // The same instant falls on three days in three time zones.
    ['2026-03-01T11:30:00Z', 'Pacific/Auckland', '2026-03-02'],
    ['2026-03-01T11:30:00Z', 'UTC', '2026-03-01'],
    ['2026-03-01T07:30:00Z', 'America/Los_Angeles', '2026-02-28'],
    ['2026-03-01T11:30:00+01:00', 'Europe/Berlin', '2026-03-01'],
    // Minutes before and after daylight saving changes, when days have 23 and 25 hours.
    ['2026-03-08T07:59:59Z', 'America/Los_Angeles', '2026-03-07'],
    ['2026-03-08T08:00:00Z', 'America/Los_Angeles', '2026-03-08'],
    ['2026-03-09T06:59:59Z', 'America/Los_Angeles', '2026-03-08'],
    ['2026-03-09T07:00:00Z', 'America/Los_Angeles', '2026-03-09'],
    ['2026-04-04T10:59:59Z', 'Pacific/Auckland', '2026-04-04'],
    ['2026-04-04T11:00:00Z', 'Pacific/Auckland', '2026-04-05'],
    ['2026-04-05T11:59:59Z', 'Pacific/Auckland', '2026-04-05'],
    ['2026-04-05T12:00:00Z', 'Pacific/Auckland', '2026-04-06'],
    ['1900-01-01T00:00:00Z', 'UTC', '1900-01-01'],
    ['1848-03-18T11:06:32Z', 'Europe/Berlin', '1848-03-18'],
    ['2199-12-31T23:59:59Z', 'Pacific/Kiritimati', '2200-01-01'],
  ])('%s in %s is %s', async (happenedAt, happenedZone, happenedOn) => {
    const entry = await write(happenedAt, happenedZone)
    const stored = { happenedAt: new Date(happenedAt).toISOString(), happenedOn, happenedZone }
    expect(entry).toMatchObject(stored)
    expect(await t.call('readEntry', { params: { milestoneId, entryId: entry._id } })).toMatchObject(stored)
  })

  it('defaults to today in UTC, or in the time zone that is sent without an instant', async () => {
    const entry = await t.entry(author, milestoneId)
    expect(entry).toMatchObject({
      happenedAt: entry.createdAt,
      happenedOn: entry.createdAt.slice(0, 10),
      happenedZone: 'UTC',
      author: { name: 'Ada' },
      state: 'published',
      publishedAt: entry.createdAt,
    })
    const there = await t.entry(author, milestoneId, { happenedZone: 'Pacific/Kiritimati' })
    expect(there.happenedAt).toBe(there.createdAt)
    const dayThere = new Date(Date.parse(there.createdAt) + 14 * 3_600_000).toISOString().slice(0, 10)
    expect(there).toMatchObject({ happenedOn: dayThere, happenedZone: 'Pacific/Kiritimati' })
  })

  it('does not change with the time zone of its author, until they change it', async () => {
    const entry = await write('2026-03-01T11:30:00Z', 'Pacific/Auckland')
    const params = { milestoneId, entryId: entry._id }
    await t.entry(author, milestoneId, { happenedZone: 'America/Los_Angeles' })
    const renamed = await t.call('updateEntry', { params, body: { title: 'Home again' } }, { as: author })
    expect(renamed).toMatchObject({ happenedOn: '2026-03-02', happenedZone: 'Pacific/Auckland' })
    const body = { happenedAt: '2026-03-01T11:30:00Z', happenedZone: 'America/Los_Angeles' }
    expect(await t.call('updateEntry', { params, body }, { as: author })).toMatchObject({
      happenedOn: '2026-03-01',
      createdAt: entry.createdAt,
      publishedAt: entry.publishedAt,
    })
  })

  it('is accepted as a form field', async () => {
    const fields = {
      title: 'Form',
      content: 'x',
      happenedAt: '2026-03-01T11:30:00Z',
      happenedZone: 'Pacific/Auckland',
    }
    const url = `/api/milestones/${milestoneId}/entries`
    const sent = await sendForm(t.app, { url, as: author, fields: { ...fields, state: 'draft' } })
    expect(sent.json()).toMatchObject({ happenedOn: '2026-03-02', state: 'draft' })
  })

  it.each([
    [{ happenedOn: '2026-02-30' }, 'happenedOn'],
    [{ happenedAt: '2026-03-01', happenedZone: 'UTC' }, 'happenedAt'],
    [{ happenedAt: '1699-12-31T23:59:59Z', happenedZone: 'UTC' }, 'happenedAt'],
    [{ happenedAt: '2200-01-01T00:00:00Z', happenedZone: 'UTC' }, 'happenedAt'],
    [{ happenedAt: '2199-12-31T23:59:59-14:00', happenedZone: 'UTC' }, 'happenedAt'],
    [{ state: 'secret' }, 'state'],
  ])('is refused as %j', async (fields, path) => {
    const body = { title: 'x', content: 'y', ...fields }
    const error = await t.refused('createEntry', { params: { milestoneId }, body }, { as: author })
    expect(error).toMatchObject({ status: 400, issues: [{ path }] })
  })

  it.each(['Etc/Unknown', '', '+05:30', 'Mars/Olympus', `Europe/${'x'.repeat(100)}`])(
    'falls back from the time zone %j to that of the account, then to UTC',
    async (happenedZone) => {
      const body = { title: 'x', content: 'y', happenedAt: '2026-03-01T11:30:00Z', happenedZone }
      const create = (as: Person) => t.call('createEntry', { params: { milestoneId }, body }, { as })
      expect(await create(author)).toMatchObject({ happenedOn: '2026-03-01', happenedZone: 'UTC' })
      const editor = await t.member(projectId, 'editor')
      await t.call('updateDatePreferences', { body: { timeZone: 'Pacific/Auckland' } }, { as: editor })
      const theirs = { happenedOn: '2026-03-02', happenedZone: 'Pacific/Auckland' }
      expect(await create(editor)).toMatchObject(theirs)
      const draftId = randomUUID()
      await t.call('saveDraft', { params: { draftId }, body }, { as: editor })
      expect(await t.call('readDraft', { params: { draftId } }, { as: editor })).toMatchObject({
        happenedOn: theirs.happenedOn,
      })
    },
  )

  it.each([
    [{ happenedAt: '2026-03-01T23:30:00+09:00' }, '2026-03-01', '2026-03-01T14:30:00.000Z'],
    [{ happenedAt: '2026-03-01T23:30+09:00' }, '2026-03-01', '2026-03-01T14:30:00.000Z'],
    [{ happenedAt: '2026-03-01 23:30:00 +0900' }, '2026-03-01', '2026-03-01T14:30:00.000Z'],
    [{ happenedAt: '2026-03-01T14:30Z' }, '2026-03-01', '2026-03-01T14:30:00.000Z'],
    [{ happenedAt: '2026-03-01T23:30:00-08:00' }, '2026-03-01', '2026-03-02T07:30:00.000Z'],
    [{ happenedAt: '2026-03-01T23:30:00Z' }, '2026-03-01', '2026-03-01T23:30:00.000Z'],
    [{ happenedOn: '2026-03-01' }, '2026-03-01', '2026-03-01T12:00:00.000Z'],
    [{ happenedOn: '2026-03-01', happenedZone: 'Asia/Tokyo' }, '2026-03-01', '2026-03-01T03:00:00.000Z'],
  ])('is said by %j alone, on creation and later', async (fields, happenedOn, happenedAt) => {
    const body = { title: 'x', content: 'y', ...fields }
    const created = await t.call('createEntry', { params: { milestoneId }, body }, { as: author })
    expect(created).toMatchObject({ happenedOn, happenedAt })
    const { _id: entryId } = await t.entry(author, milestoneId)
    const params = { milestoneId, entryId }
    const updated = await t.call('updateEntry', { params, body: fields }, { as: author })
    expect(updated).toMatchObject({ happenedOn, happenedAt })
  })

  it('is not changed by a time zone without an instant', async () => {
    const { _id: entryId } = await t.entry(author, milestoneId)
    const change = { params: { milestoneId, entryId }, body: { happenedZone: 'UTC' } }
    const error = await t.refused('updateEntry', change, { as: author })
    expect(error).toMatchObject({ status: 400, issues: [{ path: 'happenedAt' }] })
  })
})

describe('entries that happened in another order than they were created', () => {
  it('are listed, tagged, paged and linked to their neighbors by when they happened', async () => {
    const { _id } = await t.milestone(author, projectId, { title: 'Other order' })
    const on = (day: string) => `2026-05-${day}T12:00:00Z`
    const days = ['02', '03', '01']
    for (const day of days)
      await t.entry(author, _id, { title: day, tags: ['wood'], happenedAt: on(day), happenedZone: 'UTC' })
    const params = { milestoneId: _id }
    const newest = ['03', '02', '01']
    expect(titlesOf(await t.call('listEntries', { params }))).toEqual(newest)
    for (const query of [{}, { tag: 'wood' }, { search: '0' }] as const) {
      const page = await t.call('listEntries', { params, query: { ...query, page: 1 } })
      expect(titlesOf(page)).toEqual(newest)
      const oldest = await t.call('listEntries', { params, query: { ...query, page: 1, sort: 'oldest' } })
      expect(titlesOf(oldest)).toEqual(newest.toReversed())
    }
    const entries = (await t.call('listEntries', { params })) as Entry[]
    const read = (index: number) =>
      t.call('readEntry', { params: { milestoneId: _id, entryId: entries[index]?._id ?? '' } })
    const beside = (index: number) =>
      entries[index] && { _id: entries[index]._id, title: entries[index].title }
    expect(await read(0)).toMatchObject({ previous: beside(1), next: null })
    expect(await read(1)).toMatchObject({ previous: beside(2), next: beside(0) })
    expect(await read(2)).toMatchObject({ previous: { milestone: { _id: milestoneId } }, next: beside(1) })
    const world = await t.call('readWorldPage', { params: { projectId }, query: { milestone: _id } })
    expect(titlesOf(world.shown?.entries)).toEqual(newest)
    expect(world.shown?.entries[0]).toMatchObject({ happenedOn: '2026-05-03', author: { name: 'Ada' } })

    // The tags follow when the date is changed.
    const moved = { happenedAt: on('09'), happenedZone: 'UTC' }
    const entryId = entries[2]?._id ?? ''
    await t.call('updateEntry', { params: { milestoneId: _id, entryId }, body: moved }, { as: author })
    const tagged = await t.call('listEntries', { params, query: { page: 1, tag: 'wood' } })
    expect(titlesOf(tagged)).toEqual(['01', '03', '02'])
    expect(await t.call('readProject', { params: { projectId } })).toMatchObject({
      lastEntryAt: expect.stringMatching(/^2199-/),
    })
  })
})

describe('the author of an entry', () => {
  it('has the current name of the account, or the last one of a deleted account', async () => {
    const owner = await t.person({ name: 'Owner' })
    const project = await t.project(owner, { isPublic: true })
    const writer = await t.member(project._id, 'editor')
    const { _id } = await t.milestone(owner, project._id)
    const entry = await t.entry(writer, _id)
    await t.entry(writer, _id, { title: 'Never published', state: 'draft' })
    const params = { milestoneId: _id, entryId: entry._id }
    await t.call('updateEntry', { params, body: { title: 'Changed by the owner' } }, { as: owner })
    const authorNow = async () => (await t.call('readEntry', { params })).author
    const revision = async () =>
      (await t.pool.query('select revision from projects where id = $1', [project._id])).rows[0].revision
    expect(await authorNow()).toEqual({ name: 'The editor' })
    const before = await revision()
    await t.pool.query(`update users set name = 'Grace' where id = $1`, [writer.userId])
    expect(await authorNow()).toEqual({ name: 'Grace' })
    expect(await revision()).toBeGreaterThan(before)
    await t.pool.query('delete from users where id = $1', [writer.userId])
    expect(await authorNow()).toEqual({ name: 'Grace' })
    const { rows } = await t.pool.query('select state from entries where milestone_id = $1', [_id])
    expect(rows).toEqual([{ state: 'published' }])
  })
})

describe('the entries beside one', () => {
  it('go on with the nearest milestone in which the reader sees any', async () => {
    const { _id } = await t.project(author)
    const milestones = []
    for (const title of ['First', 'Empty', 'Hidden', 'Last'])
      milestones.push(await t.milestone(author, _id, { title }))
    const [first, , hidden, last] = milestones.map((milestone) => milestone._id)
    const at = { happenedZone: 'UTC' }
    const begun = await t.entry(author, first ?? '', {
      title: 'A',
      happenedAt: '2026-01-02T12:00:00Z',
      ...at,
    })
    // It happened earlier than the one before it in the story.
    const ended = await t.entry(author, last ?? '', { title: 'C', happenedAt: '2026-01-01T12:00:00Z', ...at })
    const params = { milestoneId: hidden ?? '' }
    const draft = { title: 'B', content: 'Not yet', tags: [], state: 'draft' as const }
    const between = await t.call('createEntry', { params, body: draft }, { as: author })
    const viewer = await t.member(_id, 'viewer')
    const beside = async (milestoneId = '', entryId = '', as = author) => {
      const { previous, next } = await t.call('readEntry', { params: { milestoneId, entryId } }, { as })
      return { previous, next }
    }
    const at3 = { _id: ended._id, title: 'C', milestone: { _id: last, title: 'Last' } }
    const at1 = { _id: begun._id, title: 'A', milestone: { _id: first, title: 'First' } }
    const at2 = { _id: between._id, title: 'B', milestone: { _id: hidden, title: 'Hidden' } }
    expect(await beside(first, begun._id, viewer)).toEqual({ previous: null, next: at3 })
    expect(await beside(last, ended._id, viewer)).toEqual({ previous: at1, next: null })
    expect(await beside(first, begun._id)).toEqual({ previous: null, next: at2 })
    expect(await beside(hidden, between._id)).toEqual({ previous: at1, next: at3 })
  })
})
