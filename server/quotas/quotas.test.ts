import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findInconsistencies } from '#server/database/testing-contents.ts'
import { sweepFiles } from '#server/files/sweep.ts'
import { bomb, picture } from '#server/files/testing.ts'
import { createMetrics } from '#server/platform/metrics/prometheus.ts'
import { defaultQuotas } from '#server/quotas/settings.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { sendForm } from '#server/testing/form.ts'
import { purged } from '#server/trash/testing.ts'
import { runs } from '#testing/runs.ts'
import { createQuotas, measureStorage } from './quotas.ts'

const QUOTA = 20_000
const clock = () => new Date()
const quotas = (accountQuota: number, instanceQuota?: number) =>
  createQuotas({ ...defaultQuotas, accountQuota, instanceQuota, clock })

let t: TestApp
beforeAll(async () => {
  t = await testApp({ quotas: quotas(QUOTA) })
})
afterAll(() => t.close())

async function used({ userId }: Person, of = t): Promise<number> {
  const row = await of.deps.db
    .selectFrom('storage_usage')
    .select(sql<number>`text_bytes + file_bytes`.as('bytes'))
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.bytes ?? 0
}

const entryOf = (length: number) => ({ title: 'Day 1', content: 'x'.repeat(length) })

/** An account with a milestone to write in. */
async function writer(of = t) {
  const owner = await of.person()
  const { _id: projectId } = await of.project(owner)
  const { _id: milestoneId } = await of.milestone(owner, projectId)
  return { owner, projectId, milestoneId }
}

it('archives that wait to be imported count for their account, and for all accounts together', async () => {
  const app = await t.replica({ quotas: quotas(1_000, 1_500) })
  const begin = async (person: Person, size: number) =>
    (
      await app.inject({
        method: 'POST',
        url: '/api/imports',
        headers: person.headers,
        payload: { name: `${size}.zip`, size, fingerprint: '' },
      })
    ).json<{ _id: string; code?: string }>()
  const ada = await t.person()
  const grace = await t.person()
  expect(await begin(ada, 1_001)).toMatchObject({ code: 'too_large' })
  const { _id } = await begin(ada, 700)
  expect(await begin(ada, 301)).toMatchObject({ code: 'conflict' })
  expect(await begin(ada, 300)).toMatchObject({ state: 'uploading' })
  expect(await begin(grace, 501)).toMatchObject({ code: 'quota_exceeded' })
  await app.inject({ method: 'DELETE', url: `/api/imports/${_id}`, headers: ada.headers })
  expect(await begin(grace, 501)).toMatchObject({ state: 'uploading' })
})

it('a project has a limited number of milestones, and an account of projects, including what is in the trash', async () => {
  const app = await t.replica({
    quotas: createQuotas({ ...defaultQuotas, milestonesPerProject: 2, projectsPerAccount: 2, clock }),
  })
  const ada = await t.person()
  const create = (url: string) =>
    app.inject({
      method: 'POST',
      url,
      headers: ada.headers,
      payload: { title: 'x', description: 'y' },
    })
  const project = (await create('/api/projects')).json<{ _id: string }>()
  const milestones = `/api/projects/${project._id}/milestones`
  const { _id: first } = (await create(milestones)).json<{ _id: string }>()
  expect((await create(milestones)).statusCode).toBe(201)
  await app.inject({ method: 'DELETE', url: `${milestones}/${first}`, headers: ada.headers })
  expect((await create(milestones)).json()).toEqual({
    code: 'conflict',
    message:
      'A project has at most 2 milestones, including those in the trash. Delete some for ever, or begin another project.',
  })
  expect((await create('/api/projects')).statusCode).toBe(201)
  expect((await create('/api/projects')).json()).toMatchObject({
    code: 'conflict',
    message: 'An account has at most 2 projects, including those in the trash. Delete some for ever first.',
  })
  await app.close()
})

