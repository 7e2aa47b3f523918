import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EntryListPage, EntryQuery } from '#contract/entries.ts'
import { TITLE_MAX } from '#contract/parts/text.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'

let t: TestApp
let author: Person
let projectId: string
beforeAll(async () => {
  t = await testApp()
  author = await t.person()
  projectId = (await t.project(author))._id
})
afterAll(() => t.close())

type Written = { title?: string; content?: string; tags?: string[] }

/** A milestone with these entries, the oldest first. */
async function milestoneOf(written: Written[]): Promise<string> {
  const { _id } = await t.milestone(author, projectId)
  for (const fields of written) await t.entry(author, _id, fields)
  return _id
}

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ title: `Day ${index + 1}` }))

async function read(milestoneId: string, query: Partial<EntryQuery> = {}): Promise<EntryListPage> {
  const input = { params: { milestoneId }, query: { page: 1, ...query } }
  const answer = await t.call('listEntries', input, { as: author })
  if (Array.isArray(answer)) throw new Error('the bare list was answered')
  return answer
}

const titles = ({ entries }: EntryListPage) => entries.map((entry) => entry.title)

describe('a page of entries', () => {
  it('has six entries, the newest first, and its pagination', async () => {
    const milestone = await milestoneOf(numbered(8))
    const first = await read(milestone)
    expect(titles(first)).toEqual(['Day 8', 'Day 7', 'Day 6', 'Day 5', 'Day 4', 'Day 3'])
    expect(first).toMatchObject({ total: 8, tags: [] })
    expect(first.pagination).toEqual({
      totalItems: 8,
      totalPages: 2,
      currentPage: 1,
      hasPrev: false,
      hasNext: true,
      limit: 6,
    })
    const second = await read(milestone, { page: 2 })
    expect(titles(second)).toEqual(['Day 2', 'Day 1'])
    expect(second.pagination).toMatchObject({ currentPage: 2, hasPrev: true, hasNext: false })
  })

  it('is the last page if a later one is requested, with every filter', async () => {
    const milestone = await milestoneOf(numbered(8).map((entry) => ({ ...entry, tags: ['wood'] })))
    for (const filter of [{}, { tag: 'wood' }, { search: 'day' }, { search: 'day', tag: 'wood' }]) {
      const page = await read(milestone, { ...filter, page: Number.MAX_SAFE_INTEGER })
      expect(titles(page)).toEqual(['Day 2', 'Day 1'])
      expect(page.pagination).toMatchObject({ currentPage: 2, totalPages: 2, hasNext: false })
    }
  })

  it('without entries is page 1 of 0', async () => {
    const milestone = await milestoneOf([])
    for (const filter of [{}, { tag: 'wood' }, { search: 'day' }]) {
      const page = await read(milestone, { ...filter, page: 3 })
      expect(page).toMatchObject({ entries: [], total: 0, tags: [] })
      expect(page.pagination).toMatchObject({ totalItems: 0, totalPages: 0, currentPage: 1, hasPrev: false })
    }
  })

  it('is absent only if nothing is requested of it: no filter is ignored', async () => {
    const milestoneId = await milestoneOf(numbered(7))
    const list = (query: Partial<EntryQuery>) =>
      t.call('listEntries', { params: { milestoneId }, query }, { as: author })
    expect(await list({})).toHaveLength(7)
    expect(await list({ search: 'Day 1' })).toMatchObject({ entries: [{ title: 'Day 1' }], total: 7 })
    expect(await list({ tag: 'wood' })).toMatchObject({ entries: [], total: 7 })
    expect(await list({ sort: 'oldest' })).toMatchObject({ entries: { 0: { title: 'Day 1' } } })
    expect(await list({ limit: 12 })).toMatchObject({ pagination: { limit: 12, currentPage: 1 } })
  })

  it('with invalid parameters is refused with a message', async () => {
    const milestoneId = await milestoneOf([])
    const sentences = {
      page: ['0', '-1', '1.5', 'x', ''],
      limit: ['5', '7', '1000', 'all'],
      sort: ['best', 'constructor'],
      search: ['x'.repeat(201), 'a\0b'],
      tag: ['x'.repeat(51)],
    }
    for (const [name, values] of Object.entries(sentences)) {
      for (const value of values) {
        const query = { page: '1', [name]: value }
        const error = await t.refused('listEntries', { params: { milestoneId }, query }, { as: author })
        expect(error).toMatchObject({ status: 400, issues: [{ path: name }] })
      }
    }
  })

  it('is only for those who may view the project', async () => {
    const milestoneId = await milestoneOf(numbered(1))
    const input = { params: { milestoneId }, query: { page: 1 } }
    expect(await t.refused('listEntries', input)).toMatchObject({ status: 404 })
    expect(await t.refused('listEntries', input, { as: await t.person() })).toMatchObject({ status: 404 })
    const viewer = await t.member(projectId, 'viewer')
    expect(await t.call('listEntries', input, { as: viewer })).toMatchObject({ total: 1 })
  })
})

