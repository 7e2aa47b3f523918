import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AppDeps } from '#server/deps.ts'
import { readEntry } from '#server/entries/reading.ts'
import { streamEntries } from '#server/entries/stream.ts'
import { listMilestones } from '#server/milestones/service.ts'
import { textOf } from '#server/platform/testing.ts'
import { readProject } from '#server/projects/service.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { streamWorld } from '#server/world/service.ts'
import { requireAccessForChange } from './access.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

/** Runs the steps in order, each after the result of one statement and before the caller sees that result. */
function afterStatements(...steps: (() => Promise<unknown>)[]): KyselyPlugin {
  const left = [...steps]
  return {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await left.shift()?.()
      return result
    },
  }
}

/** The dependencies of a reader, with a step between their first and second statement. */
const interrupted = (step: () => Promise<unknown>): AppDeps => ({
  ...t.deps,
  db: t.deps.db.withPlugin(afterStatements(step)),
})

async function published() {
  const owner = await t.person()
  const project = await t.project(owner, { isPublic: true })
  const milestone = await t.milestone(owner, project._id)
  const entry = await t.entry(owner, milestone._id)
  const projectId = project._id
  const milestoneId = milestone._id
  const entryId = entry._id
  const secret = { title: 'Secret', description: 'Secret', content: 'Secret' }
  /** Makes the project private, and then adds content that the reader must not see. */
  const withdraw = async () => {
    const as = { as: owner }
    await t.call('updateProject', { params: { projectId }, body: { ...secret, isPublic: false } }, as)
    await t.call('updateMilestone', { params: { projectId, milestoneId }, body: secret }, as)
    await t.call('updateEntry', { params: { milestoneId, entryId }, body: secret }, as)
  }
  return { projectId, milestoneId, entryId, withdraw }
}

describe('changes after a project was made private', () => {
  const reads = {
    'a project': (deps: AppDeps, { projectId }: Ids) => readProject(deps, null, projectId),
    'its milestones': (deps: AppDeps, { projectId }: Ids) => listMilestones(deps, null, projectId),
    'the entries of a milestone': (deps: AppDeps, { milestoneId }: Ids) =>
      textOf(streamEntries(deps, null, milestoneId)),
    'the whole of it': (deps: AppDeps, { projectId }: Ids) => textOf(streamWorld(deps, projectId)),
    'an entry': (deps: AppDeps, ids: Ids) => readEntry(deps, null, ids),
  }
  type Ids = { projectId: string; milestoneId: string; entryId: string }

  for (const [what, read] of Object.entries(reads)) {
    it(`are not visible to a visitor who was just reading ${what}`, async () => {
      const { withdraw, ...ids } = await published()
      const seen = JSON.stringify(await read(interrupted(withdraw), ids))
      expect(seen).toContain('title')
      expect(seen).not.toContain('Secret')
    })
  }
})

describe('a change whose right is granted or revoked while it waits for the project', () => {
  async function contested() {
    const owner = await t.person()
    const { _id: projectId } = await t.project(owner)
    const editor = await t.member(projectId, 'editor')
    const setStatus = (status: 'accepted' | 'declined') =>
      t.pool.query('update collaborators set status = $1 where project_id = $2', [status, projectId])
    const isLocked = () =>
      t.pool.query('select from projects where id = $1 for update nowait', [projectId]).then(
        () => false,
        () => true,
      )
    /** Requires the right to edit. Each step runs after one of its statements. */
    const change = (...steps: (() => Promise<unknown>)[]) =>
      t.deps.db.transaction().execute(async (trx) => {
        const watched = trx.withPlugin(afterStatements(...steps))
        const access = await requireAccessForChange(watched, { ...editor, sessionId: '' }, 'content:edit', {
          projectId,
        })
        return { ...access, isLocked: await isLocked() }
      })
    const nothing = async () => {}
    return { change, nothing, give: () => setStatus('accepted'), take: () => setStatus('declined') }
  }

  it('locks the project if the right exists from the start', async () => {
    const { change } = await contested()
    expect(await change()).toMatchObject({ role: 'editor', isLocked: true })
  })

  it('locks the project if the right is granted between the first statement and the second', async () => {
    const { change, give, take } = await contested()
    await take()
    expect(await change(give)).toMatchObject({ role: 'editor', isLocked: true })
  })

  it('is refused if the right is revoked between the first statement and the second', async () => {
    const { change, take } = await contested()
    await expect(change(take)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('is refused if the right is granted and then revoked before the project is locked', async () => {
    const { change, nothing, give, take } = await contested()
    await take()
    await expect(change(give, nothing, take)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('is refused if the right was revoked before', async () => {
    const { change, take } = await contested()
    await take()
    await expect(change()).rejects.toMatchObject({ code: 'not_found' })
  })
})
