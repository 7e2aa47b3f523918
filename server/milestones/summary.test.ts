import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'

let t: TestApp
let owner: Person
beforeAll(async () => {
  t = await testApp()
  owner = await t.person({ name: 'Ada' })
})
afterAll(() => t.close())

it('says how long a milestone took, and how much was written, without drafts', async () => {
  const { _id: projectId } = await t.project(owner)
  const { _id: milestoneId } = await t.milestone(owner, projectId)
  const started = new Date(t.deps.clock().getTime() - 30 * 24 * 60 * 60 * 1_000).toISOString()
  await t.entry(owner, milestoneId, { happenedAt: started, happenedZone: 'UTC' })
  await t.entry(owner, milestoneId)
  const draft = { title: 'B', content: 'Not yet', tags: [], state: 'draft' as const }
  await t.call('createEntry', { params: { milestoneId }, body: draft }, { as: owner })
  const params = { projectId, milestoneId }
  await t.call('updateMilestone', { params, body: { completed: true } }, { as: owner })
  expect(await t.call('readMilestoneSummary', { params }, { as: owner })).toEqual({
    days: 31,
    entries: 2,
    pictures: 0,
    images: [],
  })
})

it('is hidden with its project, and from other projects', async () => {
  const { _id: projectId } = await t.project(owner)
  const { _id: milestoneId } = await t.milestone(owner, projectId)
  const { _id: other } = await t.project(owner)
  const stranger = await t.person()
  const params = { projectId, milestoneId }
  expect(await t.refused('readMilestoneSummary', { params }, { as: stranger })).toMatchObject({ status: 404 })
  const elsewhere = { params: { projectId: other, milestoneId } }
  expect(await t.refused('readMilestoneSummary', elsewhere, { as: owner })).toMatchObject({ status: 404 })
})
