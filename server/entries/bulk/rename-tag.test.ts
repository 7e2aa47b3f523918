import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findInconsistencies } from '#server/database/testing-contents.ts'
import { fillIndex } from '#server/search/upkeep.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { expireBulkChanges } from './record.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
  await fillIndex(t.deps.db)
})
afterAll(() => t.close())

async function journal() {
  const ada = await t.person({ name: 'Ada' })
  const { _id: projectId } = await t.project(ada)
  const { _id: milestoneId } = await t.milestone(ada, projectId)
  return { ada, projectId, milestoneId }
}

const rename = (as: Person, projectId: string, tag: string, name: string) =>
  t.call('renameTag', { params: { projectId, tag }, body: { name } }, { as })

const tagsOf = async (as: Person, milestoneId: string, entryId: string) =>
  (await t.call('readEntry', { params: { milestoneId, entryId } }, { as })).tags

it('a tag is renamed in all milestones, in its place, with a version of each entry', async () => {
  const { ada, projectId, milestoneId } = await journal()
  const { _id: other } = await t.milestone(ada, projectId)
  const one = await t.entry(ada, milestoneId, { tags: ['glue', 'été / wood', 'x'] })
  const two = await t.entry(ada, other, { tags: ['été / wood'] })
  const untouched = await t.entry(ada, other, { tags: ['glue'] })
  expect(await rename(ada, projectId, 'été / wood', 'timber')).toMatchObject({ entries: 2, merged: false })
  expect(await tagsOf(ada, milestoneId, one._id)).toEqual(['glue', 'timber', 'x'])
  expect(await tagsOf(ada, other, two._id)).toEqual(['timber'])
  const params = { milestoneId, entryId: one._id }
  expect((await t.call('readEntry', { params }, { as: ada })).version).toBe(one.version + 1)
  const { revisions } = await t.call('listRevisions', { params }, { as: ada })
  expect(revisions).toHaveLength(1)
  const same = { milestoneId: other, entryId: untouched._id }
  expect((await t.call('readEntry', { params: same }, { as: ada })).version).toBe(untouched.version)
  const found = await t.call('search', { query: { q: 'tag:timber' } }, { as: ada })
  expect(found.hits).toHaveLength(2)
  expect((await t.call('search', { query: { q: 'tag:"été / wood"' } }, { as: ada })).hits).toEqual([])
})

it.each(['café', 'Việt Nam', 'İstanbul', 'パン', '한글'])(
  '%s is renamed also by its decomposed name',
  async (tag) => {
    const { ada, projectId, milestoneId } = await journal()
    const { _id } = await t.entry(ada, milestoneId, { tags: [tag] })
    expect(await rename(ada, projectId, tag.normalize('NFD'), 'x')).toMatchObject({ entries: 1 })
    expect(await tagsOf(ada, milestoneId, _id)).toEqual(['x'])
  },
)

it('a tag that gets the name of another becomes one with it', async () => {
  const { ada, projectId, milestoneId } = await journal()
  const { _id } = await t.entry(ada, milestoneId, { tags: ['wood', 'x', 'timber'] })
  const draft = await t.entry(ada, milestoneId, { tags: ['wood'], state: 'draft' })
  expect(await rename(ada, projectId, 'wood', 'timber')).toMatchObject({ entries: 2, merged: true })
  expect(await tagsOf(ada, milestoneId, _id)).toEqual(['timber', 'x'])
  expect(await tagsOf(ada, milestoneId, draft._id)).toEqual(['timber'])
  const page = await t.call(
    'listProjectEntries',
    { params: { projectId }, query: { tag: 'timber' } },
    { as: ada },
  )
  expect(page).toMatchObject({ tags: ['timber', 'x'], pagination: { totalItems: 1 } })
})

it('the activity names both, and drafts of others neither change nor show', async () => {
  const { ada, projectId, milestoneId } = await journal()
  const editor = await t.member(projectId, 'editor')
  const theirs = await t.entry(editor, milestoneId, { tags: ['wood'], state: 'draft' })
  const refused = { params: { projectId, tag: 'wood' }, body: { name: 'timber' } }
  expect(await t.refused('renameTag', refused, { as: ada })).toMatchObject({ status: 404 })
  await t.entry(ada, milestoneId, { tags: ['wood'] })
  await rename(ada, projectId, 'wood', 'timber')
  expect(await tagsOf(editor, milestoneId, theirs._id)).toEqual(['wood'])
  const { activity } = await t.call('listActivity', { params: { projectId } }, { as: editor })
  expect(activity[0]).toMatchObject({
    kind: 'tag_renamed',
    subject: 'timber',
    details: { formerName: 'wood' },
    actor: { name: 'Ada' },
  })
})

