import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AppDeps } from '#server/deps.ts'
import { readEntry } from '#server/entries/service.ts'
import { streamEntries } from '#server/entries/stream.ts'
import { listMilestones } from '#server/milestones/service.ts'
import { textOf } from '#server/platform/testing.ts'
import { readProject } from '#server/projects/service.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { streamWorld } from '#server/world/service.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

/** The deps as a reader has them between whose first statement and the next something happens. */
function interrupted(happening: () => Promise<void>): AppDeps {
  let happened = false
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (!happened) {
        happened = true
        await happening()
      }
      return result
    },
  }
  return { ...t.deps, db: t.deps.db.withPlugin(plugin) }
}

async function published() {
  const owner = await t.person()
  const project = await t.project(owner, { isPublic: true })
  const milestone = await t.milestone(owner, project._id)
  const entry = await t.entry(owner, milestone._id)
  const projectId = project._id
  const milestoneId = milestone._id
  const entryId = entry._id
  const secret = { title: 'Secret', description: 'Secret', content: 'Secret' }
  /** Makes the project private and then writes what nobody else is to read. */
  const withdraw = async () => {
    const as = { as: owner }
    await t.call('updateProject', { params: { projectId }, body: { ...secret, isPublic: false } }, as)
    await t.call('updateMilestone', { params: { projectId, milestoneId }, body: secret }, as)
    await t.call('updateEntry', { params: { milestoneId, entryId }, body: secret }, as)
  }
  return { projectId, milestoneId, entryId, withdraw }
}

describe('what is written after a project was made private', () => {
  const reads = {
    'a project': (deps: AppDeps, { projectId }: Ids) => readProject(deps, null, projectId),
    'its milestones': (deps: AppDeps, { projectId }: Ids) => listMilestones(deps, null, projectId),
    'the entries of a milestone': (deps: AppDeps, { milestoneId }: Ids) =>
      textOf(streamEntries(deps, null, milestoneId)),
    'the whole of it': (deps: AppDeps, { projectId }: Ids) => textOf(streamWorld(deps, projectId)),
    'an entry': (deps: AppDeps, place: Ids) => readEntry(deps, null, place),
  }
  type Ids = { projectId: string; milestoneId: string; entryId: string }

  for (const [what, read] of Object.entries(reads)) {
    it(`is not shown to a visitor who was just reading ${what}`, async () => {
      const { withdraw, ...ids } = await published()
      const seen = JSON.stringify(await read(interrupted(withdraw), ids))
      expect(seen).toContain('title')
      expect(seen).not.toContain('Secret')
    })
  }
})
