import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Milestone } from '#contract/milestones.ts'
import { PLAIN_NOTICE, renderPlainText } from '#markdown/plain-text.ts'
import { renderMarkdown } from '#markdown/render.ts'
import { RENDERER_VERSION } from '#markdown/rendering.ts'
import { defaultFileSettings } from '#server/files/settings.ts'
import type { Renderer } from '#server/markdown/renderer.ts'
import { testRenderer } from '#server/markdown/testing.ts'
import { overloaded } from '#server/platform/api/errors.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { purged } from '#server/trash/testing.ts'
import { saveRendering } from './rendering-store.ts'

const content = '# Day 1\n\nIt **rose**, see [the oven](javascript:alert(1)).'
const { html, headings, excerpt, wordCount } = renderMarkdown(content)
const busy: Renderer['render'] = () => Promise.reject(overloaded())

const render = vi.fn<Renderer['render']>(testRenderer.render)
let t: TestApp
let author: Person
let projectId: string
let milestone: Milestone
beforeAll(async () => {
  const fileSettings = { ...defaultFileSettings, videoHosts: ['tube.example'] }
  t = await testApp({ renderer: { ...testRenderer, render }, fileSettings })
  author = await t.person()
  projectId = (await t.project(author, { isPublic: true }))._id
  milestone = await t.milestone(author, projectId)
})
afterAll(() => t.close())

const stored = (id: string) =>
  t.deps.db.selectFrom('entry_renderings').selectAll().where('entry_id', '=', id).executeTakeFirst()
const forget = (id: string) =>
  t.deps.db.deleteFrom('entry_renderings').where('entry_id', '=', id).executeTakeFirstOrThrow()
const read = (entryId: string) =>
  t.call('readEntry', { params: { milestoneId: milestone._id, entryId } }, { as: author })
const revision = async () =>
  (await t.pool.query(`select revision from projects where id = $1`, [projectId])).rows[0]?.revision
const update = (entryId: string, fields: { content: string }) => ({
  params: { milestoneId: milestone._id, entryId },
  body: { title: 'Rye', tags: [], removeImage: false, ...fields },
})

test('an entry is rendered when it is saved, not when it is read', async () => {
  const entry = await t.entry(author, milestone._id, { content })
  expect(entry).toMatchObject({ html, headings, excerpt, wordCount, renderedAs: 'markdown' })
  render.mockClear()
  expect(await read(entry._id)).toMatchObject(entry)
  const params = { projectId, entryId: entry._id }
  expect((await t.call('readWorldEntry', { params })).entry).toMatchObject({ html, headings })
  expect(render).not.toHaveBeenCalled()
})

test('lists contain excerpts and no HTML, feeds contain the HTML', async () => {
  const { _id } = await t.entry(author, milestone._id, { content })
  const lists = await Promise.all([
    t.call('listEntries', { params: { milestoneId: milestone._id }, query: {} }, { as: author }),
    t.call('listEntries', { params: { milestoneId: milestone._id }, query: { page: 1 } }, { as: author }),
    t.call('readWorld', { params: { projectId } }),
    t.call('readWorldPage', { params: { projectId }, query: {} }),
  ])
  for (const list of lists) {
    expect(JSON.stringify(list)).toContain(JSON.stringify(excerpt))
    expect(JSON.stringify(list)).not.toContain('"html"')
  }
  const feed = await t.call('listWorldEntries', { params: { projectId } })
  expect(feed.entries.find((entry) => entry._id === _id)).toMatchObject({ html, excerpt, wordCount })
})

test('a change replaces the rendering', async () => {
  const { _id } = await t.entry(author, milestone._id, { content })
  const changed = await t.call('updateEntry', update(_id, { content: '## Day 2' }), { as: author })
  expect(changed.headings).toEqual([{ id: 'section-day-2', level: 2, text: 'Day 2' }])
  expect(await stored(_id)).toMatchObject({ entry_version: 2, html: changed.html })
})