const undo = (as: Person, projectId: string, bulkChangeId: string | null) =>
  t.call('undoBulkChange', { params: { projectId, bulkChangeId: bulkChangeId ?? '' } }, { as })

it('a renaming is undone exactly, and a merge gives each entry its former tags back', async () => {
  const { ada, projectId, milestoneId } = await journal()
  const first = await t.entry(ada, milestoneId, { tags: ['a', 'wood', 'b'] })
  const both = await t.entry(ada, milestoneId, { tags: ['timber', 'a', 'wood'] })
  const other = await t.entry(ada, milestoneId, { tags: ['timber'] })
  const draft = await t.entry(ada, milestoneId, { tags: ['wood'], state: 'draft' })
  const renamed = await rename(ada, projectId, 'wood', 'timber')
  expect(await undo(ada, projectId, renamed.undo)).toEqual({ entries: 3 })
  expect(await tagsOf(ada, milestoneId, first._id)).toEqual(['a', 'wood', 'b'])
  expect(await tagsOf(ada, milestoneId, both._id)).toEqual(['timber', 'a', 'wood'])
  expect(await tagsOf(ada, milestoneId, other._id)).toEqual(['timber'])
  expect(await tagsOf(ada, milestoneId, draft._id)).toEqual(['wood'])
  expect(await undo(ada, projectId, renamed.undo)).toEqual({ entries: 3 })
  const { activity } = await t.call('listActivity', { params: { projectId } }, { as: ada })
  expect(activity[0]).toMatchObject({
    kind: 'tag_renamed',
    subject: 'wood',
    details: { formerName: 'timber' },
  })
  const found = await t.call('search', { query: { q: 'tag:wood' } }, { as: ada })
  expect(found.hits).toHaveLength(3)
  expect(await findInconsistencies(t.config)).toEqual([])
})

it('what was changed since a renaming stays changed when it is undone', async () => {
  const { ada, projectId, milestoneId } = await journal()
  const [kept, dropped, gone, both] = [
    await t.entry(ada, milestoneId, { tags: ['wood'] }),
    await t.entry(ada, milestoneId, { tags: ['wood'] }),
    await t.entry(ada, milestoneId, { tags: ['wood'] }),
    await t.entry(ada, milestoneId, { tags: ['wood', 'timber'] }),
  ]
  const { undo: id } = await rename(ada, projectId, 'wood', 'timber')
  const edit = (entryId: string, body: object) =>
    t.call('updateEntry', { params: { milestoneId, entryId }, body }, { as: ada })
  await edit(kept._id, { tags: ['x', 'timber'] })
  await edit(dropped._id, { tags: ['x'] })
  await edit(both._id, { tags: ['timber', 'x'] })
  await t.call('deleteEntry', { params: { milestoneId, entryId: gone._id } }, { as: ada })
  expect(await undo(ada, projectId, id)).toEqual({ entries: 2 })
  expect(await tagsOf(ada, milestoneId, kept._id)).toEqual(['x', 'wood'])
  expect(await tagsOf(ada, milestoneId, dropped._id)).toEqual(['x'])
  expect(await tagsOf(ada, milestoneId, both._id)).toEqual(['wood', 'timber', 'x'])
})

it('a renaming is undone by its maker, for a day', async () => {
  const { ada, projectId, milestoneId } = await journal()
  const editor = await t.member(projectId, 'editor')
  await t.entry(ada, milestoneId, { tags: ['wood'] })
  const { undo: id } = await rename(ada, projectId, 'wood', 'timber')
  const ref = { params: { projectId, bulkChangeId: id ?? '' } }
  expect(await t.refused('undoBulkChange', ref, { as: editor })).toMatchObject({ status: 404 })
  await t.pool.query(`update bulk_changes set made_at = made_at - interval '25 hours' where id = $1`, [id])
  expect(await t.refused('undoBulkChange', ref, { as: ada })).toMatchObject({ status: 404 })
  await expireBulkChanges(t.deps)
  expect(
    (await t.pool.query('select from bulk_change_entries where bulk_change_id = $1', [id])).rowCount,
  ).toBe(0)
})

