import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inSnapshot } from '#server/database/snapshot.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { type AllPages, openAllPages } from './all-pages.ts'
import { readWorldEntry, readWorldPage } from './service.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const opened = <T>(projectId: string, forMembers: boolean, read: (pages: AllPages) => Promise<T>) =>
  inSnapshot(t.deps.db, async (db) => read(await openAllPages({ ...t.deps, db }, { projectId, forMembers })))

describe('all pages of a project', () => {
  it('are what the server shows one by one, also of more milestones than a page lists', async () => {
    const ada = await t.person({ name: 'Ada' })
    const { _id: projectId } = await t.project(ada, { isPublic: true })
    const milestones = []
    for (let at = 0; at < 63; at += 1)
      milestones.push(await t.milestone(ada, projectId, { title: `Part ${at}` }))
    const [first, last] = [milestones[0], milestones.at(-1)]
    if (!first || !last) throw new Error('no milestones')
    for (let at = 0; at < 14; at += 1)
      await t.entry(ada, first._id, { title: `Day ${at}`, content: 'It **rose**', tags: ['Rye'] })
    const end = await t.entry(ada, last._id, { title: 'The end', content: 'Eaten', tags: ['Rye'] })
    const queries = [
      { page: 1 },
      { page: 2 },
      { milestone: last._id, page: 1 },
      { milestone: milestones[40]?._id ?? '', page: 1 },
      { tag: 'Rye', page: 1 },
      { tag: 'Rye', page: 2 },
    ]
    for (const query of queries) {
      const page = await opened(projectId, false, (pages) => pages.page(query))
      const whole = { milestone: undefined, tag: undefined, order: 'oldest' as const, ...query }
      expect(page).toEqual(await readWorldPage(t.deps, projectId, whole))
    }
    const shown = await readWorldEntry(t.deps, { projectId, entryId: end._id })
    const placed = { id: end._id, milestone: shown.milestone, previous: shown.previous, next: shown.next }
    expect(await opened(projectId, false, (pages) => pages.entry(placed))).toEqual(shown)
  })

  it('of a private project are those of its members, and of nobody else', async () => {
    const ada = await t.person()
    const { _id: projectId } = await t.project(ada, { isPublic: false })
    await expect(opened(projectId, false, (pages) => pages.page({ page: 1 }))).rejects.toMatchObject({
      code: 'not_found',
    })
    const { project } = await opened(projectId, true, (pages) => pages.page({ page: 1 }))
    expect(project).toMatchObject({ _id: projectId, visibility: 'private' })
  })
})