test('an entry without a rendering is rendered when it is read, then stored, and nothing else of it changes', async () => {
  const entry = await t.entry(author, milestone._id, { content })
  await forget(entry._id)
  const before = await revision()
  const [line] = (await t.call('readWorldPage', { params: { projectId }, query: {} })).shown?.entries ?? []
  expect(line).toMatchObject({ _id: entry._id, excerpt: expect.stringContaining('Day 1 It rose') })
  expect(await read(entry._id)).toMatchObject({ ...entry, excerpt: expect.any(String), wordCount: 0 })
  expect(await stored(entry._id)).toMatchObject({ html, entry_version: 1, renderer: RENDERER_VERSION })
  expect(await read(entry._id)).toMatchObject(entry)
  expect(await revision()).toBe(before)
})

test('a rendering of an older renderer is replaced when the entry is read', async () => {
  const { _id } = await t.entry(author, milestone._id, { content })
  await t.pool.query(`update entry_renderings set renderer = 0, html = 'old' where entry_id = $1`, [_id])
  expect((await read(_id)).html).toBe(html)
  expect(await stored(_id)).toMatchObject({ html, renderer: RENDERER_VERSION })
})

test('a server whose renderer is overloaded refuses to save, and stores nothing', async () => {
  const before = await revision()
  render.mockImplementationOnce(busy)
  const params = { milestoneId: milestone._id }
  const response = await t.app.inject({
    method: 'POST',
    url: `/api/milestones/${params.milestoneId}/entries`,
    headers: author.headers,
    payload: { title: 'Rye', content, tags: [] },
  })
  expect(response.statusCode).toBe(503)
  expect(response.headers['retry-after']).toBe('2')
  expect(await revision()).toBe(before)
})

test('a server whose renderer is overloaded shows an entry as plain text, and does not store that', async () => {
  const { _id } = await t.entry(author, milestone._id, { content })
  await forget(_id)
  render.mockImplementationOnce(busy)
  expect((await read(_id)).html).toContain(PLAIN_NOTICE)
  expect(await stored(_id)).toBeUndefined()
  expect((await read(_id)).html).toBe(html)
})

test('a text that is too complex is stored as plain text, and the response says so', async () => {
  render.mockImplementationOnce(async (_person, text) => renderPlainText(text))
  const entry = await t.entry(author, milestone._id, { content })
  expect(entry).toMatchObject({ renderedAs: 'plain', html: expect.stringContaining(PLAIN_NOTICE) })
  expect(await stored(entry._id)).toMatchObject({ rendered_as: 'plain' })
})

test('nothing is rendered for callers without the right to edit', async () => {
  const viewer = await t.member(projectId, 'viewer')
  render.mockClear()
  const call = { params: { milestoneId: milestone._id }, body: { title: 'Rye', content, tags: [] } }
  expect(await t.refused('createEntry', call, { as: viewer })).toMatchObject({ status: 403 })
  expect(render).not.toHaveBeenCalled()
})

test('the rendering of an earlier version is never stored', async () => {
  const { _id } = await t.entry(author, milestone._id, { content })
  const { html: newer } = await t.call('updateEntry', update(_id, { content: 'It fell.' }), { as: author })
  await saveRendering(t.deps.db, { id: _id, version: 1 }, renderMarkdown(content))
  expect(await stored(_id)).toMatchObject({ entry_version: 2, html: newer })
  await forget(_id)
  await saveRendering(t.deps.db, { id: _id, version: 1 }, renderMarkdown(content))
  expect(await stored(_id)).toBeUndefined()
})

test('the rendering is deleted with its entry', async () => {
  const { _id } = await t.entry(author, milestone._id, { content })
  await purged(t, author, { milestoneId: milestone._id, entryId: _id })
  expect(await stored(_id)).toBeUndefined()
})

test('a PeerTube video can be played if its host is allowed, in the workspace and in public', async () => {
  const url = 'https://tube.example/w/kkGMgK9ZtnKfYAgnEtQxbv'
  const saved = await t.entry(author, milestone._id, { content: url })
  const params = { projectId, entryId: saved._id }
  const { entry } = await t.call('readWorldEntry', { params })
  for (const shown of [saved.html, (await read(saved._id)).html, entry.html])
    expect(shown).toContain(`href="${url}" data-video="peertube" data-id="kkGMgK9ZtnKfYAgnEtQxbv"`)
  expect((await stored(saved._id))?.html).not.toContain('data-video')
})
