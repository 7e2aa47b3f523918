import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { zipOf } from './testing.ts'
import { importingApp } from './testing-app.ts'

const { t, imports } = await importingApp()

const COUNT = 50
const days = (line: (at: number) => string) =>
  Object.fromEntries(Array.from({ length: COUNT }, (_, at) => [`Log/${at}.md`, `# Day ${at}\n\n${line(at)}`]))
/** Texts of a kilobyte each, and files of one. */
const archives = {
  texts: () => zipOf(days((at) => `${at} `.repeat(400))),
  files: () =>
    zipOf({
      ...days((at) => `[The plan](plans/${at}.bin)`),
      ...Object.fromEntries(
        Array.from({ length: COUNT }, (_, at) => [`Log/plans/${at}.bin`, randomBytes(1_000)]),
      ),
    }),
}

const setQuota = (id: string, bytes: number | null) =>
  t.deps.db.updateTable('users').set({ quota_bytes: bytes }).where('id', '=', id).execute()

describe.each(['texts', 'files'] as const)('a quota that is full midway through the %s', (kind) => {
  it('pauses the import with a sentence, after what fits, and the rest comes once there is room', {
    tags: ['long'],
  }, async () => {
    const ada = await t.person()
    const planned = await imports.plan(ada, 'Log.zip', await archives[kind]())
    await setQuota(ada.userId, 35_000)
    await imports.start(ada, planned)
    await imports.work()
    const paused = await imports.read(ada, planned)
    expect(paused).toMatchObject({
      state: 'paused',
      problem: expect.stringMatching(/^Your projects fill the 0\.035 MB that an account may store here/),
    })
    const { used } = await t.deps.quotas.readAccount(t.deps.db, ada.userId)
    expect(used).toBeGreaterThan(30_000)
    expect(used).toBeLessThanOrEqual(35_000)
    await setQuota(ada.userId, null)
    await imports.start(ada, planned)
    await imports.work()
    const files = kind === 'files' ? COUNT : 0
    expect(await imports.read(ada, planned)).toMatchObject({
      state: 'done',
      problem: null,
      report: { made: { entries: COUNT, files }, problems: [] },
    })
    const [project] = await t.call('listProjects', {}, { as: ada })
    expect(project).toMatchObject({ title: 'Log' })
    const stored = await t.deps.db
      .selectFrom('entries')
      .innerJoin('milestones', 'milestones.id', 'milestone_id')
      .where('project_id', '=', project?._id ?? '')
      .select('entries.title')
      .execute()
    expect(new Set(stored.map(({ title }) => title)).size).toBe(COUNT)
    expect(stored.length).toBe(COUNT)
  })
})
