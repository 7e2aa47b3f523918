import * as fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { purgeAccounts } from '#server/account/deletion.ts'
import { publishDue } from '#server/entries/publish-due.ts'
import { features } from '#server/features.ts'
import { importer, zipOf } from '#server/import/testing.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { deleted } from '#server/trash/testing.ts'
import { runs } from '#testing/runs.ts'
import { indexChanges } from './indexing.ts'
import { fillIndex } from './upkeep.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
  await fillIndex(t.deps.db)
})
afterAll(() => t.close())

async function rows(statement: string) {
  return (await t.pool.query(statement)).rows
}

const documents = () =>
  rows(`select id, kind, project_id, milestone_id, author_id, is_draft, happened_at, happened_on::text, tags, has, folded,
    words::text, heads::text from search_documents order by id`)

async function rebuilt() {
  await t.pool.query('truncate search_documents, search_queue, search_words, search_state')
  await fillIndex(t.deps.db)
  return documents()
}

const text: fc.Arbitrary<string> = fc.constantFrom(
  'Oak',
  'Eiche und Buche',
  '木の椅子',
  'c++ server.config.ts',
  'ёлка',
)
const nth = fc.nat(20)
const step = fc.oneof(
  fc.record({ do: fc.constant('project' as const), text }),
  fc.record({ do: fc.constant('milestone' as const), nth, text }),
  fc.record({ do: fc.constant('write' as const), nth, text, isDraft: fc.boolean() }),
  fc.record({ do: fc.constant('edit' as const), nth, text }),
  fc.record({ do: fc.constant('move' as const), nth, to: nth }),
  fc.record({ do: fc.constant('publish' as const), nth }),
  fc.record({ do: fc.constant('rename' as const), nth, text }),
  fc.record({
    do: fc.constant('delete' as const),
    what: fc.constantFrom('project', 'milestone', 'entry'),
    nth,
  }),
  fc.record({ do: fc.constant('restore' as const), nth }),
  fc.record({ do: fc.constant('tag' as const), nth, text, to: text }),
  fc.record({ do: fc.constant('several' as const), nth, to: nth, isDeleted: fc.boolean() }),
  fc.record({ do: fc.constant('undo' as const), nth }),
  fc.record({ do: fc.constant('schedule' as const), nth, isDue: fc.boolean() }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** What was made so far. Things in the trash stay in the lists: changes of them are refused, and change nothing. */
type World = {
  ada: Person
  projects: string[]
  milestones: { projectId: string; milestoneId: string }[]
  entries: { milestoneId: string; entryId: string }[]
  deletions: string[]
  bulk: { projectId: string; bulkChangeId: string }[]
}

const pick = <T>(list: T[], nth: number): T | undefined => list[nth % Math.max(1, list.length)]

async function run(world: World, now: Step): Promise<void> {
  const { ada, projects, milestones, entries, deletions } = world
  const as = { as: ada }
  if (now.do === 'project') projects.push((await t.project(ada, { title: now.text }))._id)
  else if (now.do === 'milestone') {
    const projectId = pick(projects, now.nth) ?? ''
    const { _id: milestoneId } = await t.milestone(ada, projectId, { title: now.text })
    milestones.push({ projectId, milestoneId })
  } else if (now.do === 'write') {
    const { milestoneId } = pick(milestones, now.nth) ?? { milestoneId: '' }
    const fields = {
      title: now.text,
      content: now.text,
      tags: [now.text],
      state: now.isDraft ? ('draft' as const) : ('published' as const),
    }
    entries.push({ milestoneId, entryId: (await t.entry(ada, milestoneId, fields))._id })
  } else if (now.do === 'rename') {
    const params = pick(milestones, now.nth) ?? { projectId: '', milestoneId: '' }
    await t.call('updateMilestone', { params, body: { title: now.text } }, as)
  } else if (now.do === 'tag' || now.do === 'several') {
    await changeSeveral(world, now)
  } else if (now.do === 'undo') {
    const params = pick(world.bulk, now.nth) ?? { projectId: '', bulkChangeId: '' }
    await t.call('undoBulkChange', { params }, as)
  } else if (now.do === 'schedule') {
    await schedule(world, now)
  } else if (now.do === 'restore') {
    const deletionId = pick(deletions, now.nth) ?? ''
    await t.call('restoreDeletion', { params: { deletionId }, body: { withParents: true } }, as)
  } else if (now.do === 'delete') {
    const entry = pick(entries, now.nth)
    const milestone = pick(milestones, now.nth)
    const target =
      now.what === 'entry' && entry
        ? entry
        : now.what === 'milestone' && milestone
          ? milestone
          : { projectId: pick(projects, now.nth) ?? '' }
    deletions.push(await deleted(t, ada, target))
  } else {
    const entry = pick(entries, now.nth)
    if (!entry) return
    const target = now.do === 'move' ? (pick(milestones, now.to)?.milestoneId ?? '') : entry.milestoneId
    const body =
      now.do === 'edit'
        ? { content: now.text }
        : now.do === 'publish'
          ? { state: 'published' as const }
          : { milestone: target }
    await t.call('updateEntry', { params: entry, body }, as)
    entry.milestoneId = target
  }
}

/** Renames a tag of a project, or moves or deletes all entries of a milestone at once. */
async function changeSeveral(
  { ada, projects, milestones, entries, bulk }: World,
  now: Extract<Step, { do: 'tag' | 'several' }>,
): Promise<void> {
  const as = { as: ada }
  if (now.do === 'tag') {
    const projectId = pick(projects, now.nth) ?? ''
    const params = { projectId, tag: now.text }
    const { undo } = await t.call('renameTag', { params, body: { name: now.to } }, as)
    if (undo) bulk.push({ projectId, bulkChangeId: undo })
    return
  }
  const { projectId, milestoneId } = pick(milestones, now.nth) ?? { projectId: '', milestoneId: '' }
  const moved = entries.filter((entry) => entry.milestoneId === milestoneId)
  const ids = moved.map(({ entryId }) => entryId)
  const params = { projectId }
  const milestone = pick(milestones, now.to)?.milestoneId ?? ''
  const { undo } = now.isDeleted
    ? await t.call('deleteEntries', { params, body: { entries: ids } }, as)
    : await t.call('moveEntries', { params, body: { entries: ids, milestone } }, as)
  if (undo) bulk.push({ projectId, bulkChangeId: undo })
  if (!now.isDeleted) for (const entry of moved) entry.milestoneId = milestone
}

/** Gives a draft a time, and publishes it if that has come. */
async function schedule({ ada, entries }: World, now: Extract<Step, { do: 'schedule' }>): Promise<void> {
  const params = pick(entries, now.nth)
  if (!params) return
  const body = { state: 'scheduled' as const, publishAt: '2190-01-01T00:00:00Z' }
  await t.call('updateEntry', { params, body }, { as: ada })
  if (!now.isDue) return
  await t.pool.query(
    `update entry_schedules set publish_at = now() - interval '1 minute' where entry_id = $1`,
    [params.entryId],
  )
  await publishDue(t.deps)
}

it('the index follows every change in its transaction, and equals one that is filled anew', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 25 }), async (steps) => {
      const world: World = {
        ada: await t.person(),
        projects: [],
        milestones: [],
        entries: [],
        deletions: [],
        bulk: [],
      }
      await run(world, { do: 'project', text: 'Boat' })
      await run(world, { do: 'milestone', nth: 0, text: 'Hull' })
      await run(world, { do: 'write', nth: 0, text: 'Oak', isDraft: false })
      // A change of something in the trash, or of something restored elsewhere, is refused.
      for (const now of steps) await run(world, now).catch(() => undefined)
      expect(await rows('select kind from search_queue')).toEqual([])
      const before = await documents()
      expect(before.length).toBeGreaterThanOrEqual(0)
      expect(await rebuilt()).toEqual(before)
    }),
    { numRuns: runs(9) },
  )
})

