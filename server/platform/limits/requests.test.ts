import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { REQUESTS_PER_MINUTE } from './requests.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp({}, { rateLimit: true, trustProxy: true })
})
afterAll(() => t.close())

type App = TestApp['app']

const from = (app: App, ip: string, url: string) => app.inject({ url, headers: { 'x-forwarded-for': ip } })

/** Sends as many requests from the IP address as a network may send in a minute. */
async function exhaust(app: App, ip: string, url: string) {
  for (let sent = 0; sent < REQUESTS_PER_MINUTE; sent += 1) await from(app, ip, url)
}

it('readiness has a rate limit for each network, liveness has none', { tags: ['long'] }, async () => {
  await exhaust(t.app, '192.0.2.1', '/readyz')
  const refused = await from(t.app, '192.0.2.1', '/readyz')
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_requests'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await from(t.app, '192.0.2.2', '/readyz')).statusCode).toBe(200)
  for (let sent = 0; sent <= REQUESTS_PER_MINUTE; sent += 1) await from(t.app, '192.0.2.1', '/healthz')
  expect((await from(t.app, '192.0.2.1', '/healthz')).statusCode).toBe(200)
})

it('all addresses of an IPv6 network are counted together', async () => {
  await exhaust(t.app, '[2001:db8:1:2::1]:4711', '/robots.txt')
  expect((await from(t.app, '2001:db8:1:2:ffff::9', '/robots.txt')).statusCode).toBe(429)
  expect((await from(t.app, '[2001:db8:1:2::1]:4712', '/robots.txt')).statusCode).toBe(429)
  expect((await from(t.app, '2001:db8:1:3::1', '/robots.txt')).statusCode).toBe(200)
})
