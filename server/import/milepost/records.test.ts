import { expect, it } from 'vitest'
import { exported, unzipped } from '#server/export/testing.ts'
import { importingApp } from '#server/import/testing-app.ts'
import { entry, milestone, project, version } from './records.ts'

const { t } = await importingApp()

/** What an archive has of a project and its milestones and the import leaves out. */
const LEFT_OUT = {
  'of other people': ['members', 'reactions', 'role', 'watch'],
  'with secrets, or found by others at their addresses': ['address', 'links', 'webhooks'],
  'what happened on the other server': ['activity'],
  'what its owner decides here': ['readers'],
  'known from the rest': ['entryCount', 'folder', 'project'],
}

it('the import reads every field of an archive, or its leaving out is decided', async () => {
  const ada = await t.person()
  const { _id: projectId } = await t.project(ada)
  const { _id: milestoneId } = await t.milestone(ada, projectId)
  await t.entry(ada, milestoneId)
  const { bytes } = await exported(t, ada, { history: true })
  const { projects } = JSON.parse((await unzipped(bytes)).get('milepost.json')?.toString() ?? '')
  const [inProject] = projects
  const [inMilestone] = inProject.milestones
  const [inEntry] = inMilestone.entries
  const [inVersion] = inEntry.versions
  const unread = (record: object, { shape }: { shape: object }) =>
    Object.keys(record).filter((field) => !(field in shape))
  const leftOut = new Set([
    ...unread(inProject, project),
    ...unread(inMilestone, milestone),
    ...unread(inEntry, entry.in),
    ...unread(inVersion, version),
  ])
  expect([...leftOut].toSorted()).toEqual(Object.values(LEFT_OUT).flat().toSorted())
})
