import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TAGS_MAX } from '#contract/entries.ts'
import type { Milestone } from '#contract/milestones.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { sendForm } from '#server/testing/form.ts'

let t: TestApp
let author: Person
let milestone: Milestone
beforeAll(async () => {
  t = await testApp()
  author = await t.person()
  milestone = await t.milestone(author, (await t.project(author))._id)
})
afterAll(() => t.close())

const sendEntry = (fields: Record<string, string>) =>
  sendForm(t.app, { url: `/api/milestones/${milestone._id}/entries`, as: author, fields })

describe('entries', () => {
  it('are accepted as a multipart form whose tags are a JSON string', async () => {
    const response = await sendEntry({ title: 'Form', content: '# Hi', tags: '["wood","wood"," glue "]' })
    expect(response.statusCode).toBe(201)
    expect(response.json()).toMatchObject({ title: 'Form', content: '# Hi', tags: ['wood', 'glue'] })
  })

  it('are accepted as JSON', async () => {
    expect(await t.entry(author, milestone._id, { tags: ['a', 'b'] })).toMatchObject({ tags: ['a', 'b'] })
  })

  it('without tags have none', async () => {
    const response = await sendEntry({ title: 'Form', content: 'x', tags: '' })
    expect(response.json()).toMatchObject({ tags: [] })
  })

  it('with tags that are not a list of words are refused with one sentence', async () => {
    const response = await sendEntry({ title: 'Form', content: 'x', tags: '{"a":1}' })
    expect(response.statusCode).toBe(400)
    expect(response.json().issues).toEqual([{ path: 'tags', message: 'Tags must be a list of words' }])
    expect((await sendEntry({ title: 'Form', content: 'x', tags: '["wood"' })).statusCode).toBe(400)
  })

  it.each([
    ['tags', 'tags'],
    ['tags[]', 'tags[]'],
    ['tags[0]', 'tags[1]'],
    Array.from({ length: TAGS_MAX }, (_, index) => `tags[${index}]`),
  ])('with tags in fields of their own, %s and %s, have all of them', async (...names) => {
    const tags = names.map((_, index) => (index === 0 ? 'wood, oiled' : `glue ${index}`))
    const form = new FormData()
    for (const [name, value] of [
      ['title', 'Form'],
      ['content', 'x'],
    ])
      form.append(name ?? '', value ?? '')
    for (const [index, name] of names.entries()) form.append(name, tags[index] ?? '')
    const request = new Request('http://localhost', { method: 'POST', body: form })
    const response = await t.app.inject({
      method: 'POST',
      url: `/api/milestones/${milestone._id}/entries`,
      payload: Buffer.from(await request.arrayBuffer()),
      headers: { ...author.headers, 'content-type': request.headers.get('content-type') ?? '' },
    })
    expect(response.json()).toMatchObject({ title: 'Form', tags })
  })

  it('with tags between commas have these', async () => {
    const response = await sendEntry({ title: 'Form', content: 'x', tags: 'wood, #glue,, 2024 ' })
    expect(response.json()).toMatchObject({ tags: ['wood', '#glue', '2024'] })
  })

  it('keep their Markdown exactly as it was typed, although forms send each line ending as CRLF', async () => {
    const content = '\n    indented code\n\ntrailing  \nbreak\n'
    const tags = JSON.stringify(['two\r\nlines', 'two\nlines', 'one\rmore'])
    const created = await sendEntry({ title: 'Two\nlines', content, tags })
    const stored = { title: 'Two lines', content, tags: ['two lines', 'one more'] }
    expect(created.json()).toMatchObject(stored)
    const url = `/api/milestones/${milestone._id}/entries/${created.json()._id}`
    const again = await sendForm(t.app, { method: 'PUT', url, as: author, fields: { ...stored, tags } })
    expect(again.json()).toMatchObject(stored)
  })

  it('and all other texts are stored with LF line endings, titles as one line, in JSON too', async () => {
    const written = { title: 'Two\r\nlines', description: ' One\r\n\r\nand\rmore\r\n' }
    const stored = { title: 'Two lines', description: 'One\n\nand\nmore' }
    const project = await t.project(author, written)
    expect(project).toMatchObject(stored)
    expect(await t.milestone(author, project._id, written)).toMatchObject(stored)
    const content = 'found by\r\nits lines'
    await t.entry(author, milestone._id, { content })
    const found = await t.call(
      'listEntries',
      { params: { milestoneId: milestone._id }, query: { page: 1, search: content } },
      { as: author },
    )
    expect(found).toMatchObject({ entries: [{ content: 'found by\nits lines' }] })
  })

  it('have at most 200,000 characters of any script', async () => {
    const longest = '𝕏'.repeat(200_000)
    const response = await sendEntry({ title: 'Long', content: longest, tags: '[]' })
    expect(response.statusCode).toBe(201)
    expect(response.json().content).toBe(longest)
    expect(
      (await sendEntry({ title: 'Long', content: `${'x'.repeat(200_000)}y`, tags: '[]' })).statusCode,
    ).toBe(400)
    expect((await sendEntry({ title: 'Long', content: 'x'.repeat(900_000), tags: '[]' })).statusCode).toBe(
      413,
    )
  })

  it('are listed newest first and counted by their milestone', async () => {
    const project = await t.project(author)
    const other = await t.milestone(author, project._id)
    const first = await t.entry(author, other._id)
    const second = await t.entry(author, other._id)
    const listed = await t.call('listEntries', { params: { milestoneId: other._id } }, { as: author })
    expect(listed).toMatchObject([{ _id: second._id }, { _id: first._id }])
    const milestones = await t.call('listMilestones', { params: { projectId: project._id } }, { as: author })
    expect(milestones).toMatchObject([{ entryCount: 2 }])
  })

  it('are found only under their own milestone', async () => {
    const entry = await t.entry(author, milestone._id)
    const other = await t.milestone(author, milestone.project)
    const params = { milestoneId: other._id, entryId: entry._id }
    const as = { as: author }
    expect(await t.refused('readEntry', { params }, as)).toMatchObject({ status: 404 })
    expect(await t.refused('deleteEntry', { params }, as)).toMatchObject({ status: 404 })
    const write = { params, body: { title: 'x', content: 'y' } }
    expect(await t.refused('updateEntry', write, as)).toMatchObject({ status: 404 })
  })

  it('keep the value of every field that an update omits', async () => {
    const entry = await t.entry(author, milestone._id, { content: '# Day 1', tags: ['wood'] })
    const params = { milestoneId: milestone._id, entryId: entry._id }
    const change = async (body: object) => {
      const { updatedAt: _changed, ...changed } = await t.call(
        'updateEntry',
        { params, body },
        { as: author },
      )
      return changed
    }
    const {
      updatedAt: _before,
      previous: _p,
      next: _n,
      ...before
    } = await t.call('readEntry', { params }, { as: author })
    expect(await change({ title: 'Renamed' })).toEqual({ ...before, title: 'Renamed', version: 2 })
    expect(await change({ tags: [] })).toEqual({ ...before, title: 'Renamed', tags: [], version: 3 })
    expect(await change({ content: 'It *rose*.' })).toMatchObject({
      title: 'Renamed',
      content: 'It *rose*.',
      html: expect.stringContaining('<em>rose</em>'),
      version: 4,
    })
  })

  it('refuse a stale update and return the current entry', async () => {
    const entry = await t.entry(author, milestone._id)
    const params = { milestoneId: milestone._id, entryId: entry._id }
    const based = { as: author, headers: { 'if-match': `"${entry.version}"` } }
    await t.call('updateEntry', { params, body: { title: 'Theirs', content: 'theirs' } }, based)
    const error = await t.refused('updateEntry', { params, body: { title: 'Mine', content: 'mine' } }, based)
    expect(error).toMatchObject({
      status: 412,
      current: { title: 'Theirs', content: 'theirs', version: 2 },
    })
  })
})
