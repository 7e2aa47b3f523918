import { afterAll, beforeAll, expect, it } from 'vitest'
import type { EntryFields } from '#contract/entries.ts'
import type { MilestoneFields } from '#contract/milestones.ts'
import type { ProjectFields } from '#contract/projects.ts'
import { type TestApp, testApp } from './app.ts'
import type { Person } from './builders.ts'

let t: TestApp
let ada: Person
beforeAll(async () => {
  t = await testApp()
  ada = await t.person({ name: 'Ada' })
})
afterAll(() => t.close())

/** A value for each field that a body may have, beside those that stand for another one. */
type Every<Fields, StandIns extends keyof Fields = never> = {
  [name in keyof Omit<Fields, StandIns>]-?: Fields[name]
}

const project: Every<ProjectFields, 'isPublic'> = {
  title: 'A canoe',
  description: 'Strip by strip',
  visibility: 'unlisted',
}
const milestone: Every<MilestoneFields> = {
  title: 'Hull',
  description: 'Cedar',
  completed: true,
  startsOn: '2026-03-01',
  dueOn: '2026-06-30',
}
const entry: Every<EntryFields, 'happenedOn' | 'publishAt' | 'publishZone'> = {
  title: 'First boards',
  content: 'Straight cedar',
  tags: ['wood'],
  happenedAt: '2026-03-04T11:00:00.000Z',
  happenedZone: 'Europe/Berlin',
  state: 'draft',
  coverFile: null,
}

// A field that a call accepts and its statements leave out would be lost in silence.
it('every field of a project, a milestone and an entry is stored when it is created', async () => {
  const { _id: projectId } = await t.project(ada, project)
  expect(await t.call('readProject', { params: { projectId } }, { as: ada })).toMatchObject(project)
  const { _id: milestoneId } = await t.milestone(ada, projectId, milestone)
  expect(await t.call('listMilestones', { params: { projectId } }, { as: ada })).toMatchObject([milestone])
  const { _id: entryId } = await t.entry(ada, milestoneId, entry)
  expect(await t.call('readEntry', { params: { milestoneId, entryId } }, { as: ada })).toMatchObject(entry)
})

it('every field of a project, a milestone and an entry is stored when it is changed', async () => {
  const { _id: projectId } = await t.project(ada)
  await t.call('updateProject', { params: { projectId }, body: project }, { as: ada })
  expect(await t.call('readProject', { params: { projectId } }, { as: ada })).toMatchObject(project)
  const { _id: milestoneId } = await t.milestone(ada, projectId)
  await t.call('updateMilestone', { params: { projectId, milestoneId }, body: milestone }, { as: ada })
  expect(await t.call('listMilestones', { params: { projectId } }, { as: ada })).toMatchObject([milestone])
  const { _id: entryId } = await t.entry(ada, milestoneId)
  await t.call('updateEntry', { params: { milestoneId, entryId }, body: entry }, { as: ada })
  expect(await t.call('readEntry', { params: { milestoneId, entryId } }, { as: ada })).toMatchObject(entry)
})
