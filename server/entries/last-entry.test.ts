import { type CompiledQuery, Kysely, type LogEvent, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { EntryFields } from '#contract/entries.ts'
import { DELETION_ID } from '#contract/trash.ts'
import type { Schema } from '#server/database/rows.ts'
import { listProjects } from '#server/projects/service.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'

let t: TestApp
let owner: Person
let projectId: string
let first: string
let second: string
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  owner = await t.person()
  projectId = (await t.project(owner))._id
  first = (await t.milestone(owner, projectId))._id
  second = (await t.milestone(owner, projectId))._id
})

/** The title of the last entry, which the list and the project return. */
async function lastTitle(): Promise<string | undefined> {
  const [listed] = await t.call('listProjects', {}, { as: owner })
  const project = await t.call('readProject', { params: { projectId } }, { as: owner })
  expect(listed?.lastEntry).toEqual(project.lastEntry)
  return project.lastEntry?.title
}

async function write(milestoneId: string, title: string, more: Partial<EntryFields> = {}) {
  t.later(1000)
  return t.entry(owner, milestoneId, { title, ...more })
}

const remove = (milestoneId: string, entryId: string) =>
  t.app.inject({
    method: 'DELETE',
    url: `/api/milestones/${milestoneId}/entries/${entryId}`,
    headers: owner.headers,
  })

test('the last entry is the one published last, regardless of its milestone and day', async () => {
  expect(await lastTitle()).toBeUndefined()
  await write(second, 'Stems')
  const happenedAt = '1998-07-01T12:00:00.000Z'
  const old = await write(first, 'Of an old day', { happenedAt, happenedZone: 'Europe/Berlin' })
  await write(second, 'Nobody else reads this', { state: 'draft' })
  expect(await lastTitle()).toBe('Of an old day')
  const { lastEntry } = await t.call('readProject', { params: { projectId } }, { as: owner })
  const { _id, milestone, title, publishedAt } = old
  expect(lastEntry).toEqual({ _id, milestone, title, publishedAt })
})

test('updating an older entry does not make it the last one, publishing a draft does', async () => {
  const older = await write(first, 'Boards')
  const draft = await write(first, 'Strips', { state: 'draft' })
  await write(second, 'Stems')
  const params = { milestoneId: first, entryId: older._id }
  await t.call('updateEntry', { params, body: { title: 'More boards', content: 'x' } }, { as: owner })
  expect(await lastTitle()).toBe('Stems')
  t.later(1000)
  const of = { milestoneId: first, entryId: draft._id }
  const body = { title: 'Strips', content: 'x', state: 'published' as const }
  await t.call('updateEntry', { params: of, body }, { as: owner })
  expect(await lastTitle()).toBe('Strips')
})

test('after the last entry was moved to the trash, the entry before it is the last one, until it is restored', async () => {
  await write(first, 'Boards')
  const last = await write(second, 'Stems')
  const removed = await remove(second, last._id)
  expect(await lastTitle()).toBe('Boards')
  const deletionId = String(removed.headers[DELETION_ID.toLowerCase()])
  await t.call('restoreDeletion', { params: { deletionId }, body: {} }, { as: owner })
  expect(await lastTitle()).toBe('Stems')
  await t.call('deleteMilestone', { params: { projectId, milestoneId: second } }, { as: owner })
  expect(await lastTitle()).toBe('Boards')
  await t.call('deleteMilestone', { params: { projectId, milestoneId: first } }, { as: owner })
  expect(await lastTitle()).toBeUndefined()
})

test('collaborators see the last entry of a project that they have joined, and none of an open invitation', async () => {
  await write(first, 'Boards')
  const grace = await t.person()
  const { inviteToken } = await t.invitation(owner, projectId, { email: grace.email })
  const stateOf = async (status: 'pending' | 'accepted') => {
    const answer = await t.call('listMyCollaborations', { query: { status } }, { as: grace })
    return answer.collaborations[0]?.project.state
  }
  expect(await stateOf('pending')).toBeUndefined()
  await t.call('acceptInvitation', { params: { inviteToken: inviteToken ?? '' } }, { as: grace })
  expect(await stateOf('accepted')).toMatchObject({
    milestoneCount: 2,
    completedMilestoneCount: 0,
    lastEntry: { title: 'Boards', milestone: first },
  })
})

type Plan = { 'Node Type': string; 'Actual Rows': number; 'Actual Loops': number; Plans?: Plan[] } & {
  'Rows Removed by Filter'?: number
}

/** The number of rows that the scans of a plan read. */
function rowsIn(plan: Plan): number {
  const own = plan['Node Type'].endsWith('Scan')
    ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
    : 0
  return (plan.Plans ?? []).reduce((sum, below) => sum + rowsIn(below), own)
}

test('the list reads one milestone and one entry of a project, however many there are', {
  tags: ['long'],
}, async () => {
  await sql`
    insert into milestones (id, project_id, title, description, completed, created_at, updated_at)
    select gen_random_uuid(), ${projectId}::uuid, 'Milestone ' || n, 'x', false, now(), now()
    from generate_series(1, 300) n`.execute(t.deps.db)
  await sql`
    insert into entries (id, milestone_id, title, content, tags, created_at, updated_at)
    select gen_random_uuid(), m.id, 'Day ' || n, 'x', '{}', now(), now() - n * interval '1 hour'
    from milestones m, generate_series(1, 20) n where m.project_id = ${projectId}::uuid`.execute(t.deps.db)
  await t.pool.query('vacuum analyze')
  const selects: CompiledQuery[] = []
  const log = (event: LogEvent) => void selects.push(event.query)
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: t.pool }), log })
  await listProjects({ ...t.deps, db }, { userId: owner.userId, sessionId: '' })
  expect(selects).toHaveLength(1)
  const { rows } = await t.pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (analyze, format json) ${selects[0]?.sql}`,
    [...(selects[0]?.parameters ?? [])],
  )
  const plan = rows[0]?.['QUERY PLAN'][0].Plan
  expect(plan && rowsIn(plan)).toBeLessThan(20)
})
