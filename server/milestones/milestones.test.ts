import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { MilestoneChange } from '#contract/milestones.ts'
import { createQuotas } from '#server/quotas/quotas.ts'
import { defaultQuotas } from '#server/quotas/settings.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'

let t: TestApp
let owner: Person
let projectId: string
beforeAll(async () => {
  const clock = () => new Date()
  t = await testApp({ quotas: createQuotas({ ...defaultQuotas, milestonesPerProject: 5_000, clock }) })
  owner = await t.person()
})
afterAll(() => t.close())
beforeEach(async () => {
  projectId = (await t.project(owner))._id
})

const list = (as?: Person) => t.call('listMilestones', { params: { projectId } }, { as })
const update = (milestoneId: string, body: MilestoneChange, headers = {}) =>
  t.call('updateMilestone', { params: { projectId, milestoneId }, body }, { as: owner, headers })

describe('milestones', () => {
  it('start open, empty and at version 1', async () => {
    expect(await t.milestone(owner, projectId, { title: '  Lumber ' })).toMatchObject({
      title: 'Lumber',
      completed: false,
      entryCount: 0,
      version: 1,
      project: projectId,
    })
  })

  it('are listed by position, initially oldest first, regardless of later changes', async () => {
    const first = await t.milestone(owner, projectId)
    t.later(1_000)
    const second = await t.milestone(owner, projectId)
    t.later(1_000)
    const third = await t.milestone(owner, projectId)
    await update(first._id, { title: 'Changed last', description: 'x', completed: true })
    expect((await list(owner)).map(({ _id }) => _id)).toEqual([first._id, second._id, third._id])

    await t.pool.query('update milestones set position = $1 where id = $2', ['Zz', third._id])
    expect((await list(owner)).map(({ _id }) => _id)).toEqual([third._id, first._id, second._id])
  })

  it('count their entries as these are created and deleted', async () => {
    const { _id: milestoneId } = await t.milestone(owner, projectId)
    const other = await t.milestone(owner, projectId)
    const entry = await t.entry(owner, milestoneId)
    await t.entry(owner, milestoneId)
    const counts = async () => new Map((await list(owner)).map(({ _id, entryCount }) => [_id, entryCount]))
    expect(await counts()).toEqual(
      new Map([
        [milestoneId, 2],
        [other._id, 0],
      ]),
    )
    await t.call('deleteEntry', { params: { milestoneId, entryId: entry._id } }, { as: owner })
    expect((await counts()).get(milestoneId)).toBe(1)
  })

  it('get a new version with each update, and keep their creation time', async () => {
    const { _id, createdAt } = await t.milestone(owner, projectId)
    const body = { title: 'Glue', description: 'Epoxy', completed: true }
    t.later(1_000)
    const updated = await update(_id, body)
    expect(updated).toMatchObject({ ...body, version: 2, createdAt })
    expect(updated.updatedAt > createdAt).toBe(true)
    expect(await list(owner)).toEqual([updated])
  })

  it('stay completed or open if an update omits that', async () => {
    const body = { title: 'x', description: 'y' }
    for (const completed of [true, false]) {
      const { _id } = await t.milestone(owner, projectId, { completed })
      expect(await update(_id, body)).toMatchObject({ ...body, completed, version: 2 })
    }
  })

  it('keep their texts if an update omits them', async () => {
    const { _id: milestoneId, title, description } = await t.milestone(owner, projectId)
    expect(await update(milestoneId, { completed: true })).toMatchObject({
      title,
      description,
      completed: true,
    })
  })

  it('refuse an update that was based on an older version, and return the current milestone', async () => {
    const { _id: milestoneId, version } = await t.milestone(owner, projectId)
    const headers = { 'if-match': `"${version}"` }
    const second = await update(milestoneId, { title: 'Second', description: 'x', completed: false }, headers)
    const body = { title: 'Third', description: 'y', completed: true }
    const refusal = await t.refused(
      'updateMilestone',
      { params: { projectId, milestoneId }, body },
      { as: owner, headers },
    )
    expect(refusal).toMatchObject({ status: 412, code: 'stale', current: second })
    expect(await list(owner)).toEqual([second])
  })

  it('are deleted with their entries, once', async () => {
    const { _id: milestoneId } = await t.milestone(owner, projectId)
    await t.entry(owner, milestoneId)
    const params = { projectId, milestoneId }
    await t.call('deleteMilestone', { params }, { as: owner })
    expect(await list(owner)).toEqual([])
    for (const [name, input] of [
      ['listEntries', { params: { milestoneId } }],
      ['updateMilestone', { params, body: { title: 'x', description: 'y' } }],
      ['deleteMilestone', { params }],
    ] as const)
      expect(await t.refused(name, input, { as: owner })).toMatchObject({
        status: 404,
        message: 'Milestone not found',
      })
  })

  it('are absent under the path of another project, even for people who may change both', async () => {
    const { _id: milestoneId } = await t.milestone(owner, projectId)
    const { _id: elsewhere } = await t.project(owner)
    const params = { projectId: elsewhere, milestoneId }
    const body = { title: 'x', description: 'y' }
    for (const refusal of [
      await t.refused('updateMilestone', { params, body }, { as: owner }),
      await t.refused('deleteMilestone', { params }, { as: owner }),
    ])
      expect(refusal).toMatchObject({ status: 404, message: 'Milestone not found' })
    expect(await list(owner)).toHaveLength(1)
  })

  it('are absent in a project that does not exist or that the reader may not view', async () => {
    await t.milestone(owner, projectId)
    const stranger = await t.person()
    expect(await t.refused('listMilestones', { params: { projectId } }, { as: stranger })).toMatchObject({
      status: 404,
      message: 'Project not found',
    })
    const body = { title: 'x', description: 'y' }
    expect(
      await t.refused('createMilestone', { params: { projectId }, body }, { as: stranger }),
    ).toMatchObject({ status: 404 })
  })

  it('require a title and a description', async () => {
    const { issues } = await t.refused(
      'createMilestone',
      { params: { projectId }, body: { title: ' ' } },
      { as: owner },
    )
    expect(issues).toEqual([
      { path: 'title', message: 'Title is required' },
      { path: 'description', message: 'Description is required' },
    ])
  })
})

