import type { LightMyRequestResponse } from 'fastify'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'

let t: TestApp
let owner: Person
let milestoneId: string
beforeAll(async () => {
  t = await testApp({}, { searchTimeoutMs: 30_000 })
  owner = await t.person()
  const { _id: projectId } = await t.project(owner)
  milestoneId = (await t.milestone(owner, projectId))._id
  await t.entry(owner, milestoneId, { title: 'Boards' })
})
afterAll(() => t.close())

const searchFor = (text: string, { headers }: Person = owner, app = t.app) =>
  app.inject({ url: `/api/milestones/${milestoneId}/entries?page=1&search=${text}`, headers })

/** Blocks all searches in the database until the returned function is called. Lists of projects read no renderings. */
async function blockSearches() {
  const client = new Client(t.config)
  await client.connect()
  await client.query('begin; lock table entry_renderings in access exclusive mode')
  return () => client.end()
}

const connectionsInUse = () => t.pool.totalCount - t.pool.idleCount

describe('slow searches', () => {
  it('leave database connections free, and are refused if too many wait', async () => {
    const { _id: projectId } = await t.project(owner)
    const others = await Promise.all([1, 2, 3].map(() => t.person()))
    const unblock = await blockSearches()
    const answers: LightMyRequestResponse[] = []
    const keep = async (asked: PromiseLike<LightMyRequestResponse>) => void answers.push(await asked)
    const mine = Array.from({ length: 20 }, (_, index) => keep(searchFor(index % 2 ? 'b' : 'boards')))
    await expect.poll(() => answers.length).toBe(14)
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(14).fill(429))
    expect(answers[0]?.json().code).toBe('too_many_requests')
    expect(Number(answers[0]?.headers['retry-after'])).toBeGreaterThan(0)
    // A third is kept for another network.
    await expect.poll(connectionsInUse).toBe(2)
    const collaborations = ({ headers }: Person) =>
      t.app.inject({ url: '/api/collaborators/my-collaborations?search=x', headers })
    // Two more than may wait; these replace some of those who have more.
    const waiting = [...others.flatMap((person) => [person, person, person]), await t.person()].map(
      (person) => keep(collaborations(person)),
    )
    await expect.poll(() => answers.length).toBe(16)
    expect(answers.at(-1)?.statusCode).toBe(503)

    expect((await t.app.inject({ url: '/api/projects', headers: owner.headers })).statusCode).toBe(200)
    expect(
      (await t.app.inject({ url: `/api/projects/${projectId}`, headers: owner.headers })).statusCode,
    ).toBe(200)
    expect(t.pool.waitingCount).toBe(0)

    await unblock()
    await Promise.all([...mine, ...waiting])
    expect(answers.slice(16).map(({ statusCode }) => statusCode)).toEqual(Array(14).fill(200))
    expect((await searchFor('b')).json().entries).toHaveLength(1)
  })

  it('are cancelled by their own time limit, with a helpful message', async () => {
    const app = await t.replica({}, { searchTimeoutMs: 1 })
    const limit = async () => (await t.pool.query('show statement_timeout')).rows
    const limitBefore = await limit()
    const unblock = await blockSearches()
    const response = await searchFor('b', owner, app)
    await unblock()
    expect([response.statusCode, response.json().message]).toEqual([
      503,
      'This search takes too long. Try a longer word.',
    ])
    expect(response.headers['retry-after']).toBeDefined()
    expect((await searchFor('b')).statusCode).toBe(200)
    // The limit applies only to the search: the connection is returned without it.
    expect(await limit()).toEqual(limitBefore)
    await app.close()
  })
})
