import {
  array,
  assert,
  asyncProperty,
  constant,
  constantFrom,
  integer,
  nat,
  oneof,
  record,
  subarray,
} from 'fast-check'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EntryFields } from '#contract/entries.ts'
import type { WatchLevel } from '#contract/watching.ts'
import { publishDue } from '#server/entries/publish-due.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { runs } from '#testing/runs.ts'
import { remindOfDue } from './due.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const MINUTE_MS = 60_000

/** A project of Ada, in which Bo is an editor and Cy a viewer. */
async function aProject({ title = 'Canoe' } = {}) {
  const ada = await t.person({ name: 'Ada' })
  const { _id: projectId } = await t.project(ada, { title })
  const { _id: milestoneId } = await t.milestone(ada, projectId, { title: 'Hull' })
  const [bo, cy] = [await joined(projectId, 'editor', 'Bo'), await joined(projectId, 'viewer', 'Cy Lee')]
  return { ada, bo, cy, projectId, milestoneId }
}

async function joined(projectId: string, role: 'editor' | 'viewer', name: string) {
  const person = await t.member(projectId, role)
  await t.call('updateAccount', { body: { name } }, { as: person })
  return person
}

const newsOf = async (person: Person) => {
  const { notifications } = await t.call('listNotifications', { query: {} }, { as: person })
  return notifications.filter(({ kind }) => kind !== undefined)
}
const messagesOf = async (person: Person) => (await newsOf(person)).map(({ message }) => plain(message))
const plain = (text: string) => text.replaceAll(/[\u2066-\u2069]/g, '')

const change = (as: Person, entry: { milestone: string; _id: string }, body: Partial<EntryFields>) =>
  t.call('updateEntry', { params: { milestoneId: entry.milestone, entryId: entry._id }, body }, { as })

const hear = (as: Person, projectId: string, level: WatchLevel) =>
  t.call('changeWatch', { params: { projectId }, body: { level } }, { as })

