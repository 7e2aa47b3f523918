import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { MilestonePlace } from '#contract/milestones.ts'
import { findInconsistencies } from '#server/database/testing-contents.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { deleted } from '#server/trash/testing.ts'

let t: TestApp
let owner: Person
let projectId: string
beforeAll(async () => {
  t = await testApp()
  owner = await t.person()
})
afterAll(() => t.close())
beforeEach(async () => {
  projectId = (await t.project(owner))._id
})

const move = (milestoneId: string, body: MilestonePlace, as = owner, headers = {}) =>
  t.call('moveMilestone', { params: { milestoneId }, body }, { as, headers })
const titles = async (of = projectId) =>
  (await t.call('listMilestones', { params: { projectId: of } }, { as: owner }))
    .map(({ title }) => title)
    .join('')

/** Creates milestones with these titles of one letter, and returns their ids by title. */
async function milestones(letters: string, of = projectId): Promise<Record<string, string>> {
  const made: [string, string][] = []
  for (const title of letters) made.push([title, (await t.milestone(owner, of, { title }))._id])
  return Object.fromEntries(made)
}

const rowOf = async (id: string) => {
  const { rows } = await t.pool.query('select position, version, updated_at from milestones where id = $1', [
    id,
  ])
  return rows[0]
}

describe('the place of a milestone', () => {
  it('is after another, before all or after all', async () => {
    const id = await milestones('abcd')
    await move(id.d ?? '', { after: id.a ?? '' })
    expect(await titles()).toBe('adbc')
    await move(id.c ?? '', { after: null })
    expect(await titles()).toBe('cadb')
    await move(id.a ?? '', {})
    expect(await titles()).toBe('cdba')
    await t.milestone(owner, projectId, { title: 'e' })
    expect(await titles()).toBe('cdbae')
  })

  it('is written in one row, without a new version or time of change', async () => {
    const id = await milestones('abc')
    const before = await Promise.all(Object.values(id).map(rowOf))
    t.later(1_000)
    expect(await move(id.c ?? '', { after: id.a ?? '' })).toMatchObject({ title: 'c', version: 1 })
    const after = await Promise.all(Object.values(id).map(rowOf))
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2))
    expect(after[2]).toEqual({ ...before[2], position: expect.any(String) })
    expect(after[2].position).not.toBe(before[2].position)
  })

  it('is not written again if it is the same, and recorded once', async () => {
    const id = await milestones('abc')
    const kinds = async () => {
      const { activity } = await t.call('listActivity', { params: { projectId }, query: {} }, { as: owner })
      return activity.filter(({ kind }) => kind === 'milestone_moved').map(({ subject }) => subject)
    }
    const row = await rowOf(id.b ?? '')
    await move(id.b ?? '', { after: id.a ?? '' })
    expect(await rowOf(id.b ?? '')).toEqual(row)
    expect(await kinds()).toEqual([])
    await move(id.b ?? '', { after: null })
    expect(await kinds()).toEqual(['b'])
  })

  it('cannot be after itself, a deleted one or one of another project', async () => {
    const id = await milestones('abc')
    const elsewhere = await t.project(owner)
    const other = await t.milestone(owner, elsewhere._id)
    await t.call('deleteMilestone', { params: { projectId, milestoneId: id.b ?? '' } }, { as: owner })
    for (const after of [id.a ?? '', id.b ?? '', other._id]) {
      const place = { params: { milestoneId: id.a ?? '' }, body: { after } }
      expect(await t.refused('moveMilestone', place, { as: owner })).toMatchObject({ status: 400 })
    }
    expect(await titles()).toBe('ac')
  })

  it('keeps a place for what is in the trash', async () => {
    const id = await milestones('abc')
    const deletionId = await deleted(t, owner, { projectId, milestoneId: id.b ?? '' })
    await move(id.c ?? '', { after: id.a ?? '' })
    await t.call('restoreDeletion', { params: { deletionId }, body: {} }, { as: owner })
    expect(await titles()).toBe('acb')
  })

  it('is the latest of two, when the first is sent again', async () => {
    const id = await milestones('abc')
    const key = { 'idempotency-key': 'first-move' }
    await move(id.c ?? '', { after: null }, owner, key)
    await move(id.c ?? '', { after: id.a ?? '' })
    await move(id.c ?? '', { after: null }, owner, key)
    expect(await titles()).toBe('acb')
  })

  it('stays short after many moves to one place', async () => {
    const id = await milestones('abcd')
    const tight = ['a0', `a0${'0'.repeat(57)}1`, `a0${'0'.repeat(57)}2`, 'a1']
    for (const [index, milestoneId] of Object.values(id).entries())
      await t.pool.query('update milestones set position = $1 where id = $2', [tight[index], milestoneId])
    await move(id.d ?? '', { after: id.b ?? '' })
    expect(await titles()).toBe('abdc')
    for (const milestoneId of Object.values(id))
      expect((await rowOf(milestoneId)).position.length).toBeLessThan(5)
  })

  it('is the same for two writers who move at random at once', async () => {
    const editor = await t.member(projectId, 'editor')
    const ids = Object.values(await milestones('abcdefgh'))
    const random = () => ids[Math.floor(Math.random() * ids.length)] ?? ''
    const writer = async (as: Person) => {
      for (let moves = 0; moves < 60; moves += 1) {
        const [id, after] = [random(), random()]
        await move(id, { after: after === id ? null : after }, as)
      }
    }
    await Promise.all([writer(owner), writer(editor)])
    const orders = await Promise.all(
      [owner, editor].map((as) => t.call('listMilestones', { params: { projectId } }, { as })),
    )
    expect(orders[0]?.map(({ _id }) => _id)).toEqual(orders[1]?.map(({ _id }) => _id))
    const { rows } = await t.pool.query(
      'select count(distinct position)::integer as count from milestones where project_id = $1',
      [projectId],
    )
    expect(rows).toEqual([{ count: ids.length }])
  })
})

