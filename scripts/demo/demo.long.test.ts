import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { furnish } from './album.ts'
import { fill } from './fill.ts'
import { drawPicture } from './pictures/draw.ts'

const sizes = { projects: 1, milestones: 3, entries: 4, seed: 1 }

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

async function read(owner: Person, projectId: string) {
  const milestones = await t.call('listMilestones', { params: { projectId } }, { as: owner })
  const lists = await Promise.all(
    milestones.map(async ({ _id: milestoneId }) => {
      const list = await t.call('listEntries', { params: { milestoneId }, query: {} }, { as: owner })
      return Array.isArray(list) ? list : list.entries
    }),
  )
  return { milestones, entries: lists.flat() }
}

describe('the demo', () => {
  it('has pictures in texts, a gallery, covers, two authors, several days and a draft of the owner', async () => {
    const owner = await t.person({ name: 'Ada Lovelace' })
    const editor = await t.person({ name: 'Grace Hopper' })
    const account = ({ userId, email }: Person, name: string) => ({
      name,
      email,
      caller: { userId, sessionId: '' },
    })
    const people = { owner: account(owner, 'Ada Lovelace'), editor: account(editor, 'Grace Hopper') }
    const [project] = await fill(t.deps.db, owner.userId, sizes, ({ subject, ...place }) =>
      furnish(t, people, { ...place, subject: { ...subject, views: subject.views.slice(0, 3) } }),
    )
    const { milestones, entries } = await read(owner, project?.id ?? '')

    expect(milestones.map(({ reachedAt }) => reachedAt !== null)).toEqual([true, true, false])
    expect(milestones.every(({ dueOn }) => dueOn !== null)).toBe(true)
    expect(new Set(entries.map(({ author }) => author?.name))).toEqual(
      new Set(['Ada Lovelace', 'Grace Hopper']),
    )
    expect(new Set(entries.map(({ happenedOn }) => happenedOn.slice(0, 7))).size).toBeGreaterThan(3)
    expect(entries.filter(({ imageURL }) => imageURL).length).toBeGreaterThan(entries.length / 2)
    expect(entries.filter(({ state }) => state === 'draft')).toHaveLength(1)
    const feature = entries.find(({ content }) => content.includes('> [!TIP]'))
    const shown = await t.call(
      'readEntry',
      { params: { milestoneId: feature?.milestone ?? '', entryId: feature?._id ?? '' } },
      { as: owner },
    )
    expect(shown.html).toContain('<p class="gallery">')
    expect(shown.html).toContain('<span class="media-caption">')
    expect(shown.html).not.toContain('src="/files/')
  })

  it('has only texts unless pictures are requested', async () => {
    const owner = await t.person()
    const [project] = await fill(t.deps.db, owner.userId, sizes)
    const { entries } = await read(owner, project?.id ?? '')
    expect(entries).toHaveLength(12)
    expect(entries.filter(({ content, imageURL }) => imageURL || content.includes('/files/'))).toEqual([])
  })

  it('draws the same picture from the same seed, and another one from another', async () => {
    const [first, again, other] = await Promise.all([1, 1, 2].map((seed) => drawPicture('planks', seed)))
    expect(first).toEqual(again)
    expect(first).not.toEqual(other)
  })
})
