import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { importer } from '#server/import/testing.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

/** As a server of that version has written it. */
const released = (version: string) => readFile(new URL(`archives/${version}.zip`, import.meta.url))

it('brings an archive of 0.1.0 whole, also the picture of an entry that was no file', async () => {
  const ada = await t.person()
  const done = await importer(t).bring(ada, 'milepost.zip', await released('0.1.0'))
  const { made, problems, projects } = done.report ?? {}
  expect(problems).toEqual([])
  expect(made).toEqual({ projects: 1, milestones: 2, entries: 4, files: 2 })
  const [{ _id: projectId } = { _id: '' }] = projects ?? []
  const as = { as: ada }
  const milestones = await t.call('listMilestones', { params: { projectId } }, as)
  expect(
    milestones.map(({ title, completed, startsOn, dueOn }) => ({ title, completed, startsOn, dueOn })),
  ).toEqual([
    { title: 'Hull', completed: true, startsOn: '2026-01-02', dueOn: '2026-03-04' },
    { title: 'Paint', completed: false, startsOn: null, dueOn: null },
  ])
  const { entries } = await t.call('listProjectEntries', { params: { projectId }, query: { limit: 24 } }, as)
  const found = new Map<string, (typeof entries)[number]>(entries.map((entry) => [entry.title, entry]))
  expect([...found.keys()].toSorted()).toEqual(['Ein Tag 2019', 'Not yet', 'With a file', 'With an image'])
  expect(found.get('With an image')?.imageURL).toEqual(expect.stringContaining('/api/media/'))
  expect(found.get('With a file')?.content).toContain('![The frame](/files/')
  expect(found.get('Ein Tag 2019')).toMatchObject({ happenedOn: '2019-05-06', tags: ['é', 'wood'] })
  expect(found.get('Not yet')?.state).toBe('draft')
})
