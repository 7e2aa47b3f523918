import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, testServer } from '#server/testing/local-server.ts'
import { account, visitor } from './testing.ts'

/** Hundreds of calls and dozens of hashes take a long time on a busy machine. */

let server: TestServer

beforeAll(async () => {
  server = await testServer({ rateLimit: true })
})
afterAll(() => server.close())

test('sign-ins are limited by the client’s actual address, whatever address it claims', async () => {
  const answers: { statusCode: number; headers: object; body: string }[] = []
  for (let n = 0; n < 65; n += 1) {
    const headers = { 'x-forwarded-for': `198.51.100.${n}`, 'x-milepost-address': `198.51.100.${n}` }
    answers.push(await visitor(server.app, { ip: '203.0.113.80', headers }).signIn(account()))
  }
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([
    ...Array<number>(60).fill(401),
    ...Array<number>(5).fill(429),
  ])
  const refused = answers.at(-1)
  expect(JSON.parse(refused?.body ?? '')).toEqual({
    code: 'too_many_requests',
    message: 'Too many requests. Please wait a moment and try again.',
  })
  expect(refused?.headers).toMatchObject({ 'retry-after': expect.stringMatching(/^\d+$/) })
  const neighbour = await visitor(server.app, { ip: '203.0.113.81' }).signIn(account())
  expect(neighbour.statusCode).toBe(401)
})

test('sign-ups are limited, and other calls are not affected', async () => {
  const person = visitor(server.app, { ip: '203.0.113.82' })
  const statuses: number[] = []
  for (let n = 0; n < 42; n += 1) statuses.push((await person.signUp()).statusCode)
  expect(statuses).toEqual([...Array<number>(40).fill(204), 429, 429])
  expect((await person.send('GET', '/api/auth/token')).statusCode).toBe(200)
})

test('the limits and the lock-out apply to all servers on one database together', {
  tags: ['long'],
}, async () => {
  const { secrets, db, clock } = server.settings
  const other = await testServer({ rateLimit: true, secrets, db, clock })
  const statuses: number[] = []
  for (let n = 0; n < 64; n += 1) {
    const { app } = n % 2 ? server : other
    statuses.push((await visitor(app, { ip: '203.0.113.90' }).signIn(account())).statusCode)
  }
  expect(statuses).toEqual([...Array<number>(60).fill(401), 429, 429, 429, 429])

  const owner = account()
  await visitor(server.app, { ip: '203.0.113.91' }).signUp(owner)
  const guesses: number[] = []
  for (let n = 0; n < 7; n += 1) {
    const { app } = n % 2 ? server : other
    const guess = { ...owner, password: `wrong guess ${n}` }
    guesses.push((await visitor(app, { ip: '203.0.113.92' }).signIn(guess)).statusCode)
  }
  expect(guesses).toEqual([401, 401, 401, 401, 401, 429, 429])
  await other.close()
})
