import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EntryFields } from '#contract/entries.ts'
import { AppError } from '#server/platform/api/errors.ts'
import type { Quotas } from '#server/quotas/quotas.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { publishDue } from './publish-due.ts'

/** Two servers on one database. */
let t: TestApp
let other: FastifyInstance
beforeAll(async () => {
  t = await testApp()
  other = await t.replica()
})
afterAll(async () => {
  await other.close()
  await t.close()
})

const HOUR_MS = 60 * 60 * 1_000
const inAnHour = () => new Date(Date.now() + HOUR_MS).toISOString()

async function aProject(isPublic = true) {
  const owner = await t.person()
  const { _id: projectId } = await t.project(owner, { isPublic })
  const { _id: milestoneId } = await t.milestone(owner, projectId)
  return { owner, projectId, milestoneId }
}

const schedule = (author: Person, milestoneId: string, fields: Partial<EntryFields> = {}) =>
  t.entry(author, milestoneId, { state: 'scheduled', publishAt: inAnHour(), ...fields })

/** Lets the time of entries come, by the clock of the database. */
const letPass = (entryIds: string[]) =>
  sql`update entry_schedules set publish_at = now() - interval '1 second'
    where entry_id = any(${entryIds}::uuid[])`.execute(t.deps.db)

const kindsOf = async (as: Person, projectId: string) =>
  (await t.call('listActivity', { params: { projectId } }, { as })).activity.map(({ kind }) => kind)