describe('the storage of an account', () => {
  it('is the sum of the stored sizes after any sequence of inserts, updates and deletions', {
    tags: ['long'],
  }, async () => {
    const text = fc.string({ minLength: 1, maxLength: 40, unit: fc.constantFrom('a', 'ü', '🛶', ' ') })
    const step = fc.record({
      act: fc.constantFrom('add', 'add', 'add', 'change', 'delete', 'show'),
      table: fc.constantFrom('projects', 'milestones', 'entries', 'entries'),
      pick: fc.nat(),
      text,
      bytes: fc.nat(9_000_000),
    })
    const { db } = t.deps
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const owners = [(await t.person()).userId, (await t.person()).userId]
        const ids = async (table: string) =>
          (await sql<{ id: string }>`select id from ${sql.table(table)} order by id`.execute(db)).rows
        const one = async (table: string, pick: number) => {
          const rows = await ids(table)
          return rows[pick % Math.max(rows.length, 1)]?.id ?? null
        }
        for (const { act, table, pick, text: written, bytes } of steps) {
          const id = await one(table, pick)
          const [parent, body] =
            table === 'entries'
              ? (['milestone_id', 'content'] as const)
              : (['project_id', 'description'] as const)
          if (act === 'add' && table === 'projects')
            await sql`insert into projects (id, owner_id, title, description, is_public, created_at, updated_at)
              values (${randomUUID()}, ${owners[pick % 2]}, ${written}, ${written}, false, now(), now())`.execute(
              db,
            )
          else if (act === 'add') {
            const above = await one(table === 'entries' ? 'milestones' : 'projects', pick)
            const extra = sql.raw(table === 'entries' ? 'tags' : 'completed')
            const value = table === 'entries' ? sql`array[${written}, 'b']` : sql`false`
            if (above)
              await sql`insert into ${sql.table(table)} (id, ${sql.ref(parent)}, title, ${sql.ref(body)}, ${extra},
                created_at, updated_at)
                select gen_random_uuid(), ${above}, ${written}, ${written}, ${value}, now(), now()
                from generate_series(1, ${1 + (pick % 3)})`.execute(db)
          } else if (act === 'change')
            await sql`update ${sql.table(table)} set title = ${written}, ${sql.ref(body)} = ${written}
              where id = ${id}`.execute(db)
          else if (act === 'delete') await sql`delete from ${sql.table(table)} where id = ${id}`.execute(db)
          else {
            const project = await one('projects', pick)
            await sql`
              insert into files (id, project_id, name, kind, type, size, bytes, unused_since, created_at)
              select gen_random_uuid(), id, 'boards.png', 'image', 'image/png', ${bytes}, ${bytes}, now(), now()
              from projects where id = ${project}`.execute(db)
          }
        }
        expect(await findInconsistencies(t.config)).toEqual([])
        await sql`delete from users where id = ${owners[0]}`.execute(db)
        expect(await findInconsistencies(t.config)).toEqual([])
      }),
      { numRuns: runs(12) },
    )
  })

  it('is counted in bytes, with titles, descriptions and tags', async () => {
    const owner = await t.person()
    const { _id: projectId } = await t.project(owner, { title: 'Kanu', description: 'Über' })
    const { _id: milestoneId } = await t.milestone(owner, projectId, { title: 'Holz', description: 'Zeder' })
    expect(await used(owner)).toBe(4 + 5 + 4 + 5)
    await t.entry(owner, milestoneId, { title: 'Tag 1', content: '🛶', tags: ['a', 'bc'] })
    expect(await used(owner)).toBe(18 + 5 + 4 + 3)
  })
})