it('a renaming that is sent again changes nothing more', async () => {
  const { ada, projectId, milestoneId } = await journal()
  const { _id } = await t.entry(ada, milestoneId, { tags: ['wood', 'timber'] })
  const send = () =>
    t.app.inject({
      method: 'PUT',
      url: `/api/projects/${projectId}/tags/wood`,
      headers: { ...ada.headers, 'idempotency-key': key },
      payload: { name: 'timber' },
    })
  const key = randomUUID()
  const first = (await send()).json()
  expect(first).toEqual({ entries: 1, merged: true, undo: key })
  expect((await send()).json()).toEqual(first)
  expect((await t.call('readEntry', { params: { milestoneId, entryId: _id } }, { as: ada })).version).toBe(2)
})

it('a tag of 1,000 entries is renamed, and that of more is refused', { tags: ['long'] }, async () => {
  const { ada, projectId, milestoneId } = await journal()
  await t.pool.query(
    `insert into entries (id, milestone_id, title, content, tags, author_id, author_name, created_at, updated_at,
       happened_at, happened_on, happened_zone)
     select gen_random_uuid(), $1, 'Day ' || n, repeat('text ', 200), '{wood}', $2, 'Ada', now(), now(), now(), now(), 'UTC'
     from generate_series(1, 1000) n`,
    [milestoneId, ada.userId],
  )
  const { undo: id } = await rename(ada, projectId, 'wood', 'timber')
  const { tags } = await t.call('listTags', { params: { projectId } }, { as: ada })
  expect(tags).toEqual([{ name: 'timber', entries: 1000 }])
  const versions = `select count(distinct r.entry_id) from entry_revisions r join entries e on e.id = r.entry_id
    where e.milestone_id = $1 and r.version = e.version and r.tags = e.tags and r.content = e.content`
  expect((await t.pool.query(versions, [milestoneId])).rows).toEqual([{ count: 1000 }])
  await undo(ada, projectId, id)
  await t.entry(ada, milestoneId, { tags: ['wood'] })
  const again = { params: { projectId, tag: 'wood' }, body: { name: 'timber' } }
  expect(await t.refused('renameTag', again, { as: ada })).toMatchObject({
    status: 409,
    message:
      'More than 1,000 entries have this tag, too many to change at once. Change the tag in some of them first.',
  })
  expect(await findInconsistencies(t.config)).toEqual([])
})

it('a person renames at most 60 tags an hour', async () => {
  const { ada, projectId, milestoneId } = await journal()
  await t.entry(ada, milestoneId, { tags: ['wood'] })
  await rename(ada, projectId, 'wood', 'timber')
  await t.pool.query('update call_limits set calls = calls + 58')
  await rename(ada, projectId, 'timber', 'oak')
  const next = { params: { projectId, tag: 'oak' }, body: { name: 'elm' } }
  expect(await t.refused('renameTag', next, { as: ada })).toMatchObject({ status: 429 })
})

it('a former member who wrote is found by name, one who only has a draft is not', async () => {
  const { ada, projectId, milestoneId } = await journal()
  const editor = await t.member(projectId, 'editor')
  await t.entry(editor, milestoneId, { title: 'Draft', state: 'draft' })
  const collaborators = await t.call('listCollaborators', { params: { projectId } }, { as: ada })

  const collaboratorId = collaborators[0]?._id ?? ''
  const search = () => t.call('search', { query: { q: 'by:"The editor"' } }, { as: ada })
  await t.entry(editor, milestoneId, { title: 'Written' })
  await t.call('removeCollaborator', { params: { projectId, collaboratorId } }, { as: ada })
  expect((await search()).hits.map(({ title }) => title.text)).toEqual(['Written'])
  await t.pool.query(
    `update entries set deleted_at = now(), deletion_id = gen_random_uuid() where title = 'Written'`,
  )
  expect((await search()).unknown).toEqual(['by:"The editor"'])
})

it('a tag that cannot be stored does not exist', async () => {
  const { ada, projectId } = await journal()
  const url = `/api/projects/${projectId}/tags/%00`
  const answer = await t.app.inject({ method: 'PUT', url, headers: ada.headers, payload: { name: 'oak' } })
  expect(answer.statusCode).toBe(404)
})