describe('the other members of a project', () => {
  it('are told of a new entry, and led to it', async () => {
    const { ada, bo, cy, projectId, milestoneId } = await aProject()
    const entry = await t.entry(bo, milestoneId, { title: 'Ribs' })
    const data = { projectId, milestoneId, entryId: entry._id }
    for (const person of [ada, cy])
      expect(await newsOf(person)).toMatchObject([
        { type: 'other', kind: 'entry', count: 1, isRead: false, data },
      ])
    expect(await messagesOf(ada)).toEqual(['Bo published “Ribs” in “Canoe”'])
    expect(await newsOf(bo)).toEqual([])
  })

  it('get one notification for the entries of ten minutes, until they read it', async () => {
    const { ada, bo, projectId, milestoneId } = await aProject()
    for (const title of ['One', 'Two', 'Three']) await t.entry(bo, milestoneId, { title })
    expect(await newsOf(ada)).toMatchObject([{ count: 3, data: { projectId } }])
    expect(await messagesOf(ada)).toEqual(['3 new entries in “Canoe”'])
    await t.call('markAllNotificationsRead', {}, { as: ada })
    await t.entry(bo, milestoneId, { title: 'Four' })
    t.later(11 * MINUTE_MS)
    await t.entry(bo, milestoneId, { title: 'Five' })
    expect((await newsOf(ada)).map(({ count }) => count)).toEqual([1, 1, 3])
  })

  it('are not told of drafts, edits, moves, imports of an archive or what is scheduled, but of its publication', async () => {
    const { ada, bo, projectId, milestoneId } = await aProject()
    const draft = await t.entry(bo, milestoneId, { state: 'draft' })
    const publishAt = new Date(Date.now() + 60 * MINUTE_MS).toISOString()
    const scheduled = await t.entry(bo, milestoneId, { state: 'scheduled', publishAt, title: 'Later' })
    expect(await newsOf(ada)).toEqual([])
    await change(bo, draft, { state: 'published', title: 'Now' })
    expect(await messagesOf(ada)).toEqual(['Bo published “Now” in “Canoe”'])
    for (let edit = 0; edit < 50; edit += 1) await change(bo, draft, { content: `Edit ${edit}` })
    await change(bo, draft, { state: 'draft' })
    await change(bo, draft, { state: 'published' })
    const { _id: milestone } = await t.milestone(ada, projectId)
    await change(bo, draft, { milestone } as Partial<EntryFields>)
    expect(await newsOf(ada)).toMatchObject([{ count: 1 }])
    await sql`update entry_schedules set publish_at = now() where entry_id = ${scheduled._id}`.execute(
      t.deps.db,
    )
    await publishDue(t.deps)
    expect(await newsOf(ada)).toMatchObject([{ count: 2 }])
    expect(await newsOf(bo)).toEqual([])
  })

  it('are told that a milestone is reached, once in ten minutes', async () => {
    const { ada, bo, projectId, milestoneId } = await aProject()
    const params = { projectId, milestoneId }
    for (const completed of [true, false, true])
      await t.call('updateMilestone', { params, body: { completed } }, { as: ada })
    expect(await messagesOf(bo)).toEqual(['Ada reached “Hull” in “Canoe”'])
    expect(await newsOf(bo)).toMatchObject([{ kind: 'milestone_reached', data: { projectId, milestoneId } }])
  })

  it('choose to hear of mentions alone, or of nothing', async () => {
    const { ada, bo, cy, projectId, milestoneId } = await aProject()
    await hear(ada, projectId, 'mentions')
    await hear(cy, projectId, 'none')
    await t.entry(bo, milestoneId, { content: 'Nobody' })
    await t.entry(bo, milestoneId, { title: 'Ribs', content: 'With @ada and @Cy Lee' })
    expect(await messagesOf(ada)).toEqual(['Bo mentioned you in “Ribs” in “Canoe”'])
    expect(await newsOf(cy)).toEqual([])
    expect(await hear(ada, projectId, 'all')).toMatchObject({ level: 'all' })
  })

  it('are told of a mention once, however often the text changes, and only once it is published', async () => {
    const { ada, bo, cy, milestoneId } = await aProject()
    const entry = await t.entry(bo, milestoneId, { state: 'draft', content: '@Ada' })
    expect(await newsOf(ada)).toEqual([])
    await change(bo, entry, { state: 'published' })
    for (const content of ['@Ada and @Bo', 'nobody', '@Ada again, @Cy Lee too'])
      await change(bo, entry, { content })
    expect((await newsOf(ada)).map(({ kind, count }) => [kind, count])).toEqual([['mention', 1]])
    expect((await newsOf(cy)).map(({ kind }) => kind)).toEqual(['mention', 'entry'])
    expect(await newsOf(bo)).toEqual([])
  })

  it('are not told by a text that names people outside of the project', async () => {
    const { bo, milestoneId } = await aProject()
    const eve = await t.person({ name: 'Eve' })
    await t.entry(bo, milestoneId, { content: '@Eve' })
    expect(await newsOf(eve)).toEqual([])
  })

  it('are told to five hundred members, once each', async () => {
    const { bo, projectId, milestoneId } = await aProject()
    await sql`
      with people as (
        insert into users (id, issuer, subject, name, email, email_verified, photo_url, created_at, updated_at)
        select gen_random_uuid(), 'urn:test', ${uuidv7()} || n, 'Person ' || n, ${uuidv7()} || n || '@example.test', true,
          null, now(), now() from generate_series(1, 500) n returning id, email)
      insert into collaborators (id, project_id, email, role, status, user_id, joined_at, created_at, updated_at)
      select gen_random_uuid(), ${projectId}, email, 'viewer', 'accepted', id, now(), now(), now() from people`.execute(
      t.deps.db,
    )
    await t.entry(bo, milestoneId, { content: '@Person 7, '.repeat(1_000) })
    await t.entry(bo, milestoneId)
    const { rows } = await sql<{ kind: string; told: number; events: number }>`
      select kind, count(*)::integer as told, sum(count)::integer as events from notifications
      where data ->> 'projectId' = ${projectId} group by kind order by kind`.execute(t.deps.db)
    expect(rows).toEqual([
      { kind: 'entry', told: 502, events: 1_003 },
      { kind: 'mention', told: 1, events: 1 },
    ])
  })
})

describe('a milestone that is due', () => {
  const dayFrom = (days: number) =>
    new Date(Date.now() + days * 24 * 60 * MINUTE_MS).toISOString().slice(0, 10)

  it('is told of once, on its day in the time zone of the owner', async () => {
    const { ada, bo, projectId } = await aProject()
    const today = dayFrom(0)
    await t.call('updateDatePreferences', { body: { timeZone: 'UTC' } }, { as: ada })
    await t.milestone(ada, projectId, { title: 'Today', dueOn: today })
    await t.milestone(ada, projectId, { title: 'In a week', dueOn: dayFrom(7) })
    await t.milestone(ada, projectId, { title: 'Long ago', dueOn: dayFrom(-30) })
    await t.milestone(ada, projectId, { title: 'Reached', dueOn: today, completed: true })
    await Promise.all([remindOfDue(t.deps), remindOfDue(t.deps), remindOfDue(t.deps)])
    await remindOfDue(t.deps)
    for (const person of [ada, bo]) expect(await messagesOf(person)).toEqual(['“Today” in “Canoe” is due'])
  })

  it('is told of again if its day changes', async () => {
    const { ada, bo, projectId } = await aProject()
    const { _id: milestoneId } = await t.milestone(ada, projectId, { dueOn: dayFrom(-1) })
    await remindOfDue(t.deps)
    await t.call(
      'updateMilestone',
      { params: { projectId, milestoneId }, body: { dueOn: dayFrom(0) } },
      { as: ada },
    )
    await remindOfDue(t.deps)
    expect(await newsOf(bo)).toMatchObject([{ kind: 'milestone_due', count: 2 }])
  })
})

