import { afterAll, beforeAll, expect, it } from 'vitest'
import { findInconsistencies } from '#server/database/testing-contents.ts'
import type { AppEvent } from '#server/platform/events/events.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'

let t: TestApp
let owner: Person
beforeAll(async () => {
  t = await testApp()
  owner = await t.person()
})
afterAll(() => t.close())

async function projectOf(person: Person, fields: { isPublic?: boolean } = {}) {
  const project = await t.project(person, fields)
  return { projectId: project._id, milestoneId: (await t.milestone(person, project._id))._id }
}

const countOf = async (milestoneId: string) =>
  (await t.pool.query('select entry_count from milestones where id = $1', [milestoneId])).rows[0]?.entry_count

const revisionOf = async (projectId: string) =>
  (await t.pool.query('select revision from projects where id = $1', [projectId])).rows[0]?.revision

it('an entry moves to another milestone and another project, with its tags, counts, URL and events', async () => {
  const [from, to] = [await projectOf(owner), await projectOf(owner)]
  const entry = await t.entry(owner, from.milestoneId, { tags: ['wood'] })
  const params = { milestoneId: from.milestoneId, entryId: entry._id }
  const before = [await revisionOf(from.projectId), await revisionOf(to.projectId)]
  const heard: AppEvent[] = []
  const unsubscribe = t.deps.events.subscribe({ onEvent: (event) => void heard.push(event), onGap() {} })
  const body = { milestone: to.milestoneId, title: 'Moved' }
  const moved = await t.call('updateEntry', { params, body }, { as: owner })
  expect(moved).toMatchObject({ milestone: to.milestoneId, title: 'Moved', tags: ['wood'], html: entry.html })
  expect([await countOf(from.milestoneId), await countOf(to.milestoneId)]).toEqual([0, 1])
  expect(await revisionOf(from.projectId)).toBeGreaterThan(before[0])
  expect(await revisionOf(to.projectId)).toBeGreaterThan(before[1])
  expect(await t.refused('readEntry', { params }, { as: owner })).toMatchObject({ status: 404 })
  const page = { params: { milestoneId: to.milestoneId }, query: { page: 1, tag: 'wood' } }
  expect(await t.call('listEntries', page, { as: owner })).toMatchObject({ entries: [{ _id: entry._id }] })
  await expect
    .poll(() => heard)
    .toEqual(expect.arrayContaining([{ project: from.projectId }, { project: to.projectId }]))
  unsubscribe()
  expect(await findInconsistencies(t.config)).toEqual([])
})

it('an entry moves only to projects that its author may edit, and is unchanged otherwise', async () => {
  const other = await t.person()
  const [mine, theirs, shown] = [
    await projectOf(owner),
    await projectOf(other),
    await projectOf(other, { isPublic: true }),
  ]
  const entry = await t.entry(owner, mine.milestoneId)
  const params = { milestoneId: mine.milestoneId, entryId: entry._id }
  const move = (milestone: string) =>
    t.refused('updateEntry', { params, body: { milestone, title: 'Moved' } }, { as: owner })
  expect(await move(theirs.milestoneId)).toMatchObject({ status: 404 })
  expect(await move(shown.milestoneId)).toMatchObject({ status: 403 })
  expect(await move(entry._id)).toMatchObject({ status: 404 })
  expect(await move('elsewhere')).toMatchObject({ status: 400 })
  // A viewer cannot move an entry out of a project.
  const foreign = await t.entry(other, shown.milestoneId)
  const take = {
    params: { milestoneId: shown.milestoneId, entryId: foreign._id },
    body: { milestone: mine.milestoneId },
  }
  expect(await t.refused('updateEntry', take, { as: owner })).toMatchObject({ status: 403 })
  expect(await t.call('readEntry', { params }, { as: owner })).toMatchObject({
    title: entry.title,
    version: 1,
  })
})

