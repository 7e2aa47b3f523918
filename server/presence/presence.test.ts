import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { AppEvent } from '#server/platform/events/events.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { presenceSweep } from './service.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

type EntryRef = { milestoneId: string; entryId: string }

async function shared(overrides: Parameters<TestApp['entry']>[2] = {}) {
  const ada = await t.person({ name: 'Ada' })
  const { _id: projectId } = await t.project(ada)
  const { _id: milestoneId } = await t.milestone(ada, projectId)
  const { _id: entryId } = await t.entry(ada, milestoneId, overrides)
  return { ada, grace: await t.member(projectId, 'editor'), projectId, ref: { milestoneId, entryId } }
}

const others = async (as: Person, params: EntryRef) =>
  (await t.call('keepEditing', { params }, { as })).editors.map(({ name }) => name)

/** Expires all editors by the database's clock. */
const expire = () => sql`update entry_editors set expires_at = now() - interval '1 second'`.execute(t.deps.db)

it('lists who else has an entry open, until they close it or stop reporting', async () => {
  const { ada, grace, ref } = await shared()
  expect(await others(ada, ref)).toEqual([])
  expect(await others(grace, ref)).toEqual(['Ada'])
  expect(await others(ada, ref)).toEqual(['The editor'])
  await t.call('endEditing', { params: ref }, { as: grace })
  expect(await others(ada, ref)).toEqual([])
  await others(grace, ref)
  const { rows } = await sql<{ left: number }>`
    select max(extract(epoch from expires_at - now()))::float as left from entry_editors`.execute(t.deps.db)
  expect(rows[0]?.left).toBeGreaterThan(40)
  expect(rows[0]?.left).toBeLessThanOrEqual(45)
  await expire()
  expect(await others(ada, ref)).toEqual([])
})

it('publishes events only to those who have the entry open, and none while nobody comes or goes', async () => {
  const { ada, grace, projectId, ref } = await shared()
  const heard: AppEvent[] = []
  const stop = t.deps.events.subscribe({ onEvent: (event) => heard.push(event), onGap: () => {} })
  const viewer = await t.member(projectId, 'viewer')
  await others(ada, ref)
  await others(grace, ref)
  await others(grace, ref)
  await t.call('endEditing', { params: ref }, { as: grace })
  await t.call('endEditing', { params: ref }, { as: grace })
  t.deps.events.publish({ person: viewer.userId })
  await vi.waitFor(() => expect(heard).toContainEqual({ person: viewer.userId }), { timeout: 60_000 })
  stop()
  // Events of the previous test may arrive late.
  const events = heard.filter((event) => 'entry' in event).filter(({ entry }) => entry === ref.entryId)
  expect(new Set(events.map((event) => event.person))).toEqual(new Set([ada.userId]))
  expect(events.length).toBeLessThanOrEqual(2)
})

it('does not include drafts, which only their author sees', async () => {
  const { ada, grace, ref } = await shared({ state: 'draft' })
  for (const as of [ada, grace])
    for (const call of ['keepEditing', 'endEditing'] as const) {
      const refusal = await t.refused(call, { params: ref }, { as })
      expect(refusal).toEqual({ status: 404, code: 'not_found', message: 'Entry not found' })
    }
  const { rows } = await sql`select from entry_editors where entry_id = ${ref.entryId}`.execute(t.deps.db)
  expect(rows).toEqual([])
})

it('returns 404 for an entry of another milestone', async () => {
  const { ada, projectId, ref } = await shared()
  const { _id: milestoneId } = await t.milestone(ada, projectId)
  const elsewhere = { params: { ...ref, milestoneId } }
  for (const call of ['keepEditing', 'endEditing'] as const)
    expect((await t.refused(call, elsewhere, { as: ada })).status).toBe(404)
})

it('is deleted by a sweep once it has expired', async () => {
  const { ada, ref } = await shared()
  await others(ada, ref)
  await expire()
  await presenceSweep(t.deps).run()
  const { rows } = await sql`select from entry_editors`.execute(t.deps.db)
  expect(rows).toEqual([])
})
