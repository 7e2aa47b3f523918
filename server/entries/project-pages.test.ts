import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EntryListPage, EntryQuery } from '#contract/entries.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { deleted } from '#server/trash/testing.ts'

let t: TestApp
let author: Person
beforeAll(async () => {
  t = await testApp()
  author = await t.person()
})
afterAll(() => t.close())

/** A project with two milestones: entries of odd days are in the one, those of even days in the other. */
async function projectOf(days: number) {
  const { _id: projectId } = await t.project(author)
  const odd = (await t.milestone(author, projectId))._id
  const even = (await t.milestone(author, projectId))._id
  for (let day = 1; day <= days; day += 1) {
    const tags = day % 2 ? ['odd', 'all'] : ['Even', 'all']
    await t.entry(author, day % 2 ? odd : even, { title: `Day ${day}`, tags })
  }
  return { projectId, odd, even }
}

const read = (projectId: string, query: Partial<EntryQuery> = {}, as = author) =>
  t.call('listProjectEntries', { params: { projectId }, query }, { as })

const titles = ({ entries }: EntryListPage) => entries.map((entry) => entry.title)

describe('the entries of a project', () => {
  it('are those of all its milestones, the newest first, in pages', async () => {
    const { projectId, odd, even } = await projectOf(8)
    const first = await read(projectId)
    expect(titles(first)).toEqual(['Day 8', 'Day 7', 'Day 6', 'Day 5', 'Day 4', 'Day 3'])
    expect(first.entries.slice(0, 2).map(({ milestone }) => milestone)).toEqual([even, odd])
    expect(first).toMatchObject({ total: 8, tags: ['all', 'Even', 'odd'] })
    const last = await read(projectId, { page: 9 })
    expect(titles(last)).toEqual(['Day 2', 'Day 1'])
    expect(last.pagination).toMatchObject({ currentPage: 2, totalPages: 2, totalItems: 8 })
  })

  it('are sorted and filtered like those of a milestone', async () => {
    const { projectId } = await projectOf(8)
    expect(titles(await read(projectId, { sort: 'oldest', page: 2 }))).toEqual(['Day 7', 'Day 8'])
    expect(titles(await read(projectId, { sort: 'title', page: 2 }))).toEqual(['Day 7', 'Day 8'])
    expect(titles(await read(projectId, { tag: 'odd' }))).toEqual(['Day 7', 'Day 5', 'Day 3', 'Day 1'])
    expect(titles(await read(projectId, { tag: 'all', sort: 'oldest', page: 2 }))).toEqual(['Day 7', 'Day 8'])
    expect(titles(await read(projectId, { search: 'DAY 4' }))).toEqual(['Day 4'])
    expect(await read(projectId, { search: 'day', tag: 'Even' })).toMatchObject({
      total: 8,
      pagination: { totalItems: 4 },
    })
  })

  it('contain only one’s own drafts', async () => {
    const { projectId, odd } = await projectOf(1)
    const editor = await t.member(projectId, 'editor')
    await t.entry(editor, odd, { title: 'Not yet', tags: ['secret'], state: 'draft' })
    expect(titles(await read(projectId, {}, editor))).toEqual(['Not yet', 'Day 1'])
    expect(await read(projectId, {}, editor)).toMatchObject({ total: 2, tags: ['all', 'odd'] })
    expect(titles(await read(projectId))).toEqual(['Day 1'])
    expect(titles(await read(projectId, { search: 'yet' }))).toEqual([])
  })

  it('contain nothing that is in the trash', async () => {
    const { projectId, odd, even } = await projectOf(4)
    const entryId = (await read(projectId)).entries[0]?._id ?? ''
    await deleted(t, author, { milestoneId: even, entryId })
    await deleted(t, author, { projectId, milestoneId: odd })
    expect(titles(await read(projectId))).toEqual(['Day 2'])
    expect(titles(await read(projectId, { tag: 'all' }))).toEqual(['Day 2'])
    expect(titles(await read(projectId, { search: 'day' }))).toEqual(['Day 2'])
    expect(await read(projectId)).toMatchObject({ total: 1, tags: ['all', 'Even'] })
  })

  it('are empty for a project without milestones', async () => {
    const { _id } = await t.project(author)
    for (const filter of [{}, { tag: 'wood' }, { search: 'day' }, { sort: 'title' as const }])
      expect(await read(_id, filter)).toMatchObject({ entries: [], total: 0, tags: [] })
  })
})
