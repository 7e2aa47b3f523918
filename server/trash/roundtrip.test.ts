import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { allRows, findInconsistencies, type Rows } from '#server/database/testing-contents.ts'
import { picture } from '#server/files/testing.ts'
import { uploader } from '#server/files/testing-uploads.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { deleted, type Target } from './testing.ts'

let t: TestApp
let owner: Person
beforeAll(async () => {
  t = await testApp()
  owner = await t.person()
})
afterAll(() => t.close())

/** Returns all rows without the traces of deleting and restoring: revisions, times of changes, activity, restorations. */
async function contents() {
  const {
    activity: _written,
    restorations: _undone,
    projects = [],
    milestones = [],
    ...rest
  } = await allRows(t.config)
  const rows: Rows = {
    ...rest,
    projects: projects.map(({ revision: _raised, changed_at: _moved, ...row }) => row),
    milestones: milestones.map(({ revision: _raised, ...row }) => row),
  }
  return rows
}

it('a project with 5 × 100 entries and pictures is equal, row by row, after it was deleted and restored', {
  tags: ['long'],
}, async () => {
  const { _id: projectId } = await t.project(owner, { isPublic: true })
  const jpeg = await picture(64, 48).jpeg().toBuffer()
  const file = await uploader(t).upload(owner, projectId, { bytes: jpeg })
  await t.member(projectId, 'editor')
  await t.invitation(owner, projectId)
  await t.call('updateProject', { params: { projectId }, body: { coverFile: file._id } }, { as: owner })
  for (let count = 0; count < 5; count += 1) {
    const completed = count % 2 === 0
    const { _id: milestoneId } = await t.milestone(owner, projectId, { completed })
    await t.entry(owner, milestoneId, {
      content: `![Boards](${file.url})`,
      tags: ['wood'],
      coverFile: file._id,
    })
    await t.entry(owner, milestoneId, { state: 'draft' })
    await t.pool.query(
      `insert into entries (id, milestone_id, title, content, tags, author_id, author_name, cover_file_id, created_at, updated_at)
       select gen_random_uuid(), $1, 'Day ' || n, 'Planed', array['wood', 'day ' || n % 7], $2, 'Ada', $3, now(), now()
       from generate_series(1, 98) n`,
      [milestoneId, owner.userId, file._id],
    )
    await t.pool.query(
      `insert into file_uses (file_id, entry_id, used_as)
       select $2, e.id, kind from entries e, unnest(array['text', 'cover']) kind
       where e.milestone_id = $1 and e.content = 'Planed'`,
      [milestoneId, file._id],
    )
  }
  const before = await contents()
  expect(before.entries).toHaveLength(500)
  const deletionId = await deleted(t, owner, { projectId })
  expect(await findInconsistencies(t.config)).toEqual([])
  expect(before).not.toEqual(await contents())
  await t.call('restoreDeletion', { params: { deletionId }, body: {} }, { as: owner })
  expect(await contents()).toEqual(before)
  expect(await findInconsistencies(t.config)).toEqual([])
})

/** A step: the number of a resource to delete, or the index of an open deletion to restore. */
type Step = { do: 'delete'; thing: number } | { do: 'restore'; nth: number; withParents: boolean }

const THINGS = 9
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('delete' as const), thing: fc.nat(THINGS - 1) }),
  fc.record({ do: fc.constant('restore' as const), nth: fc.nat(5), withParents: fc.boolean() }),
)

/** A resource with the number of its parent. */
type Thing = { target: Target; within: number | null }

