import { Readable } from 'node:stream'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ProjectFile } from '#contract/files.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { purged } from '#server/trash/testing.ts'
import { giveUpAwaited } from './removal-store.ts'
import { allFileKeys } from './storage-keys.ts'
import { sweepFiles } from './sweep.ts'
import { picture } from './testing.ts'
import { uploader } from './testing-uploads.ts'

let t: TestApp
let owner: Person
let files: ReturnType<typeof uploader>
let sent: ProjectFile[]
beforeAll(async () => {
  t = await testApp()
  files = uploader(t)
  owner = await t.person()
})
afterAll(() => t.close())

const HOURS = [1, 12, 23, 25]

/** Ages the files, because the rest of the database has no clock to move. */
const pass = (hours: number) =>
  t.pool.query(
    `update files set unused_since = unused_since - make_interval(hours => $1) where unused_since is not null`,
    [hours],
  )

/** The steps of a generated history: changes to two entries in two projects with three files, and passing hours. */
type Step =
  | { do: 'write' | 'cover'; entry: number; files: number[] }
  | { do: 'move' | 'delete'; entry: number }
  | { do: 'pass'; hours: number }

const entry = fc.nat(1)
const some = fc.uniqueArray(fc.nat(2), { maxLength: 3 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: fc.record({ do: fc.constant('write' as const), entry, files: some }), weight: 3 },
  { arbitrary: fc.record({ do: fc.constant('pass' as const), hours: fc.constantFrom(...HOURS) }), weight: 3 },
  fc.record({ do: fc.constant('cover' as const), entry, files: some }),
  fc.record({ do: fc.constant('move' as const), entry }),
  fc.record({ do: fc.constant('delete' as const), entry }),
)

type Model = {
  /** For each entry its milestone, its id, and the files that its text and its cover use. */
  entries: ({ id: string; at: number; text: Set<number>; cover: number | null } | null)[]
  /** The hours for which each file has been unused. */
  unused: number[]
  gone: Set<number>
}

/** Plays a history, and returns the differences from the model. The files are uploaded to the first of the two projects. */
async function play(steps: Step[]): Promise<string[]> {
  const wrong: string[] = []
  const milestones = []
  for (let n = 0; n < 2; n += 1) {
    const { _id: projectId } = await t.project(owner)
    milestones.push({ projectId, milestoneId: (await t.milestone(owner, projectId))._id })
  }
  const bytes = await picture(20, 20).png().toBuffer()
  sent = []
  for (let n = 0; n < 3; n += 1)
    sent.push(await files.upload(owner, milestones[0]?.projectId ?? '', { name: `${n}.png`, bytes }))
  const model: Model = { entries: [null, null], unused: [0, 0, 0], gone: new Set() }
  for (const one of steps) {
    await take(one, model, milestones)
    // Revisions and the trash keep files too; other tests cover that.
    await t.pool.query('delete from entry_revisions')
    await t.pool.query('delete from entries where deleted_at is not null')
    await sweepFiles(t.deps)
    wrong.push(...(await compare(model)))
  }
  return wrong
}

/** Returns which files an entry may use: all that are in its project, and those that it has used before. */
async function usable(model: Model, index: number, wanted: number[], projectId: string): Promise<number[]> {
  const { rows } = await t.pool.query<{ id: string }>(`select id from files where project_id = $1`, [
    projectId,
  ])
  const there = new Set(rows.map(({ id }) => id))
  const before = model.entries[index]
  const others = model.entries.filter(
    (other) => other && before && other !== before && other.at === before.at,
  )
  return wanted.filter((file) => {
    if (model.gone.has(file)) return false
    const isUsed = [before, ...others].some((one) => one?.text.has(file) || one?.cover === file)
    return there.has(sent[file]?._id ?? '') || isUsed
  })
}

type MilestoneRef = { projectId: string; milestoneId: string }

async function take(one: Step, model: Model, milestones: MilestoneRef[]): Promise<void> {
  if (one.do === 'pass') {
    await pass(one.hours)
    model.unused = model.unused.map((hours) => hours + one.hours)
    return
  }
  const current = model.entries[one.entry]
  const milestone = milestones[current?.at ?? 0]
  if (!milestone) throw new Error('no milestone')
  const params = { milestoneId: milestone.milestoneId, entryId: current?.id ?? '' }
  if (one.do === 'write') {
    const content = `Written${one.files.map((file) => ` ![](${sent[file]?.url})`).join('')}`
    const used = await usable(model, one.entry, one.files, milestone.projectId)
    if (current) {
      await t.call('updateEntry', { params, body: { content } }, { as: owner })
      current.text = new Set(used)
    } else {
      const { _id: id } = await t.entry(owner, milestone.milestoneId, { content })
      model.entries[one.entry] = { id, at: 0, text: new Set(used), cover: null }
    }
  } else if (current && one.do === 'cover') {
    const [cover = null] = await usable(model, one.entry, one.files.slice(0, 1), milestone.projectId)
    const coverFile = cover === null ? null : (sent[cover]?._id ?? null)
    await t.call('updateEntry', { params, body: { coverFile } }, { as: owner })
    current.cover = cover
  } else if (current && one.do === 'move') {
    const to = 1 - current.at
    await t.call(
      'updateEntry',
      { params, body: { milestone: milestones[to]?.milestoneId ?? '' } },
      { as: owner },
    )
    current.at = to
  } else if (current && one.do === 'delete') {
    await purged(t, owner, params)
    model.entries[one.entry] = null
  }
  for (const file of [0, 1, 2])
    if (model.entries.some((each) => each?.text.has(file) || each?.cover === file)) model.unused[file] = 0
}

