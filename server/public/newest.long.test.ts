import { afterAll, beforeAll, expect, it } from 'vitest'
import { WORLD_ENTRIES_MAX } from '#contract/world.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

it('returns at most the given number of newest entries of all milestones, with their milestones', async () => {
  const owner = await t.person({ name: 'Grace Hopper' })
  const { _id: projectId } = await t.project(owner, { isPublic: true })
  const early = await t.milestone(owner, projectId, { title: 'Early' })
  const late = await t.milestone(owner, projectId, { title: 'Late' })
  const written: string[] = []
  for (let index = 0; index < WORLD_ENTRIES_MAX + 2; index += 1) {
    const { _id } = await t.entry(owner, (index % 3 === 0 ? late : early)._id, { title: `Day ${index}` })
    written.push(_id)
  }
  const { project, entries } = await t.call('listWorldEntries', { params: { projectId } })
  expect(project.user).toEqual({ name: 'Grace Hopper' })
  expect(entries.map(({ _id }) => _id)).toEqual(written.toReversed().slice(0, WORLD_ENTRIES_MAX))
  expect(entries.slice(0, 2).map((entry) => [entry.title, entry.milestoneTitle])).toEqual([
    ['Day 51', 'Late'],
    ['Day 50', 'Early'],
  ])
  expect(JSON.stringify(entries)).not.toContain(owner.userId)
})

it('contains when the project last changed, also by a deletion', async () => {
  const owner = await t.person()
  const { _id: projectId } = await t.project(owner, { isPublic: true })
  const { _id: milestoneId } = await t.milestone(owner, projectId)
  const { _id: entryId } = await t.entry(owner, milestoneId)
  const changedAt = async () => (await t.call('listWorldEntries', { params: { projectId } })).changedAt
  const written = await changedAt()
  expect(await changedAt()).toBe(written)
  await t.call('deleteEntry', { params: { milestoneId, entryId } }, { as: owner })
  const deleted = await changedAt()
  expect(Date.parse(deleted)).toBeGreaterThan(Date.parse(written))
  await t.pool.query('alter table projects disable trigger project_changed')
  await t.pool.query('update projects set changed_at = null')
  await t.pool.query('alter table projects enable trigger project_changed')
  expect(Date.parse(await changedAt())).toBeLessThanOrEqual(Date.parse(written))
})