it('several entries move at once, with a draft of the mover, all or none, and again without effect', async () => {
  const [from, to] = [await projectOf(owner), await projectOf(owner)]
  const near = await t.milestone(owner, from.projectId)
  const editor = await t.member(from.projectId, 'editor')
  const made = [
    await t.entry(owner, from.milestoneId, { tags: ['wood'] }),
    await t.entry(owner, near._id, { tags: ['glue'] }),
    await t.entry(owner, from.milestoneId, { state: 'draft' }),
  ]
  const theirs = await t.entry(editor, from.milestoneId, { state: 'draft' })
  const params = { projectId: from.projectId }
  const ids = made.map(({ _id }) => _id)
  const all = { params, body: { entries: [...ids, theirs._id], milestone: to.milestoneId } }
  expect(await t.refused('moveEntries', all, { as: owner })).toMatchObject({ status: 404 })
  expect(await countOf(from.milestoneId)).toBe(1)
  const body = { entries: ids, milestone: to.milestoneId }
  expect(await t.call('moveEntries', { params, body }, { as: owner })).toMatchObject({ moved: 3 })
  expect(await t.call('moveEntries', { params, body }, { as: owner })).toEqual({ moved: 0, undo: null })
  expect([await countOf(from.milestoneId), await countOf(near._id), await countOf(to.milestoneId)]).toEqual([
    0, 0, 2,
  ])
  const { entries, tags } = await t.call(
    'listProjectEntries',
    { params: { projectId: to.projectId }, query: {} },
    { as: owner },
  )
  expect(entries.map(({ _id, version }) => [_id, version])).toEqual(
    expect.arrayContaining(ids.map((id) => [id, 2])),
  )
  expect(tags).toEqual(['glue', 'wood'])
  const activity = async (projectId: string) =>
    (await t.call('listActivity', { params: { projectId }, query: {} }, { as: owner })).activity
      .filter(({ kind }) => kind === 'entry_moved')
      .map(({ details }) => details)
  expect(await activity(from.projectId)).toEqual([{ movedAway: true }, { movedAway: true }])
  expect(await activity(to.projectId)).toEqual([{}, {}])
  expect(await findInconsistencies(t.config)).toEqual([])
})

it('several entries move only to where their mover may edit, and at most 100', async () => {
  const [mine, theirs] = [await projectOf(owner), await projectOf(await t.person(), { isPublic: true })]
  const { _id } = await t.entry(owner, mine.milestoneId)
  const params = { projectId: mine.projectId }
  const refused = async (entries: string[], milestone: string) =>
    (await t.refused('moveEntries', { params, body: { entries, milestone } }, { as: owner })).status
  expect(await refused([_id], theirs.milestoneId)).toBe(403)
  expect(await refused([], mine.milestoneId)).toBe(400)
  expect(await refused(Array(101).fill(_id), mine.milestoneId)).toBe(400)
  const foreign = await t.entry(owner, (await projectOf(owner)).milestoneId)
  expect(await refused([foreign._id], mine.milestoneId)).toBe(404)
  const to = await t.milestone(owner, mine.projectId)
  const program = await t.program(owner, { scopes: ['write', 'publish'] })
  const body = { entries: [_id.toUpperCase(), _id], milestone: to._id }
  expect(await t.call('moveEntries', { params, body }, { as: program })).toMatchObject({ moved: 1 })
})

it('several moved entries go back to where each was, unless they were moved again', async () => {
  const [from, to] = [await projectOf(owner), await projectOf(owner)]
  const near = await t.milestone(owner, from.projectId)
  const [one, two, three] = [
    await t.entry(owner, from.milestoneId),
    await t.entry(owner, near._id),
    await t.entry(owner, near._id),
  ]
  const params = { projectId: from.projectId }
  const body = { entries: [one._id, two._id, three._id], milestone: to.milestoneId }
  const { undo } = await t.call('moveEntries', { params, body }, { as: owner })
  const further = (await t.milestone(owner, to.projectId))._id
  const moved = { params: { milestoneId: to.milestoneId, entryId: three._id }, body: { milestone: further } }
  await t.call('updateEntry', moved, { as: owner })
  const undoing = { params: { ...params, bulkChangeId: undo ?? '' } }
  expect(await t.call('undoBulkChange', undoing, { as: owner })).toEqual({ entries: 2 })
  expect(await Promise.all([from.milestoneId, near._id, to.milestoneId, further].map(countOf))).toEqual([
    1, 1, 0, 1,
  ])
  expect(await findInconsistencies(t.config)).toEqual([])
})

it('entries go back together or not at all', async () => {
  const from = await projectOf(owner)
  const near = await t.milestone(owner, from.projectId)
  const target = await t.milestone(owner, from.projectId)
  const entries = [(await t.entry(owner, from.milestoneId))._id, (await t.entry(owner, near._id))._id]
  const params = { projectId: from.projectId }
  const body = { entries, milestone: target._id }
  const { undo } = await t.call('moveEntries', { params, body }, { as: owner })
  await t.call('deleteMilestone', { params: { ...params, milestoneId: near._id } }, { as: owner })
  const undoing = { params: { ...params, bulkChangeId: undo ?? '' } }
  expect(await t.refused('undoBulkChange', undoing, { as: owner })).toMatchObject({ status: 404 })
  expect(await countOf(target._id)).toBe(2)
})

