import * as fc from 'fast-check'
import { type CompiledQuery, Kysely, type LogEvent, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { collaborationQuery } from '#contract/collaborators.ts'
import type { Schema } from '#server/database/rows.ts'
import { clientNamed } from '#server/platform/limits/fair-queue.ts'
import { createSearch } from '#server/platform/limits/search.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { runs } from '#testing/runs.ts'
import { listMyCollaborations } from './members.ts'
import { type Calls, callsOf } from './testing.ts'

let t: TestApp
let calls: Calls
let grace: Person
beforeAll(async () => {
  t = await testApp()
  calls = callsOf(t)
})
afterAll(() => t.close())
beforeEach(async () => {
  grace = await t.person({ name: 'Grace Hopper' })
})

type InvitedProject = {
  title?: string
  description?: string
  isPublic?: boolean
  answer?: 'accept' | 'decline'
}

/** A project of somebody else to which Grace is invited. */
async function invited({ answer, ...project }: InvitedProject = {}) {
  const owner = await t.person({ name: 'Olga Owner' })
  const { _id: projectId } = await t.project(owner, project)
  const invitation = await t.invitation(owner, projectId, { email: grace.email })
  if (answer === 'accept') await calls.accept(grace, invitation.inviteToken)
  if (answer === 'decline') await calls.decline(invitation.inviteToken, grace)
  t.later(1000)
  return { owner, projectId, ...invitation }
}

const page = (query: object = {}) => t.call('listMyCollaborations', { query }, { as: grace })
const titles = async (query: object = {}) =>
  (await page(query)).collaborations.map(({ project }) => project.title)

describe('my collaborations', () => {
  it('are the accepted ones by default, the newest invitation first', async () => {
    await invited({ title: 'Boat', answer: 'accept', isPublic: true })
    const open = await invited({ title: 'House' })
    await invited({ title: 'Garden', answer: 'decline' })
    await invited({ title: 'Chair', answer: 'accept' })
    expect(await titles()).toEqual(['Chair', 'Boat'])
    expect(await titles({ status: 'pending' })).toEqual(['House'])
    expect(await titles({ status: 'declined' })).toEqual(['Garden'])
    expect(await titles({ status: 'all' })).toEqual(['Chair', 'Garden', 'House', 'Boat'])
    const { collaborations, pagination } = await page({ status: 'all' })
    expect(pagination).toMatchObject({ totalItems: 4, totalPages: 1, currentPage: 1, limit: 10 })
    expect(collaborations[2]).toMatchObject({
      inviteToken: open.inviteToken,
      status: 'pending',
      joinedAt: null,
      inviter: { name: 'Olga Owner' },
    })
    expect(collaborations[3]).toMatchObject({
      status: 'accepted',
      joinedAt: expect.any(String),
      project: { title: 'Boat', description: 'Strip by strip', isPublic: true },
    })
  })

  it('are found by title and description, case-insensitively and without patterns', async () => {
    await invited({ title: 'Straße nach Überall' })
    await invited({ title: 'x', description: 'A needle in 100% of the hay' })
    const found = (search: string) => titles({ status: 'all', search })
    expect(await found('ÜBERALL')).toEqual(['Straße nach Überall'])
    expect(await found('NEEDLE')).toEqual(['x'])
    expect(await found('100%')).toEqual(['x'])
    expect(await found('n_edle')).toEqual([])
    expect(await found('')).toHaveLength(2)
  })

  it('include only the caller’s own', async () => {
    await invited()
    await invited({ answer: 'accept' })
    await invited({ answer: 'decline' })
    expect(await calls.mine(await t.person())).toEqual([])
  })

  it('do not include the caller’s own projects', async () => {
    const mine = await t.project(grace)
    await t.invitation(grace, mine._id, { email: 'later-mine@example.test' })
    const renamed = await calls.signedInAgain(grace, { email: 'later-mine@example.test' })
    expect(await calls.mine(renamed)).toEqual([])
    expect(await calls.notices(renamed)).toEqual([])
  })

  it('belong to the person who answered, even if somebody else gets the email', async () => {
    await invited({ title: 'Boat', answer: 'accept' })
    await invited({ title: 'House', answer: 'decline' })
    await invited({ title: 'Shed' })
    const { email } = grace
    const renamed = await calls.signedInAgain(grace, { email: `renamed-${email}` })
    const latecomer = await t.person({ email, emailVerified: true })
    const titlesOf = async (as: Person) => (await calls.mine(as)).map(({ project }) => project.title)
    // The invitation that Grace was shown stays hers; it is also one to whoever has the address.
    expect(await titlesOf(renamed)).toEqual(['Shed', 'House', 'Boat'])
    expect(await titlesOf(latecomer)).toEqual(['Shed'])
  })

  it('are paginated without duplicates, and a page beyond the last returns the last one', async () => {
    await invited()
    await manyMore(23)
    const pages = await Promise.all(
      [1, 2, 3, 4, 999_999].map((number) => page({ status: 'all', page: number })),
    )
    expect(pages.map(({ collaborations }) => collaborations.length)).toEqual([10, 10, 4, 4, 4])
    expect(pages.map(({ pagination }) => pagination.currentPage)).toEqual([1, 2, 3, 3, 3])
    expect(pages[1]?.pagination).toMatchObject({ totalItems: 24, hasPrev: true, hasNext: true })
    const seen = pages.slice(0, 3).flatMap(({ collaborations }) => collaborations.map(({ _id }) => _id))
    expect(new Set(seen).size).toBe(24)
    expect((await page({ status: 'declined', page: 9 })).pagination).toMatchObject({
      totalPages: 0,
      currentPage: 1,
    })
  })

  it('are refused for an invalid query', async () => {
    const messageOf = async (query: object) =>
      (await t.refused('listMyCollaborations', { query }, { as: grace })).message
    expect(await messageOf({ limit: 101 })).toBe('Limit must be at most 100')
    expect(await messageOf({ status: 'lost' })).toBe('Status must be all, accepted, pending or declined')
  })

  it('equal the result of a filter in plain code, for every query', async () => {
    for (const answer of ['accept', 'decline', undefined, 'accept', undefined] as const)
      await invited({ title: answer === 'accept' ? 'Red boat' : 'Blue boat', answer })
    const all = (await page({ status: 'all', limit: 100 })).collaborations
    const query = fc.record({
      status: fc.constantFrom('all', 'accepted', 'pending', 'declined'),
      search: fc.constantFrom('', 'RED', 'boat', 'green'),
      page: fc.integer({ min: 1, max: 4 }),
      limit: fc.integer({ min: 1, max: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(query, async (asked) => {
        const those = all.filter(
          ({ status, project }) =>
            (asked.status === 'all' || status === asked.status) &&
            project.title.toLowerCase().includes(asked.search.toLowerCase()),
        )
        const last = Math.max(1, Math.ceil(those.length / asked.limit))
        const start = (Math.min(asked.page, last) - 1) * asked.limit
        const found = await page(asked)
        expect(found.collaborations).toEqual(those.slice(start, start + asked.limit))
        expect(found.pagination.totalItems).toBe(those.length)
      }),
      { numRuns: runs(60) },
    )
  })
})

/** Inserts many invitations of Grace directly into the database. */
async function manyMore(count: number) {
  const owner = await t.person()
  await sql`
    with made as (
      insert into projects (id, owner_id, title, description, is_public, created_at, updated_at)
      select gen_random_uuid(), ${owner.userId}, 'Project ' || n, 'One of many', false, now(), now()
      from generate_series(1, ${sql.lit(count)}) n returning id)
    insert into collaborators
      (id, project_id, email, role, status, token_hash, expires_at, user_id, created_at, updated_at)
    select gen_random_uuid(), id, ${grace.email}, 'viewer', case when accepted then 'accepted' else 'pending' end,
      id::text, now(), case when accepted then ${grace.userId}::uuid end, now() - n * interval '1 hour', now()
    from (select id, row_number() over () n, row_number() over () % 2 = 0 accepted from made) m`.execute(
    t.deps.db,
  )
  await sql`
    insert into invitation_notices (collaborator_id, user_id, token_hash)
    select id, ${grace.userId}, token_hash from collaborators where email = ${grace.email} and status = 'pending'
    on conflict do nothing`.execute(t.deps.db)
}

describe('a page of thousands of collaborations', () => {
  it.each([
    ['proven', true],
    ['unprovable', false],
  ])(
    'of a person whose email is %s reads only the rows that it shows, except for counting in an index',
    { tags: ['long'] },
    async (_, verified) => {
      await t.pool.query('update users set email_verified = $1 where id = $2', [verified, grace.userId])
      await manyMore(5_000)
      await t.pool.query('vacuum analyze')
      for (const status of ['accepted', 'pending', 'all'] as const) {
        const selects: CompiledQuery[] = []
        const log = (event: LogEvent) => void selects.push(event.query)
        const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: t.pool }), log })
        const caller = { userId: grace.userId, sessionId: '' }
        const asking = { caller, client: clientNamed('grace'), search: createSearch(db, { atOnce: 1 }) }
        await listMyCollaborations({ ...t.deps, db }, asking, collaborationQuery.parse({ status }))
        const last = selects.findLast(({ sql: text }) => text.includes('project_title'))
        const { rows } = await t.pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
          `explain (analyze, format json) ${last?.sql}`,
          [...(last?.parameters ?? [])],
        )
        const plan = rows[0]?.['QUERY PLAN'][0].Plan
        expect(plan && rowsIn(plan)).toBeLessThan(200)
      }
    },
  )
})

type Plan = { 'Node Type': string; 'Actual Rows': number; 'Actual Loops': number; Plans?: Plan[] } & {
  'Rows Removed by Filter'?: number
}

/** The number of rows that the scans of a plan read. */
function rowsIn(plan: Plan): number {
  const own = plan['Node Type'].endsWith('Scan')
    ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
    : 0
  return (plan.Plans ?? []).reduce((sum, below) => sum + rowsIn(below), own)
}
