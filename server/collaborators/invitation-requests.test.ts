import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enforceLimit } from '#server/platform/limits/limits.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'

let t: TestApp
let other: FastifyInstance
beforeAll(async () => {
  t = await testApp({}, { rateLimit: true })
  other = await t.replica()
})
afterAll(async () => {
  await other.close()
  await t.close()
})

const lookUp = (app: FastifyInstance, remoteAddress: string) =>
  app.inject({ method: 'POST', url: '/api/collaborators/accept/secret', remoteAddress })

test('invitations are looked up 60 times a minute from one network, on all servers together', async () => {
  const statuses: number[] = []
  for (let n = 0; n < 64; n += 1)
    statuses.push((await lookUp(n % 2 ? t.app : other, `2001:db8::${n}`)).statusCode)
  expect(statuses).toEqual([...Array<number>(60).fill(404), 429, 429, 429, 429])

  const refused = await lookUp(other, '2001:db8::1')
  expect(refused.json().code).toBe('too_many_requests')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  const declined = await t.app.inject({
    method: 'POST',
    url: '/api/collaborators/decline/secret',
    remoteAddress: '2001:db8::1',
  })
  expect(declined.statusCode).toBe(429)
  expect((await lookUp(t.app, '2001:db8:0:1::1')).statusCode).toBe(404)
  expect((await t.app.inject({ url: '/api/identity', remoteAddress: '2001:db8::1' })).statusCode).toBe(200)

  t.later(61_000)
  expect((await lookUp(t.app, '2001:db8::1')).statusCode).toBe(404)
  const { rows } = await t.pool.query<{ key: string }>('select key from call_limits')
  expect(rows.every(({ key }) => /^[\w-]{43}$/.test(key))).toBe(true)
})

test('covers of invitations have a limit of their own, so that a list of them leaves the calls that answer them', async () => {
  const remoteAddress = '2001:db8:0:2::1'
  const statuses = []
  for (let n = 0; n < 70; n += 1)
    statuses.push((await t.app.inject({ url: `/invite/secret-${n}/cover`, remoteAddress })).statusCode)
  expect(statuses).toEqual(Array<number>(70).fill(404))
  expect((await lookUp(t.app, remoteAddress)).statusCode).toBe(404)
})

test('networks of an IPv6 site have eight times the calls of one', async () => {
  const limit = { name: 'of a site', calls: 1, seconds: 60 }
  const from = (network: number) => enforceLimit(t.deps, limit, `2001:db8:9:${network}::1`)
  for (let network = 1; network <= 8; network += 1) await from(network)
  await expect(from(9)).rejects.toMatchObject({ code: 'too_many_requests' })
  await expect(enforceLimit(t.deps, limit, '2001:db8:a:1::1')).resolves.toBeUndefined()
})