describe('the days of a milestone', () => {
  it('are null until they are set, and can be removed', async () => {
    const milestone = await t.milestone(owner, projectId)
    expect(milestone).toMatchObject({ startsOn: null, dueOn: null, reachedAt: null })
    const planned = await t.milestone(owner, projectId, { startsOn: '2026-02-28', dueOn: '2028-02-29' })
    expect(planned).toMatchObject({ startsOn: '2026-02-28', dueOn: '2028-02-29' })
    expect(await update(planned._id, { dueOn: '2027-01-01' })).toMatchObject({
      startsOn: '2026-02-28',
      dueOn: '2027-01-01',
    })
    const refused = { status: 400, issues: [{ path: 'dueOn', message: expect.stringContaining('before') }] }
    const params = { projectId, milestoneId: planned._id }
    for (const body of [{ startsOn: '2027-01-02' }, { dueOn: '2026-02-27' }])
      expect(await t.refused('updateMilestone', { params, body }, { as: owner })).toMatchObject(refused)
    const body = { title: 'x', description: 'y', startsOn: '2026-02-02', dueOn: '2026-02-01' }
    expect(await t.refused('createMilestone', { params: { projectId }, body }, { as: owner })).toMatchObject(
      refused,
    )
    expect(await update(planned._id, { startsOn: '2027-01-01' })).toMatchObject({ startsOn: '2027-01-01' })
    expect(await update(planned._id, { startsOn: null })).toMatchObject({
      startsOn: null,
      dueOn: '2027-01-01',
    })
  })

  it.each(['2026-02-29', '2026-3-1', '1699-12-31', '2200-01-01', 'soon', 20260301])(
    'are refused as %j',
    async (dueOn) => {
      const body = { title: 'x', description: 'y', dueOn }
      const refusal = await t.refused('createMilestone', { params: { projectId }, body }, { as: owner })
      expect(refusal).toMatchObject({ status: 400, issues: [{ path: 'dueOn' }] })
    },
  )

  it('include the day it was completed, until it is reopened', async () => {
    const { _id } = await t.milestone(owner, projectId)
    const reached = await update(_id, { completed: true })
    expect(reached.reachedAt).toBe(reached.updatedAt)
    t.later(1_000)
    expect(await update(_id, { completed: true, title: 'Renamed' })).toMatchObject({
      reachedAt: reached.reachedAt,
    })
    expect(await update(_id, { completed: false })).toMatchObject({ reachedAt: null })
    const done = await t.milestone(owner, projectId, { completed: true })
    expect(done.reachedAt).toBe(done.createdAt)
  })
})

it('a new milestone is last, however many there are', async () => {
  const { _id: many } = await t.project(owner)
  await t.pool.query(
    `insert into milestones (id, project_id, title, description, completed, created_at, updated_at)
     select gen_random_uuid(), $1, n::text, 'x', false, now(), now() from generate_series(1, 4000) n`,
    [many],
  )
  const last = await t.milestone(owner, many, { title: '4001' })
  const { rows } = await t.pool.query<{ position: string; title: string }>(
    'select position, title from milestones where project_id = $1 order by position',
    [many],
  )
  expect(rows.map(({ title }) => Number(title))).toEqual(rows.map((_, index) => index + 1))
  expect([0, 61, 62, 3905, 3906].map((index) => rows[index]?.position)).toEqual([
    'a0',
    'az',
    'b00',
    'bzz',
    'c000',
  ])
  expect(last.title).toBe(rows.at(-1)?.title)
})

it.each([
  [null, 'a0'],
  ['a0', 'a1'],
  ['a9', 'aA'],
  ['az', 'b00'],
  ['a1V', 'a2'],
  ['Zz', 'a0'],
  ['Zy', 'Zz'],
  ['Yzz', 'Z0'],
  ['b0zzz', 'b10'],
])('after the position %j comes %j', async (before, after) => {
  const { rows } = await t.pool.query('select position_after($1) as position', [before])
  expect(rows).toEqual([{ position: after }])
})
