import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

it('10,000 random moves of two writers end in the same order for both, with short positions', async () => {
  const owner = await t.person()
  const { _id: projectId } = await t.project(owner)
  const editor = await t.member(projectId, 'editor')
  const ids: string[] = []
  for (let count = 0; count < 200; count += 1) ids.push((await t.milestone(owner, projectId))._id)
  const random = () => ids[Math.floor(Math.random() * ids.length)] ?? ''
  const writer = async (as: Person) => {
    for (let moves = 0; moves < 5_000; moves += 1) {
      const [milestoneId, after] = [random(), random()]
      const body = { after: after === milestoneId ? null : after }
      await t.call('moveMilestone', { params: { milestoneId }, body }, { as })
    }
  }
  await Promise.all([writer(owner), writer(editor)])
  const [mine, theirs] = await Promise.all(
    [owner, editor].map((as) => t.call('listMilestones', { params: { projectId } }, { as })),
  )
  expect(mine).toEqual(theirs)
  const { rows } = await t.pool.query(
    'select count(distinct position)::integer as count, max(length(position)) <= 60 as short from milestones where project_id = $1',
    [projectId],
  )
  expect(rows).toEqual([{ count: 200, short: true }])
})