describe('the order of entries', () => {
  it('is the reverse for the oldest', async () => {
    const milestone = await milestoneOf(numbered(3))
    expect(titles(await read(milestone, { sort: 'oldest' }))).toEqual(['Day 1', 'Day 2', 'Day 3'])
  })

  it('by title ignores case and accents, and compares numbers by value', async () => {
    const written = ['Day 10', 'zebra', 'Émile', 'day 2', 'Eclair', 'Äpfel', 'Day 2', 'apple']
    const sorted = ['Äpfel', 'apple', 'Day 2', 'day 2', 'Day 10', 'Eclair', 'Émile', 'zebra']
    const milestone = await milestoneOf(written.map((title) => ({ title, tags: ['x'] })))
    expect(titles(await read(milestone, { sort: 'title', limit: 12 }))).toEqual(sorted)
    expect(titles(await read(milestone, { sort: 'title', limit: 12, tag: 'x' }))).toEqual(sorted)
    expect(titles(await read(milestone, { sort: 'title', limit: 12, search: 'smell' }))).toEqual(sorted)
  })

  it('supports the longest titles of any script', async () => {
    const longest = ['\u{1D160}'.repeat(TITLE_MAX), '1a'.repeat(TITLE_MAX / 2), 'ΐ'.repeat(TITLE_MAX)]
    const milestone = await milestoneOf(longest.map((title) => ({ title })))
    expect(titles(await read(milestone, { sort: 'title' })).toSorted()).toEqual(longest.toSorted())
  })
})

describe('the search of entries', () => {
  const find = async (milestone: string, search: string) => titles(await read(milestone, { search }))

  const boards = () =>
    milestoneOf([
      { title: 'First boards', content: 'They smell of **summer**.' },
      { title: 'Glue', content: 'The ÄPFEL fell on the boards.' },
      { title: 'Nothing', content: 'Rain.' },
    ])

  it('finds part of the title or of the content, in any case', async () => {
    const milestone = await boards()
    expect(await find(milestone, 'BOARDS')).toEqual(['Glue', 'First boards'])
    expect(await find(milestone, 'äpfel')).toEqual(['Glue'])
    expect(await find(milestone, '**Summer**')).toEqual(['First boards'])
    expect(await find(milestone, 'in')).toEqual(['Nothing'])
    expect(await find(milestone, '  rain ')).toEqual(['Nothing'])
    expect(await find(milestone, 'boards They')).toEqual([])
    expect(await find(milestone, 'boardsThey')).toEqual([])
    expect(await read(milestone, { search: 'boards' })).toMatchObject({
      total: 3,
      pagination: { totalItems: 2, totalPages: 1 },
    })
  })

  it('treats %, _ and \\ literally', async () => {
    const milestone = await milestoneOf([
      { title: '100% done' },
      { title: 'snake_case' },
      { title: 'C:\\temp' },
      { title: 'plain' },
    ])
    expect(await find(milestone, '%')).toEqual(['100% done'])
    expect(await find(milestone, '_')).toEqual(['snake_case'])
    expect(await find(milestone, '\\')).toEqual(['C:\\temp'])
    expect(await find(milestone, '0% d')).toEqual(['100% done'])
    expect(await find(milestone, "' or 1=1 --")).toEqual([])
  })

  it('pages and sorts the matches, with a tag too', async () => {
    const milestone = await milestoneOf(
      numbered(15).map((entry, index) => ({ ...entry, tags: index % 2 ? ['even'] : ['odd'] })),
    )
    const page = await read(milestone, { search: 'DAY', tag: 'odd', sort: 'oldest', page: 2 })
    expect(titles(page)).toEqual(['Day 13', 'Day 15'])
    expect(page).toMatchObject({ total: 15, pagination: { totalItems: 8, totalPages: 2 } })
  })

  it('finds the same without the search index', async () => {
    const milestone = await boards()
    const found = await read(milestone, { search: 'BOARDS' })
    await t.pool.query('drop index if exists entries_search')
    expect(await read(milestone, { search: 'BOARDS' })).toEqual(found)
    expect(titles(found)).toEqual(['Glue', 'First boards'])
  })
})