it('a change of the same thing many times, and of more at once than are in memory, waits for no job', async () => {
  const ada = await t.person()
  const { _id: projectId } = await t.project(ada)
  const { _id: milestoneId } = await t.milestone(ada, projectId)
  const { _id: entryId } = await t.entry(ada, milestoneId)
  for (let count = 0; count < 29; count += 1) await t.entry(ada, milestoneId)
  await t.deps.db.transaction().execute(async (trx) => {
    for (let times = 0; times < 25; times += 1)
      await sql`update entries set title = 'Ash ' || ${times}::text where id = ${entryId}`.execute(trx)
    await sql`update entries set title = title || ' Elm' where milestone_id = ${milestoneId}`.execute(trx)
    await indexChanges(trx)
  })
  const found = await rows(`select id from search_documents where folded like '% elm%'`)
  expect(found).toHaveLength(30)
})

it('an account that is deleted leaves no document, and no name in the documents of others', async () => {
  const ada = await t.person({ name: 'Ada' })
  const { _id: projectId } = await t.project(ada)
  const { _id: milestoneId } = await t.milestone(ada, projectId)
  const ben = await t.member(projectId, 'editor')
  const own = await t.project(ben, { title: 'Of Ben' })
  await t.entry(ben, milestoneId, { title: 'By Ben' })
  await t.entry(ben, milestoneId, { title: 'Draft of Ben', state: 'draft' })
  await t.pool.query(`update users set leaving_since = now() - interval '30 days' where id = $1`, [
    ben.userId,
  ])
  await purgeAccounts({ ...t.deps, features })
  await fillIndex(t.deps.db)
  expect(await rows(`select id from search_documents where project_id = '${own._id}'`)).toEqual([])
  const left = await rows(
    `select author_id, is_draft from search_documents where milestone_id = '${milestoneId}' and kind = 'entry'`,
  )
  expect(left).toEqual([{ author_id: null, is_draft: false }])
  const before = await documents()
  expect(await rebuilt()).toEqual(before)
})

it('what an import brings is found, and its undo leaves nothing in the index', async () => {
  const ada = await t.person({ name: 'Ada' })
  const before = await rebuilt()
  const imports = importer(t)
  const archive = await zipOf({
    'Boat/Plans/2026-01-02-lines.md': '---\ntags: [wood]\n---\n# First lines\n\nDrawn at night.\n',
    'Boat/Plans/later.md': '---\ndraft: true\n---\nNot yet.\n',
  })
  const brought = await imports.bring(ada, 'boat.zip', archive)
  await fillIndex(t.deps.db)
  const after = await documents()
  expect(after).toHaveLength(before.length + 4)
  expect(await rebuilt()).toEqual(after)
  await imports.undo(ada, brought)
  await fillIndex(t.deps.db)
  expect(await documents()).toEqual(before)
})