it('several entries are deleted at once, all or none, and come back with Undo', async () => {
  const { projectId, milestoneId } = await projectOf(owner)
  const editor = await t.member(projectId, 'editor')
  const made = [
    await t.entry(owner, milestoneId, { tags: ['wood'] }),
    await t.entry(owner, milestoneId, { state: 'draft' }),
    await t.entry(owner, milestoneId),
  ]
  const theirs = await t.entry(editor, milestoneId, { state: 'draft' })
  const params = { projectId }
  const ids = made.map(({ _id }) => _id)
  const all = { params, body: { entries: [...ids, theirs._id] } }
  expect(await t.refused('deleteEntries', all, { as: owner })).toMatchObject({ status: 404 })
  const { deleted, undo } = await t.call('deleteEntries', { params, body: { entries: ids } }, { as: owner })
  expect([deleted, await countOf(milestoneId)]).toEqual([3, 0])
  const trash = async () => (await t.call('listTrash', { query: {} }, { as: owner })).deletions
  const deletions = (await trash()).filter(({ project }) => project?._id === projectId)
  expect(deletions).toHaveLength(3)
  // One of them is restored from the trash before the others come back.
  const deletionId = deletions[0]?._id ?? ''
  await t.call('restoreDeletion', { params: { deletionId }, body: {} }, { as: owner })
  const undoing = { params: { projectId, bulkChangeId: undo ?? '' } }
  expect(await t.call('undoBulkChange', undoing, { as: owner })).toEqual({ entries: 2 })
  expect(await countOf(milestoneId)).toBe(2)
  expect((await trash()).filter(({ project }) => project?._id === projectId)).toEqual([])
  expect(await findInconsistencies(t.config)).toEqual([])
})

it('people who may view an entry find it by its id alone; for others it does not exist', async () => {
  const [from, to, hidden] = [await projectOf(owner), await projectOf(owner), await projectOf(owner)]
  const reader = await t.member(to.projectId, 'viewer')
  const { _id } = await t.entry(owner, from.milestoneId)
  const at = { params: { entryId: _id } }
  const move = (milestoneId: string, milestone: string) =>
    t.call('updateEntry', { params: { milestoneId, entryId: _id }, body: { milestone } }, { as: owner })

  await move(from.milestoneId, to.milestoneId)
  const there = { _id, milestone: to.milestoneId, project: to.projectId }
  expect(await t.call('locateEntry', at, { as: reader })).toEqual(there)

  const never = await t.refused('locateEntry', { params: { entryId: to.milestoneId } }, { as: reader })
  expect(never).toMatchObject({ status: 404, message: 'Entry not found' })
  const isHidden = async (as?: Person) =>
    expect(await t.refused('locateEntry', at, as && { as })).toEqual(never)
  await isHidden()
  await move(to.milestoneId, hidden.milestoneId)
  await isHidden(reader)
  const params = { milestoneId: hidden.milestoneId, entryId: _id }
  await t.call('updateEntry', { params, body: { state: 'draft', milestone: to.milestoneId } }, { as: owner })
  await isHidden(reader)
  expect(await t.call('locateEntry', at, { as: owner })).toEqual(there)
  await t.call('deleteEntry', { params: { milestoneId: to.milestoneId, entryId: _id } }, { as: owner })
  await isHidden(owner)
})

it('counts stay correct while entries are published, unpublished, moved, changed and deleted concurrently', {
  tags: ['long'],
}, async () => {
  const [left, right] = [await projectOf(owner), await projectOf(owner)]
  const sides = [left.milestoneId, right.milestoneId]
  const entries = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      t.entry(owner, left.milestoneId, { tags: ['a', `t${index % 3}`] }),
    ),
  )
  const send = (method: 'PUT' | 'DELETE', milestoneId: string, id: string, payload?: object) =>
    t.app.inject({
      method,
      url: `/api/milestones/${milestoneId}/entries/${id}`,
      headers: owner.headers,
      ...(payload && { payload }),
    })
  const answers = await Promise.all(
    entries.flatMap(({ _id }, index) =>
      sides.flatMap((side, at) => [
        send('PUT', side, _id, { milestone: sides[1 - at] }),
        send('PUT', side, _id, { state: index % 2 ? 'draft' : 'published' }),
        send('PUT', side, _id, { state: 'draft', content: 'x'.repeat(index), tags: ['b'] }),
        send('PUT', side, _id, { state: 'published', milestone: sides[1 - at] }),
        ...(index % 3 === 0 ? [send('DELETE', side, _id)] : []),
      ]),
    ),
  )
  const statuses = new Set(answers.map(({ statusCode }) => statusCode))
  expect([...statuses].filter((status) => ![200, 204, 400, 404].includes(status))).toEqual([])
  expect(await findInconsistencies(t.config)).toEqual([])
})
