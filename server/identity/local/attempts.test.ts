import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestServer, testServer } from '#server/testing/local-server.ts'
import { account, visitor } from './testing.ts'

const MINUTE_MS = 60_000

/** Hundreds of calls and dozens of hashes take a long time on a busy machine. */

let server: TestServer
let fields: ReturnType<typeof account>

beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

beforeEach(async () => {
  server.time.now = new Date()
  fields = account()
  await visitor(server.app, { ip: '192.0.2.250' }).signUp(fields)
})

function from(address: string, headers: Record<string, string> = {}) {
  const person = visitor(server.app, { ip: address, headers })
  return {
    guess: async () => (await person.signIn({ ...fields, password: 'a wrong guess' })).statusCode,
    enter: async () => (await person.signIn(fields)).statusCode,
    person,
  }
}

const later = (minutes: number) => {
  server.time.now = new Date(server.time.now.getTime() + minutes * MINUTE_MS)
}

test('of a thousand guesses with changing forwarded addresses five are accepted, while the owner can sign in elsewhere', {
  tags: ['long'],
}, async () => {
  const statuses: number[] = []
  for (let n = 0; n < 1_000; n += 1) {
    const forwarded = `198.51.${Math.floor(n / 250)}.${n % 250}`
    const spoofed = { 'x-forwarded-for': forwarded, 'x-real-ip': forwarded, 'x-milepost-address': forwarded }
    statuses.push(await from('203.0.113.66', spoofed).guess())
  }
  expect(statuses.filter((status) => status === 401)).toHaveLength(5)
  expect(statuses.filter((status) => status === 429)).toHaveLength(995)
  expect(await from('203.0.113.66').enter()).toBe(429)
  expect(await from('192.0.2.1').enter()).toBe(204)
})

test('concurrent guesses are counted before any is compared', async () => {
  const statuses = await Promise.all(Array.from({ length: 40 }, () => from('203.0.113.67').guess()))
  expect(statuses.filter((status) => status === 401)).toHaveLength(5)
})

test('a lock-out states its duration, and then ends', async () => {
  const { guess, enter, person } = from('203.0.113.68')
  for (let n = 0; n < 5; n += 1) await guess()
  later(5)
  const locked = await person.signIn(fields)
  expect([locked.statusCode, locked.json()]).toEqual([
    429,
    { code: 'too_many_requests', message: 'Too many failed attempts. Please try again later.' },
  ])
  expect(Number(locked.headers['retry-after'])).toBeGreaterThan(9 * 60)
  expect(Number(locked.headers['retry-after'])).toBeLessThanOrEqual(10 * 60)
  later(10)
  expect(await enter()).toBe(204)
})

test('attempts during a lock-out do not extend it', async () => {
  const { guess, enter } = from('203.0.113.69')
  for (let n = 0; n < 30; n += 1) {
    await guess()
    later(0.4)
  }
  later(3.5)
  expect(await enter()).toBe(204)
})

test('a correct password clears earlier failures', async () => {
  const { guess, enter } = from('203.0.113.70')
  for (let round = 0; round < 3; round += 1) {
    for (let n = 0; n < 4; n += 1) expect(await guess()).toBe(401)
    expect(await enter()).toBe(204)
  }
})

test('addresses in one IPv6 network are counted together', async () => {
  for (let n = 0; n < 5; n += 1) expect(await from(`2001:db8:1:2::${n}`).guess()).toBe(401)
  expect(await from('2001:db8:1:2:ffff::1').guess()).toBe(429)
  expect(await from('2001:db8:1:3::1').guess()).toBe(401)
})

test('guessing from many networks locks the account for a while, except for the networks of its owner', {
  tags: ['long'],
}, async () => {
  expect(await from('192.0.2.10').enter()).toBe(204)
  const statuses: number[] = []
  for (let n = 0; n < 80; n += 1) statuses.push(await from(`198.51.100.${n}`).guess())
  expect(statuses.filter((status) => status === 401)).toHaveLength(60)
  expect(await from('192.0.2.11').enter()).toBe(429)
  expect(await from('192.0.2.10').enter()).toBe(204)
  later(16)
  expect(await from('192.0.2.11').enter()).toBe(204)
})

test('an account that does not exist is locked out like an existing one', async () => {
  fields = account()
  const { guess } = from('203.0.113.71')
  for (let n = 0; n < 5; n += 1) expect(await guess()).toBe(401)
  expect(await guess()).toBe(429)
})