describe('an account whose quota is full', () => {
  it('refuses more text, stores none of it, and explains it to the owner', async () => {
    const { owner, projectId, milestoneId } = await writer()
    await t.entry(owner, milestoneId, entryOf(15_000))
    const before = await used(owner)
    const body = entryOf(6_000)
    const errors = [
      await t.refused('createEntry', { params: { milestoneId }, body }, { as: owner }),
      await t.refused(
        'createMilestone',
        { params: { projectId }, body: { title: 'x', description: 'ü'.repeat(3_000) } },
        { as: owner },
      ),
      await t.refused(
        'createProject',
        { body: { title: 'x', description: 'y'.repeat(5_000) } },
        { as: owner },
      ),
    ]
    for (const error of errors) expect(error).toMatchObject({ status: 413, code: 'quota_exceeded' })
    expect(errors[0]?.message).toBe(
      'Your projects fill the 0.02 MB that an account may store here. Permanently delete what you no longer need from the trash, or ask the operator of this server for more.',
    )
    expect(await used(owner)).toBe(before)
    expect(await t.call('listProjects', {}, { as: owner })).toMatchObject([{ milestoneCount: 1 }])
  })

  it('deletes unnamed versions to make room for the text', async () => {
    const { owner, milestoneId } = await writer()
    const { _id: entryId } = await t.entry(owner, milestoneId, entryOf(6_000))
    const params = { milestoneId, entryId }
    const save = (length: number) => t.call('updateEntry', { params, body: entryOf(length) }, { as: owner })
    const versions = async () =>
      (await t.call('listRevisions', { params, query: {} }, { as: owner })).revisions.map(
        ({ version }) => version,
      )
    const [first] = (await t.call('listRevisions', { params }, { as: owner })).revisions
    const named = { params: { ...params, revisionId: first?._id ?? '' }, body: { name: 'The first' } }
    await t.call('nameRevision', named, { as: owner })
    await save(6_001)
    expect(await versions()).toEqual([2, 1])
    for (const length of [6_002, 6_003, 6_004]) await save(length)
    expect(await versions()).toEqual([5, 1])
    expect(await used(owner)).toBeLessThanOrEqual(QUOTA)
    const tooLong = { params, body: entryOf(14_000) }
    expect(await t.refused('updateEntry', tooLong, { as: owner })).toMatchObject({ code: 'quota_exceeded' })
    await save(6_004)
    await save(3_000)
  })

  it('can still shorten texts, and has space again once something is deleted', async () => {
    const { owner, projectId, milestoneId } = await writer()
    const { _id: entryId } = await t.entry(owner, milestoneId, entryOf(19_000))
    const params = { milestoneId, entryId }
    expect(await t.refused('updateEntry', { params, body: entryOf(20_000) }, { as: owner })).toMatchObject({
      code: 'quota_exceeded',
    })
    await t.call('updateEntry', { params, body: entryOf(18_000) }, { as: owner })
    // As if the operator had lowered the quota since.
    const smaller = await t.replica({ quotas: quotas(100) })
    const url = `/api/milestones/${milestoneId}/entries/${entryId}`
    const send = async (length: number) =>
      (await smaller.inject({ method: 'PUT', url, headers: owner.headers, payload: entryOf(length) }))
        .statusCode
    expect([await send(17_000), await send(17_000), await send(17_001)]).toEqual([200, 200, 413])
    await smaller.close()
    await purged(t, owner, params)
    await t.entry(owner, milestoneId, entryOf(19_000))
    await purged(t, owner, { projectId })
    expect(await used(owner)).toBe(0)
  })

  it('also limits collaborators in its projects, who are told whom to ask and can still write in their own projects', async () => {
    const { owner, projectId, milestoneId } = await writer()
    const editor = await t.member(projectId, 'editor')
    await t.entry(editor, milestoneId, entryOf(19_000))
    expect(await used(editor)).toBe(0)
    const sent = { params: { milestoneId }, body: entryOf(2_000) }
    expect(await t.refused('createEntry', sent, { as: editor })).toMatchObject({
      code: 'quota_exceeded',
      message:
        'The projects of this project’s owner fill the 0.02 MB that an account may store here. Ask the owner to make room.',
    })
    await t.project(editor)
    expect(await used(owner)).toBeGreaterThan(19_000)
  })

  it('does not let writers in its other projects wait until a change commits', async () => {
    const { owner, milestoneId } = await writer()
    const { _id: other } = await t.project(owner)
    const before = await used(owner)
    const client = await t.pool.connect()
    try {
      await client.query('begin')
      await client.query('update projects set text_bytes = text_bytes + 100 where id = $1', [other])
      await t.entry(owner, milestoneId, entryOf(1_000))
      await client.query('commit')
    } finally {
      client.release()
    }
    expect(await used(owner)).toBeGreaterThan(before + 1_100)
  })

  it('never exceeds its quota, even with concurrent writers in its projects', {
    tags: ['long'],
  }, async () => {
    const owner = await t.person()
    const milestones = await Promise.all(
      Array.from({ length: 5 }, async () => (await t.milestone(owner, (await t.project(owner))._id))._id),
    )
    const write = (milestoneId: string) =>
      t.app.inject({
        method: 'POST',
        url: `/api/milestones/${milestoneId}/entries`,
        headers: owner.headers,
        payload: entryOf(3_000),
      })
    const answers = await Promise.all([...milestones, ...milestones, ...milestones].map(write))
    const statuses = answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)
    expect(statuses).toEqual([...Array(6).fill(201), ...Array(9).fill(413)])
    expect(await used(owner)).toBeLessThanOrEqual(QUOTA)
  })
})