describe('a visit', () => {
  const visit = (as: Person, projectId: string) => t.call('visitProject', { params: { projectId } }, { as })

  it('makes new what came since the last one, as long as it lasts', async () => {
    const { bo, projectId } = await aProject()
    expect(await visit(bo, projectId)).toMatchObject({ newSince: null })
    const left = t.deps.clock().getTime()
    t.later(31 * MINUTE_MS)
    const { newSince } = await visit(bo, projectId)
    expect(Math.abs(new Date(newSince ?? 0).getTime() - left)).toBeLessThan(10_000)
    for (let look = 0; look < 5; look += 1) {
      t.later(5 * MINUTE_MS)
      expect(await visit(bo, projectId)).toMatchObject({ newSince })
    }
    expect(await t.call('readWatch', { params: { projectId } }, { as: bo })).toEqual({
      level: 'all',
      newSince,
    })
  })
})

it('after any sequence of events, everybody has heard of all that they should, and of nothing else', async () => {
  const event = oneof(
    {
      weight: 4,
      arbitrary: record({
        type: constant('entry' as const),
        by: nat(2),
        mentions: subarray([0, 1, 2]),
      }),
    },
    {
      weight: 2,
      arbitrary: record({
        type: constant('edit' as const),
        by: nat(2),
        mentions: subarray([0, 1, 2]),
      }),
    },
    { weight: 2, arbitrary: record({ type: constant('read' as const), by: nat(2) }) },
    {
      weight: 2,
      arbitrary: record({ type: constant('wait' as const), minutes: integer({ min: 1, max: 8 }) }),
    },
    {
      weight: 1,
      arbitrary: record({
        type: constant('level' as const),
        by: nat(2),
        level: constantFrom<WatchLevel>('all', 'mentions', 'none'),
      }),
    },
  )
  await assert(
    asyncProperty(array(event, { maxLength: 25 }), async (events) => {
      const { ada, bo, projectId, milestoneId } = await aProject()
      const di = await joined(projectId, 'editor', 'Di')
      const people = [ada, bo, di] as const
      const names = ['Ada', 'Bo', 'Di']
      const model = people.map(() => ({
        level: 'all' as WatchLevel,
        rows: [] as { kind: string; thing: string; count: number; isRead: boolean; at: number }[],
      }))
      const told = new Set<string>()
      let entry: Awaited<ReturnType<typeof t.entry>> | undefined
      let edits = 0
      let clock = 0
      const count = (person: number, kind: string, thing: string) => {
        const rows = model[person]?.rows ?? []
        const open = rows.find(
          (row) => row.kind === kind && row.thing === thing && !row.isRead && clock - row.at < 10,
        )
        if (open) open.count += 1
        else rows.push({ kind, thing, count: 1, isRead: false, at: clock })
      }
      for (const step of events) {
        if (step.type === 'wait') {
          t.later(step.minutes * MINUTE_MS)
          clock += step.minutes
        } else if (step.type === 'read') {
          await t.call('markAllNotificationsRead', {}, { as: people[step.by] ?? ada })
          for (const row of model[step.by]?.rows ?? []) row.isRead = true
        } else if (step.type === 'level') {
          await hear(people[step.by] ?? ada, projectId, step.level)
          const person = model[step.by]
          if (person) person.level = step.level
        } else {
          const content = `${step.mentions.map((who) => `@${names[who]}`).join(' ')} ${(edits += 1)}`
          const by = people[step.by] ?? ada
          const isNew = step.type === 'entry' || !entry
          entry =
            isNew || !entry
              ? await t.entry(by, milestoneId, { content })
              : await change(by, entry, { content })
          const { _id: id } = entry
          model.forEach(({ level }, person) => {
            if (person === step.by) return
            const isMentioned = step.mentions.includes(person) && !told.has(`${id} ${person}`)
            if (isMentioned) told.add(`${id} ${person}`)
            if (isMentioned && level !== 'none') count(person, 'mention', id)
            else if (isNew && level === 'all') count(person, 'entry', projectId)
          })
        }
      }
      for (const [index, person] of people.entries()) {
        const { rows } = await sql<object>`
          select kind, subject_id as thing, count, is_read as "isRead" from notifications
          where user_id = ${person.userId} and kind is not null order by opened_at, kind, subject_id`.execute(
          t.deps.db,
        )
        const wanted =
          model[index]?.rows.map(({ kind, thing, count, isRead }) => ({ kind, thing, count, isRead })) ?? []
        expect(rows.toSorted(byText)).toEqual(wanted.toSorted(byText))
      }
    }),
    { numRuns: runs(12) },
  )
}, 120_000)

const byText = (one: object, other: object) =>
  JSON.stringify(sorted(one)) < JSON.stringify(sorted(other)) ? -1 : 1
const sorted = (row: object) => Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))
