import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { STORY_ENTRIES_PER_PAGE } from '#contract/story.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'

const NONE = '0199f1f0-0000-7000-8000-000000000000'

let t: TestApp
let owner: Person
beforeAll(async () => {
  t = await testApp()
  owner = await t.person({ name: 'Grace Hopper' })
})
afterAll(() => t.close())

/** Writes entries into milestones, and returns their ids in the order of the story. */
async function told(counts: number[], visibility: 'public' | 'private' = 'public') {
  const { _id: projectId } = await t.project(owner, { visibility })
  const milestones: string[] = []
  const entries: string[] = []
  for (const [index, count] of counts.entries()) {
    const { _id } = await t.milestone(owner, projectId, { title: `Milestone ${index}` })
    milestones.push(_id)
    for (let day = 0; day < count; day += 1)
      entries.push((await t.entry(owner, _id, { title: `Day ${day}`, content: `Text ${day}` }))._id)
  }
  return { params: { projectId }, milestones, entries }
}

const idsOf = ({ chapters }: { chapters: { entries: { _id: string }[] }[] }) =>
  chapters.flatMap(({ entries }) => entries.map(({ _id }) => _id))

describe('the story of a project', () => {
  it('goes from its first entry to its last, a chapter for each milestone with entries, in parts', async () => {
    const { params, milestones, entries } = await told([STORY_ENTRIES_PER_PAGE - 2, 0, 5])
    const [one, two] = [
      await t.call('readStory', { params }),
      await t.call('readStory', { params, query: { page: 2 } }),
    ]
    expect([...idsOf(one), ...idsOf(two)]).toEqual(entries)
    expect(one.pagination).toMatchObject({ totalItems: 23, totalPages: 2, hasNext: true })
    const heads = (part: typeof one) =>
      part.chapters.map(({ _id, number, isContinued }) => [_id, number, isContinued])
    expect(heads(one)).toEqual([
      [milestones[0], 1, false],
      [milestones[2], 2, false],
    ])
    expect(heads(two)).toEqual([[milestones[2], 2, true]])
    expect(one.contents.map(({ milestone, page }) => [milestone, page])).toEqual([
      [milestones[0], 1],
      [milestones[2], 1],
    ])
    expect(one.chapters[0]?.entries[3]?.html).toContain('Text 3')
    await expect(t.call('readStory', { params, query: { page: 3 } })).rejects.toThrow('page_not_found')
  })

  it('has the order in which each entry leads to the next', async () => {
    const { params, milestones, entries } = await told([2, 1])
    const [first = ''] = entries
    const [milestone = ''] = milestones
    await t.entry(owner, milestone, { title: 'Remembered later', happenedOn: '2001-01-01' })
    const story = idsOf(await t.call('readStory', { params }))
    expect(story.indexOf(first)).toBe(1)
    const walked = [story[0] ?? '']
    for (;;) {
      const entryId = walked.at(-1) ?? ''
      const { next } = await t.call('readWorldEntry', { params: { ...params, entryId } })
      if (!next) break
      walked.push(next._id)
    }
    expect(story).toEqual(walked)
  })

  it('finds the part with an entry, also after earlier ones were added', async () => {
    const { params, milestones, entries } = await told([STORY_ENTRIES_PER_PAGE])
    const last = entries.at(-1) ?? ''
    const pageWith = async (entry: string) =>
      (await t.call('readStory', { params, query: { entry, page: 9 } })).pagination.currentPage
    expect(await pageWith(last)).toBe(1)
    await t.entry(owner, milestones[0] ?? '', { title: 'Before all', happenedOn: '2001-01-01' })
    expect(await pageWith(last)).toBe(2)
    expect(await pageWith(NONE)).toBe(1)
  })

  it('is told to members of a private project, without drafts and deleted entries, even of the reader', async () => {
    const { params, milestones, entries } = await told([3], 'private')
    const [milestoneId = ''] = milestones
    const [, entryId = ''] = entries
    await t.entry(owner, milestoneId, { title: 'Not yet', state: 'draft' })
    await t.call('deleteEntry', { params: { milestoneId, entryId } }, { as: owner })
    const story = await t.call('readStory', { params }, { as: owner })
    expect(idsOf(story)).toEqual([entries[0], entries[2]])
    expect(story.project.visibility).toBe('private')
  })

  it('is empty for a project without entries', async () => {
    const { params } = await told([0])
    expect(await t.call('readStory', { params })).toMatchObject({ chapters: [], contents: [] })
  })

  it('lists at most sixty chapters at even distances', { tags: ['long'] }, async () => {
    const { params, milestones } = await told(Array.from({ length: 61 }, () => 1))
    const { contents } = await t.call('readStory', { params })
    expect(contents.map(({ milestone }) => milestone)).toEqual(
      milestones.filter((_, index) => index % 2 === 0),
    )
    expect(contents.at(-1)?.page).toBe(4)
  })
})