describe('a milestone in another project', () => {
  it('has its entries, drafts and trash with it, and is counted and found there', async () => {
    const editor = await t.member(projectId, 'editor')
    const to = await t.project(owner)
    const id = await milestones('ab')
    const milestoneId = id.a ?? ''
    const entry = await t.entry(owner, milestoneId, { title: 'Zirconium' })
    const draft = await t.entry(editor, milestoneId, { title: 'Hafnium', state: 'draft' })
    const trashed = await t.entry(owner, milestoneId)
    const deletionId = await deleted(t, owner, { milestoneId, entryId: trashed._id })

    expect(await move(milestoneId, { project: to._id })).toMatchObject({ project: to._id, entryCount: 1 })
    expect([await titles(), await titles(to._id)]).toEqual(['b', 'a'])
    expect(await t.call('locateEntry', { params: { entryId: entry._id } }, { as: owner })).toMatchObject({
      project: to._id,
    })
    expect(await t.refused('locateEntry', { params: { entryId: draft._id } }, { as: owner })).toMatchObject({
      status: 404,
    })
    const found = await t.call('search', { query: { q: 'zirconium' } }, { as: owner })
    expect(found.hits.map(({ project }) => project._id)).toEqual([to._id])
    const lost = await t.call('search', { query: { q: 'zirconium' } }, { as: editor })
    expect(lost.hits).toEqual([])
    const { milestoneCount } = await t.call('readProject', { params: { projectId } }, { as: owner })
    expect(milestoneCount).toBe(1)
    expect(
      await t.call('restoreDeletion', { params: { deletionId }, body: {} }, { as: owner }),
    ).toMatchObject({
      project: to._id,
    })
    expect(await findInconsistencies(t.config)).toEqual([])
  })

  it('needs the right to edit both', async () => {
    const theirs = await t.person()
    const open = await t.project(theirs, { isPublic: true })
    const hidden = await t.project(theirs)
    const id = await milestones('a')
    const params = { milestoneId: id.a ?? '' }
    const editor = await t.member(projectId, 'editor')
    expect(
      await t.refused('moveMilestone', { params, body: { project: open._id } }, { as: editor }),
    ).toMatchObject({ status: 403 })
    expect(
      await t.refused('moveMilestone', { params, body: { project: hidden._id } }, { as: editor }),
    ).toMatchObject({ status: 404 })
    const mine = await t.milestone(theirs, hidden._id)
    expect(
      await t.refused(
        'moveMilestone',
        { params: { milestoneId: mine._id }, body: { project: projectId } },
        { as: theirs },
      ),
    ).toMatchObject({ status: 404 })
    expect(await titles()).toBe('a')
  })

  it('is announced to both projects, without naming one to the other', async () => {
    const to = await t.project(owner, { title: 'Elsewhere' })
    const id = await milestones('a')
    await move(id.a ?? '', { project: to._id, after: null })
    const latest = async (of: string) => {
      const { activity } = await t.call(
        'listActivity',
        { params: { projectId: of }, query: {} },
        { as: owner },
      )
      return activity[0]
    }
    const left = { kind: 'milestone_moved', details: { movedAway: true }, milestone: null }
    expect(await latest(projectId)).toMatchObject(left)
    expect(await latest(to._id)).toMatchObject({
      kind: 'milestone_moved',
      details: {},
      milestone: { _id: id.a },
    })
  })
})