/** A project with two milestones of three entries each, one of them a draft. The second milestone also has another person's draft. */
async function tree(): Promise<Thing[]> {
  const { _id: projectId } = await t.project(owner)
  const editor = await t.member(projectId, 'editor')
  const things: Thing[] = [{ target: { projectId }, within: null }]
  for (let count = 0; count < 2; count += 1) {
    const { _id: milestoneId } = await t.milestone(owner, projectId, { completed: count === 0 })
    const within = things.push({ target: { projectId, milestoneId }, within: 0 }) - 1
    for (const state of ['published', 'published', 'draft'] as const) {
      const { _id: entryId } = await t.entry(owner, milestoneId, { state, tags: ['wood'] })
      things.push({ target: { milestoneId, entryId }, within })
    }
    if (count === 1) await t.entry(editor, milestoneId, { state: 'draft' })
  }
  return things
}

/** Plays steps on the tree and on a model, then restores all open deletions. Returns the differences from the model. */
async function play(things: Thing[], steps: Step[]): Promise<string[]> {
  const wrong: string[] = []
  /** The deletion with which each resource is in the trash. */
  const trashedBy = new Map<number, string>()
  const open: { id: string; thing: number }[] = []
  const above = (thing: number): number[] => {
    const within = things[thing]?.within ?? null
    return within === null ? [] : [within, ...above(within)]
  }
  const check = (what: string, status: number, expected: number) => {
    if (status !== expected) wrong.push(`${what}: ${status} instead of ${expected}`)
  }

  async function remove(thing: number) {
    const { target = {} } = things[thing] ?? {}
    if (trashedBy.has(thing)) {
      const error = await deleted(t, owner, target).catch((error: Error) => error.message)
      if (!error.includes('answered 404')) wrong.push(`deleted twice: ${error}`)
      return
    }
    const id = await deleted(t, owner, target)
    open.push({ id, thing })
    for (let other = 0; other < things.length; other += 1)
      if ((other === thing || above(other).includes(thing)) && !trashedBy.has(other)) trashedBy.set(other, id)
  }

  async function restore({ id, thing }: { id: string; thing: number }, withParents: boolean) {
    const parents = new Set(above(thing).flatMap((other) => trashedBy.get(other) ?? []))
    const response = await t.app.inject({
      method: 'POST',
      url: `/api/trash/${id}/restore`,
      headers: owner.headers,
      payload: { withParents },
    })
    check('restoring', response.statusCode, parents.size === 0 || withParents ? 200 : 409)
    if (response.statusCode !== 200) return
    const restored = new Set([id, ...parents])
    for (const [other, by] of trashedBy) if (restored.has(by)) trashedBy.delete(other)
    open.splice(0, open.length, ...open.filter((deletion) => !restored.has(deletion.id)))
  }

  async function compare() {
    const { deletions } = await t.call('listTrash', {}, { as: owner })
    const listed = new Set(deletions.map(({ _id }) => _id))
    if (listed.size !== open.length || open.some(({ id }) => !listed.has(id))) wrong.push('other deletions')
    for (const [thing, { target }] of things.entries()) {
      const { projectId, milestoneId, entryId } = target
      const url = entryId
        ? `/api/milestones/${milestoneId}/entries/${entryId}`
        : milestoneId
          ? `/api/milestones/${milestoneId}/entries`
          : `/api/projects/${projectId}`
      const { statusCode } = await t.app.inject({ url, headers: owner.headers })
      check(url, statusCode, trashedBy.has(thing) ? 404 : 200)
    }
    wrong.push(...(await findInconsistencies(t.config)).map((row) => JSON.stringify(row)))
  }

  for (const next of steps) {
    if (next.do === 'delete') await remove(next.thing)
    else {
      const deletion = open[next.nth % Math.max(open.length, 1)]
      if (deletion) await restore(deletion, next.withParents)
    }
  }
  await compare()
  for (let last = open[0]; last; last = open[0]) await restore(last, true)
  return wrong
}

it('after deletions and restores in any order, everything is as before once the last deletion is restored', async () => {
  const things = await tree()
  const before = await contents()
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      expect(await play(things, steps)).toEqual([])
      expect(await contents()).toEqual(before)
    }),
    { numRuns: process.env.MILEPOST_TESTS === 'all' ? 20 : 5 },
  )
})
