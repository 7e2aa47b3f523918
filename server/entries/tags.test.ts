import { afterAll, beforeAll, expect, it } from 'vitest'
import { fillIndex } from '#server/search/upkeep.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'

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
  expect(await rename(ada, projectId, 'été / wood', 'timber')).toEqual({ entries: 2, merged: false })
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

it('a tag that gets the name of another becomes one with it', async () => {
  const { ada, projectId, milestoneId } = await journal()
  const { _id } = await t.entry(ada, milestoneId, { tags: ['wood', 'x', 'timber'] })
  const draft = await t.entry(ada, milestoneId, { tags: ['wood'], state: 'draft' })
  expect(await rename(ada, projectId, 'wood', 'timber')).toEqual({ entries: 2, merged: true })
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
