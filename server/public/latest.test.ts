import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findInconsistencies } from '#server/database/testing-contents.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { deleted } from '#server/trash/testing.ts'
import { runs } from '#testing/runs.ts'

let t: TestApp
let as: Person
beforeAll(async () => {
  t = await testApp()
  as = await t.person()
})
afterAll(() => t.close())

const step = fc.record({
  act: fc.constantFrom('write', 'write', 'draft', 'change', 'move', 'delete', 'clear', 'restore', 'purge'),
  /** Few days, so that several entries have the same. */
  happenedAt: fc.constantFrom('2019-05-04T12:00:00Z', '2021-01-02T12:00:00Z', '2021-01-03T12:00:00Z'),
  pick: fc.nat(50),
})

it('a page names the newest entry of all milestones, after any sequence of changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
      const { _id: projectId } = await t.project(as, { isPublic: true })
      for (let count = 0; count < 3; count += 1) await t.milestone(as, projectId)
      const deletions: string[] = []
      for (const one of steps) await play(one, projectId, deletions)
      const { latest } = await t.call('readWorldPage', { params: { projectId } })
      const [newest] = await entriesOf(projectId)
      expect(latest?._id).toBe(newest?.id)
      expect(await findInconsistencies(t.config)).toEqual([])
    }),
    { numRuns: runs(15) },
  )
})

type Step = typeof step extends fc.Arbitrary<infer Made> ? Made : never

async function play({ act, happenedAt, pick }: Step, projectId: string, deletions: string[]) {
  const [milestones, entries] = [
    await t.call('listMilestones', { params: { projectId } }, { as }),
    await entriesOf(projectId),
  ]
  const milestoneId = milestones[pick % Math.max(1, milestones.length)]?._id
  const entry = entries[pick % Math.max(1, entries.length)]
  const deletion = deletions[pick % Math.max(1, deletions.length)]
  const date = { happenedAt, happenedZone: 'UTC' }
  if ((act === 'write' || act === 'draft') && milestoneId)
    await t.entry(as, milestoneId, { ...date, state: act === 'draft' ? 'draft' : 'published' })
  if (act === 'clear' && milestoneId) deletions.push(await deleted(t, as, { projectId, milestoneId }))
  if (act === 'delete' && entry) deletions.push(await deleted(t, as, paramsOf(entry)))
  if ((act === 'change' || act === 'move') && entry) {
    const body = {
      title: 'Planed',
      ...date,
      ...(act === 'move' && milestoneId && { milestone: milestoneId }),
    }
    await t.call('updateEntry', { params: paramsOf(entry), body }, { as })
  }
  if ((act === 'restore' || act === 'purge') && deletion) {
    const params = { deletionId: deletion }
    if (act === 'purge') await t.call('deleteForEver', { params }, { as })
    else await t.call('restoreDeletion', { params, body: { withParents: true } }, { as })
    const { deletions: left } = await t.call('listTrash', {}, { as })
    const remaining = new Set(left.map(({ _id }) => _id))
    deletions.splice(0, deletions.length, ...deletions.filter((id) => remaining.has(id)))
  }
}

const paramsOf = ({ id, milestone_id }: { id: string; milestone_id: string }) => ({
  milestoneId: milestone_id,
  entryId: id,
})

/** Returns the entries that visitors see, the newest first. */
async function entriesOf(projectId: string) {
  const { rows } = await t.pool.query<{ id: string; milestone_id: string }>(
    `select e.id, e.milestone_id from live_entries e join live_milestones m on m.id = e.milestone_id
     where m.project_id = $1 order by e.happened_at desc, e.id desc`,
    [projectId],
  )
  return rows
}