describe('the tags of a milestone', () => {
  it('are listed once each in alphabetical order, whatever the filters', async () => {
    const milestone = await milestoneOf([{ tags: ['wood', 'Glue'] }, { tags: ['wood', 'épée'] }, {}])
    const tags = ['épée', 'Glue', 'wood']
    expect((await read(milestone)).tags).toEqual(tags)
    expect((await read(milestone, { search: 'no such thing' })).tags).toEqual(tags)
    expect((await read(milestone, { tag: 'none' })).tags).toEqual(tags)
  })

  it('filter exactly', async () => {
    const milestone = await milestoneOf([
      { title: 'A', tags: ['wood'] },
      { title: 'B', tags: ['Wood', 'woodwork'] },
      { title: 'C', tags: ['glue', 'wood'] },
    ])
    expect(titles(await read(milestone, { tag: 'wood' }))).toEqual(['C', 'A'])
    expect(titles(await read(milestone, { tag: 'w%' }))).toEqual([])
  })

  it('are updated with every change of the entries', async () => {
    const milestoneId = await milestoneOf([])
    const first = await t.entry(author, milestoneId, { title: 'A', tags: ['a', 'b'] })
    await t.entry(author, milestoneId, { title: 'B', tags: ['b'] })
    const params = { milestoneId, entryId: first._id }
    const change = (title: string, tags: string[]) =>
      t.call('updateEntry', { params, body: { title, content: 'x', tags } }, { as: author })

    await change('Z', ['b', 'c'])
    expect((await read(milestoneId)).tags).toEqual(['b', 'c'])
    expect(titles(await read(milestoneId, { tag: 'b', sort: 'title' }))).toEqual(['B', 'Z'])
    await change('A', ['b', 'c'])
    expect(titles(await read(milestoneId, { tag: 'b', sort: 'title' }))).toEqual(['A', 'B'])
    await t.call('deleteEntry', { params }, { as: author })
    expect((await read(milestoneId)).tags).toEqual(['b'])
    expect((await read(milestoneId, { tag: 'b' })).pagination.totalItems).toBe(1)
  })

  it('are deleted with the milestone', async () => {
    const milestoneId = await milestoneOf([{ tags: ['a'] }, { tags: ['a', 'b'] }])
    await t.call('deleteMilestone', { params: { projectId, milestoneId } }, { as: author })
    for (const table of ['entry_tags', 'milestone_tags'] as const) {
      const left = await t.deps.db
        .selectFrom(table)
        .select('tag')
        .where('milestone_id', '=', milestoneId)
        .execute()
      expect(left).toEqual([])
    }
  })
})