describe('an image', () => {
  const fields = { title: 'First boards', content: 'They smell of summer.', tags: '[]' }
  const upload = (milestoneId: string, as: Person, bytes: Uint8Array) =>
    sendForm(t.app, { url: `/api/milestones/${milestoneId}/entries`, as, fields, image: { bytes } })

  it('counts once with all its variants, until it is removed', async () => {
    const { owner, milestoneId } = await writer()
    const before = await used(owner)
    const png = await picture(120, 80).png().toBuffer()
    const { _id: entryId } = (await upload(milestoneId, owner, png)).json<{ _id: string }>()
    const sizes = (await t.kept()).map(async (name) => {
      const file = await t.deps.files.read(`uploads/${name.slice(34, 36)}/${name}`)
      file?.bytes.destroy()
      return file?.size ?? 0
    })
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size)
    expect(await used(owner)).toBe(before + 12 + 21 + bytes)
    await purged(t, owner, { milestoneId, entryId })
    await t.pool.query(
      `update files set unused_since = now() - interval '2 days' where unused_since is not null`,
    )
    await sweepFiles(t.deps)
    expect(await used(owner)).toBe(before)
  })

  it('that would exceed the quota is refused and not stored', async () => {
    const { owner, milestoneId } = await writer()
    await t.entry(owner, milestoneId, entryOf(QUOTA - 200))
    const before = await t.kept()
    const error = await upload(milestoneId, owner, await picture(900, 600).png().toBuffer())
    expect([error.statusCode, error.json().code]).toEqual([413, 'quota_exceeded'])
    expect(await t.kept()).toEqual(before)
  })

  it('is not decoded if the account is already full', async () => {
    const { owner, milestoneId } = await writer()
    await t.entry(owner, milestoneId, entryOf(QUOTA - (await used(owner)) - 'Day 1'.length))
    expect(await used(owner)).toBe(QUOTA)
    const error = await upload(milestoneId, owner, bomb(90, 90, 2))
    expect([error.statusCode, error.json().code]).toEqual([413, 'quota_exceeded'])
  })
})

describe('an instance', () => {
  it('that is full refuses everybody, counts the storage of other servers within seconds, and reports the total', async () => {
    let ahead = 0
    const later = () => new Date(Date.now() + ahead)
    const own = await testApp({
      quotas: createQuotas({ ...defaultQuotas, accountQuota: 1e9, instanceQuota: QUOTA, clock: later }),
    })
    const { owner, milestoneId } = await writer(own)
    await own.entry(owner, milestoneId, entryOf(8_000))
    const other = await own.replica({ quotas: quotas(1e9) })
    const elsewhere = await other.inject({
      method: 'POST',
      url: `/api/milestones/${milestoneId}/entries`,
      headers: owner.headers,
      payload: entryOf(8_000),
    })
    expect(elsewhere.statusCode).toBe(201)
    ahead = 11_000
    const somebody = await own.person()
    const body = { title: 'A canoe', description: 'x'.repeat(4_000) }
    expect(await own.refused('createProject', { body }, { as: somebody })).toMatchObject({
      status: 413,
      code: 'quota_exceeded',
      message: 'This server has no room left for more. Please tell its operator.',
    })
    await own.project(somebody)

    ahead = 22_000
    const metrics = createMetrics(own.pool)
    measureStorage(metrics, own.deps)
    const { body: shown } = await metrics.text()
    const total = (await used(owner, own)) + (await used(somebody, own))
    expect(shown).toContain(`milepost_stored_text_bytes ${total}\n`)
    expect(shown).toContain('milepost_stored_file_bytes 0\n')
    await Promise.all([other.close(), own.close()])
  })
})