describe('a scheduled entry', () => {
  it('is seen by its author alone until its time comes, and then by everybody', async () => {
    const { owner, projectId, milestoneId } = await aProject()
    const colleague = await t.member(projectId, 'admin')
    const publishAt = inAnHour()
    const entry = await schedule(owner, milestoneId, { publishAt, publishZone: 'Europe/Berlin' })
    expect(entry).toMatchObject({
      state: 'scheduled',
      publishAt,
      publishZone: 'Europe/Berlin',
      publishedAt: null,
    })
    const params = { milestoneId, entryId: entry._id }
    expect(await t.call('readEntry', { params }, { as: owner })).toMatchObject({
      state: 'scheduled',
      publishAt,
    })
    const listed = { params: { projectId }, query: { page: 1 } }
    expect((await t.call('listProjectEntries', listed, { as: owner })).entries).toMatchObject([
      { state: 'scheduled', publishAt },
    ])
    expect((await t.call('listProjectEntries', listed, { as: colleague })).entries).toEqual([])
    for (const as of [colleague, undefined])
      expect((await t.refused('readEntry', { params }, { as })).status).toBe(404)
    const inPublic = { params: { projectId, entryId: entry._id } }
    expect((await t.refused('readWorldEntry', inPublic)).status).toBe(404)
    await publishDue(t.deps)
    expect((await t.refused('readWorldEntry', inPublic)).status).toBe(404)

    await letPass([entry._id])
    await publishDue(t.deps)
    const { entry: published } = await t.call('readWorldEntry', inPublic)
    expect(published).toMatchObject({ state: 'published', version: 2 })
    expect(published.publishAt).toBeUndefined()
    expect(await kindsOf(owner, projectId)).toContain('entry_written')
    const found = await t.call('search', { query: { q: 'First boards' } }, { as: colleague })
    expect(found.hits.map(({ _id }) => _id)).toContain(entry._id)
  })

  it('is published once, whichever servers find it due at the same time', async () => {
    const { owner, projectId, milestoneId } = await aProject()
    const entries = []
    for (let number = 0; number < 12; number += 1) entries.push(await schedule(owner, milestoneId))
    await letPass(entries.map(({ _id }) => _id))
    await Promise.all([publishDue(t.deps), publishDue(t.deps), publishDue(t.deps)])
    const kinds = await kindsOf(owner, projectId)
    expect(kinds.filter((kind) => kind === 'entry_written')).toHaveLength(12)
  })

  it('is published at once if its time has passed', async () => {
    const { owner, milestoneId } = await aProject()
    const past = new Date(Date.now() - HOUR_MS).toISOString()
    expect(await schedule(owner, milestoneId, { publishAt: past })).toMatchObject({ state: 'published' })
  })

  it('keeps its time when its text changes, and loses it when it becomes a draft', async () => {
    const { owner, milestoneId } = await aProject()
    const { _id: entryId, publishAt } = await schedule(owner, milestoneId)
    const params = { milestoneId, entryId }
    const edited = await t.call('updateEntry', { params, body: { content: 'Another text' } }, { as: owner })
    expect(edited).toMatchObject({ state: 'scheduled', publishAt })
    expect(await t.call('updateEntry', { params, body: { state: 'draft' } }, { as: owner })).toMatchObject({
      state: 'draft',
    })
    await letPass([entryId])
    await publishDue(t.deps)
    expect(await t.call('readEntry', { params }, { as: owner })).toMatchObject({ state: 'draft' })
  })

  it('stays a draft if it is in the trash, or its author may no longer write, when its time comes', async () => {
    const { owner, projectId, milestoneId } = await aProject()
    const editor = await t.member(projectId, 'editor')
    const trashed = await schedule(owner, milestoneId)
    const left = await schedule(editor, milestoneId)
    const ofTrashed = { milestoneId, entryId: trashed._id }
    await t.call('deleteEntry', { params: ofTrashed }, { as: owner })
    await t.call('leaveProject', { params: { projectId } }, { as: editor })
    await letPass([trashed._id, left._id])
    await publishDue(t.deps)
    const { rows } =
      await sql`select from entry_schedules where entry_id in (${trashed._id}, ${left._id})`.execute(
        t.deps.db,
      )
    expect(rows).toEqual([])
    expect(await kindsOf(owner, projectId)).not.toContain('entry_written')
  })

  it('holds up no other, if it cannot be published yet', async () => {
    const { owner, projectId: full, milestoneId } = await aProject()
    const stuck = await schedule(owner, milestoneId)
    const { owner: writer, milestoneId: elsewhere } = await aProject()
    const next = await schedule(writer, elsewhere)
    await letPass([next._id])
    await sql`
      with copied as (
        insert into entries (id, milestone_id, title, content, tags, author_id, author_name, state, happened_at,
          happened_on, happened_zone, created_at, updated_at)
        select gen_random_uuid(), milestone_id, title, content, tags, author_id, author_name, state, happened_at,
          happened_on, happened_zone, created_at, updated_at
        from entries, generate_series(1, 100) n where id = ${stuck._id} returning id)
      insert into entry_schedules (entry_id, publish_at, zone)
      select id, now() - interval '1 hour', 'UTC' from copied`.execute(t.deps.db)
    const requireWithin: Quotas['requireWithin'] = async (_trx, _caller, projectId) => {
      if (projectId === full) throw new AppError('quota_exceeded', 'The project is full')
    }
    await publishDue({ ...t.deps, quotas: { ...t.deps.quotas, requireWithin } })
    const params = { milestoneId: elsewhere, entryId: next._id }
    expect(await t.call('readEntry', { params }, { as: writer })).toMatchObject({ state: 'published' })
  })

  it('needs a time, which no other state has', async () => {
    const { owner, milestoneId } = await aProject()
    const text = { title: 'x', content: 'y' }
    for (const fields of [{ state: 'scheduled' }, { state: 'draft', publishAt: inAnHour() }]) {
      const body = { ...text, ...fields }
      expect((await t.refused('createEntry', { params: { milestoneId }, body }, { as: owner })).status).toBe(
        400,
      )
    }
  })

  it('needs the scope publish of a program, also for a change of its text', async () => {
    const { owner, milestoneId } = await aProject()
    const program = await t.program(owner, { scopes: ['read', 'write'] })
    const body = { title: 'x', content: 'y', state: 'scheduled', publishAt: inAnHour() }
    expect((await t.refused('createEntry', { params: { milestoneId }, body }, { as: program })).status).toBe(
      403,
    )
    const { _id: entryId } = await schedule(owner, milestoneId)
    const params = { milestoneId, entryId }
    const change = { params, body: { content: 'Another text' } }
    expect((await t.refused('updateEntry', change, { as: program })).status).toBe(403)
  })
})

it('a thousand entries of one minute are published once each by two servers', {
  timeout: 240_000,
  tags: ['long'],
}, async () => {
  const { owner, projectId, milestoneId } = await aProject()
  const { _id } = await schedule(owner, milestoneId)
  await sql`
    with copied as (
      insert into entries (id, milestone_id, title, content, tags, author_id, author_name, state, happened_at,
        happened_on, happened_zone, created_at, updated_at)
      select gen_random_uuid(), milestone_id, title || n, content, tags, author_id, author_name, state, happened_at,
        happened_on, happened_zone, created_at, updated_at
      from entries, generate_series(1, 999) n where id = ${_id} returning id)
    insert into entry_schedules (entry_id, publish_at, zone) select id, now(), 'UTC' from copied`.execute(
    t.deps.db,
  )
  await letPass([_id])
  await Promise.all([publishDue(t.deps), publishDue(t.deps)])
  const { rows } = await sql<{ count: number }>`
    select entry_count as count from milestones where id = ${milestoneId}`.execute(t.deps.db)
  expect(rows[0]?.count).toBe(1_000)
  expect(projectId).toBeDefined()
})