/** A file exists with its bytes while anything uses it and for less than a day afterwards. Then nothing of it exists. */
async function compare(model: Model): Promise<string[]> {
  const wrong: string[] = []
  for (const [index, file] of sent.entries()) {
    const isUsed = model.entries.some((each) => each?.text.has(index) || each?.cover === index)
    if (isUsed) model.unused[index] = 0
    else if ((model.unused[index] ?? 0) >= 24) model.gone.add(index)
    const expected = !model.gone.has(index)
    const { rows } = await t.pool.query('select from files where id = $1', [file._id])
    const stored = await Promise.all(
      allFileKeys({ id: file._id, attempt: 1 }).map((key) => t.deps.files.read(key)),
    )
    const there = stored.filter((one) => one !== null)
    for (const { bytes } of there) if (bytes instanceof Readable) bytes.destroy()
    if ((rows.length === 1) !== expected || there.length > 0 !== expected)
      wrong.push(`file ${index} should be ${expected ? 'there' : 'gone'}`)
  }
  return wrong
}

it('after any sequence of changes, used files remain, and unused ones are removed a day after their last use', async () => {
  const history = fc.array(step, { minLength: 4, maxLength: 14 })
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      expect(await play(steps)).toEqual([])
    }),
    { numRuns: process.env.MILEPOST_TESTS === 'all' ? 15 : 4, seed: 20_261_122 },
  )
})

it('a file that is reserved and never sent, or sent and never used, is removed after a day', async () => {
  const { _id: projectId } = await t.project(owner)
  const bytes = await picture(20, 20).png().toBuffer()
  const [waiting] = await files.reserve(owner, projectId, [{ name: 'a.png', size: bytes.length }])
  const unused = await files.upload(owner, projectId, { name: 'b.png', bytes })
  const ids = [waiting?._id ?? '', unused._id].join(',')
  const left = () => t.call('listFiles', { params: { projectId }, query: { ids } }, { as: owner })
  await pass(23)
  await sweepFiles(t.deps)
  expect(await left()).toHaveLength(2)
  await pass(2)
  await sweepFiles(t.deps)
  expect(await left()).toEqual([])
  const { rows } = await t.pool.query('select file_bytes from projects where id = $1', [projectId])
  expect(rows).toEqual([{ file_bytes: 0 }])
})

it('the files of a deleted project are removed immediately, and failed removals are retried', async () => {
  const { _id: projectId } = await t.project(owner)
  const { _id: milestoneId } = await t.milestone(owner, projectId)
  await sweepFiles(t.deps)
  const before = (await t.kept()).length
  const file = await files.upload(owner, projectId, { bytes: await picture(20, 20).png().toBuffer() })
  await t.entry(owner, milestoneId, { content: `![](${file.url})` })
  await purged(t, owner, { projectId })
  const refusing = {
    ...t.deps.files,
    remove: async () => {
      throw new Error('the disk is away')
    },
  }
  await sweepFiles({ ...t.deps, files: refusing })
  expect((await t.kept()).length).toBe(before + 2)
  await sweepFiles(t.deps)
  expect((await t.kept()).length).toBe(before + 2)
  await pass(1)
  await sweepFiles(t.deps)
  expect((await t.kept()).length).toBe(before)
})

it('a file whose bytes do not arrive within a week no longer counts towards the quota, and its text shows it as missing', async () => {
  const { _id: projectId } = await t.project(owner)
  const { _id: milestoneId } = await t.milestone(owner, projectId)
  const [file, late] = await files.reserve(owner, projectId, [
    { name: 'never.jpg', size: 5_000_000 },
    { name: 'late.jpg', size: 6_000_000 },
  ])
  const content = `![](/files/${file?._id}) ![](/files/${late?._id})`
  const entry = await t.entry(owner, milestoneId, { content })
  const age = (days: number, id = '') =>
    t.pool.query(`update files set created_at = now() - make_interval(days => $1) where id = $2`, [days, id])
  await age(8, file?._id)
  await age(6, late?._id)
  const reserved = async () => {
    const { rows } = await t.pool.query('select file_bytes from projects where id = $1', [projectId])
    return rows[0].file_bytes as number
  }
  await giveUpAwaited(t.deps.db)
  expect(await reserved()).toBe(6_000_000)
  expect((await files.put(owner, file?._id ?? '', Buffer.alloc(5_000_000))).statusCode).toBe(404)
  const ref = { params: { milestoneId, entryId: entry._id } }
  expect((await t.call('readEntry', ref, { as: owner })).html).not.toContain(file?._id)
})
