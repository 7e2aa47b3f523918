import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { picture } from '#server/files/testing.ts'
import { uploader } from '#server/files/testing-uploads.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'

let t: TestApp
let owner: Person
beforeAll(async () => {
  t = await testApp()
  owner = await t.person()
})
afterAll(() => t.close())

const read = (projectId: string) => t.call('readProject', { params: { projectId } }, { as: owner })

/** Sets when a project began and when its only milestone was completed. */
async function lasting(projectId: string, began: string, reached: string) {
  await t.pool.query('update projects set created_at = $2 where id = $1', [projectId, began])
  await t.pool.query('update milestones set reached_at = $2 where project_id = $1', [projectId, reached])
}

describe('a finished project', () => {
  it('has a duration from its start to its last completed milestone, both days included', async () => {
    const { _id } = await t.project(owner)
    const milestone = await t.milestone(owner, _id, { completed: true })
    await t.entry(owner, milestone._id)
    await t.entry(owner, milestone._id, { state: 'draft' })
    await lasting(_id, '2026-03-01T12:00:00Z', '2026-03-20T12:00:00Z')
    expect((await read(_id)).finished).toEqual({
      at: '2026-03-20T12:00:00.000Z',
      days: 20,
      entries: 1,
      pictures: 0,
    })
  })

  it('has a duration of one day if it was finished before it was created', async () => {
    const { _id } = await t.project(owner)
    await t.milestone(owner, _id, { completed: true })
    await lasting(_id, '2026-03-20T12:00:00Z', '2026-03-01T12:00:00Z')
    expect((await read(_id)).finished).toMatchObject({ at: '2026-03-20T12:00:00.000Z', days: 1 })
  })

  it('counts each picture that its entries show once', async () => {
    const { _id: projectId } = await t.project(owner)
    const { _id } = await t.milestone(owner, projectId, { completed: true })
    const bytes = await picture(40, 30).jpeg().toBuffer()
    const { upload } = uploader(t)
    const shown = await upload(owner, projectId, { bytes })
    const drafted = await upload(owner, projectId, { bytes })
    await upload(owner, projectId, { bytes })
    await t.entry(owner, _id, { content: `![](${shown.url}) ![](${shown.url})`, coverFile: shown._id })
    await t.entry(owner, _id, { content: `![](${shown.url})` })
    await t.entry(owner, _id, { content: `![](${drafted.url})`, state: 'draft' })
    expect((await read(projectId)).finished).toMatchObject({ entries: 2, pictures: 1 })
  })

  it('has no summary before all of its milestones are completed, or without milestones', async () => {
    const { _id } = await t.project(owner)
    expect((await read(_id)).finished).toBeUndefined()
    await t.milestone(owner, _id, { completed: true })
    await t.milestone(owner, _id)
    expect((await read(_id)).finished).toBeUndefined()
  })
})
