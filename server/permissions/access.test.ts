import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { readEntry } from '#server/entries/reading.ts'
import { streamEntries } from '#server/entries/stream.ts'
import { listMilestones } from '#server/milestones/service.ts'
import { textOf } from '#server/platform/api/testing.ts'
import { readProject } from '#server/projects/service.ts'
import { streamPublicEntries } from '#server/public/service.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { lockForChange, requireAccessForChange } from './access.ts'

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
    'the whole of it': (deps: AppDeps, { projectId }: Ids) => textOf(streamPublicEntries(deps, projectId)),
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

describe('a change whose right is revoked', () => {
  async function contested() {
    const owner = await t.person()
    const { _id: projectId } = await t.project(owner)
    const editor = await t.member(projectId, 'editor')
    const isLocked = () =>
      t.pool.query('select from projects where id = $1 for update nowait', [projectId]).then(
        () => false,
        () => true,
      )
    const change = () =>
      t.deps.db.transaction().execute(async (trx) => {
        const caller = { ...editor, sessionId: '' }
        const access = await requireAccessForChange(trx, caller, 'content:edit', { projectId })
        return { ...access, isLocked: await isLocked() }
      })
    const revoke = (trx: Db) =>
      trx
        .updateTable('collaborators')
        .set({ status: 'declined' })
        .where('project_id', '=', projectId)
        .execute()
    /** Resolves when another connection waits for a row. */
    const somebodyWaits = async (): Promise<void> => {
      const { rows } = await t.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      if (rows.length === 0) await somebodyWaits()
    }
    return { projectId, change, revoke, somebodyWaits }
  }

  it('locks the project if the right exists', async () => {
    const { change } = await contested()
    expect(await change()).toMatchObject({ role: 'editor', isLocked: true })
  })

  it('is refused if the right is revoked while it waits for the project', async () => {
    const { projectId, change, revoke, somebodyWaits } = await contested()
    const waiting = await t.deps.db.transaction().execute(async (trx) => {
      await lockForChange(trx, projectId)
      const changed = change().catch((error: unknown) => error)
      await somebodyWaits()
      await revoke(trx)
      return { changed }
    })
    expect(await waiting.changed).toMatchObject({ code: 'not_found' })
  })

  it('is refused if the right was revoked before', async () => {
    const { change, revoke } = await contested()
    await revoke(t.deps.db)
    await expect(change()).rejects.toMatchObject({ code: 'not_found' })
  })
})
