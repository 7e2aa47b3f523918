import * as fc from 'fast-check'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { calls } from '#contract/calls.ts'
import { localProviderCalls } from '#contract/identity.ts'
import { type Call, successStatus } from '#contract/parts/call.ts'
import { errorBody, errorStatus } from '#contract/parts/errors.ts'
import { id, ids } from '#contract/parts/wire.ts'
import { passkeySignInCalls } from '#contract/passkeys.ts'
import { visitor } from '#server/identity/local/testing.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { type TestServer, testServer } from '#server/testing/local-server.ts'
import { type Fixtures, requestsOf, type Sent } from './requests.ts'

/** `npm run test:all` sends more requests, and `npm run fuzz` many more, with a different seed each time. */
const TRIES = Number(process.env.FUZZ_TRIES ?? (process.env.MILEPOST_TESTS === 'all' ? 1_500 : 200))
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_101)
const TIMEOUT_MS = Math.max(900_000, TRIES * 100)
/**
 * The number of requests after which the fixtures are created again, because earlier requests have changed and deleted
 * them.
 */
const RENEWED_AFTER = 20

/** Routes that are not in the contract. */
const others: Record<string, Call> = {
  image: {
    method: 'GET',
    path: '/api/media/:imageId/:variant',
    who: 'anyone',
    summary: '',
    params: z.object({ imageId: id, variant: z.string() }),
    query: z.object({ reader: z.string(), until: z.number(), proof: z.string() }),
    responses: {},
  },
  description: { method: 'GET', path: '/api/openapi.json', who: 'anyone', summary: '', responses: {} },
  picture: {
    method: 'GET',
    path: '/api/../world/:projectId/share.png',
    who: 'anyone',
    summary: '',
    params: ids('projectId'),
    responses: {},
  },
  nothing: { method: 'PUT', path: '/api/:nothing/:projectId', who: 'anyone', summary: '', responses: {} },
}

const identityRoutes: Record<string, Call> = {
  exchangeToken: calls.exchangeToken,
  ...localProviderCalls,
  ...passkeySignInCalls,
}

let t: TestApp
let server: TestServer
beforeAll(async () => {
  t = await testApp()
  server = await testServer()
})
afterAll(async () => {
  await server.close()
  await t.close()
})

/** Creates a person with one resource of each kind. */
async function createFixtures(): Promise<Fixtures> {
  const owner = await t.person()
  await t.pool.query('update users set is_admin = true where id = $1', [owner.userId])
  const other = await t.person()
  const { _id: projectId } = await t.project(owner, { isPublic: true })
  const { _id: milestoneId } = await t.milestone(owner, projectId)
  const entry = await t.entry(owner, milestoneId, { tags: ['wood'] })
  const revisionId = await t.revisionOf(owner, entry)
  const { _id: collaboratorId, inviteToken } = await t.invitation(owner, projectId, {
    email: owner.email.replace('@', '+@'),
  })
  const token = (person: typeof owner) => (person.headers.authorization ?? '').slice('Bearer '.length)
  return {
    token: token(owner),
    otherToken: token(other),
    ids: {
      projectId,
      milestoneId,
      entryId: entry._id,
      revisionId,
      collaboratorId,
      inviteToken,
      variant: 'small',
    },
  }
}

type Tally = Record<string, number>

/** Sends a request. Its response must match the contract, and not be a 500. */
async function send(app: FastifyInstance, method: string, sent: Sent, call: Call, tally: Tally) {
  const answer = await app.inject({ method, ...sent } as InjectOptions)
  const status = answer.statusCode
  tally[status] = (tally[status] ?? 0) + 1
  try {
    expect(status).toBeLessThan(500)
    // The request was for a page, because the path has dot segments that lead out of the API.
    if (!answer.raw.req.url?.startsWith('/api/')) return
    if (status >= 400) expect(errorStatus[errorBody.strict().parse(answer.json()).code]).toBe(status)
    // With dot segments, the path may be that of another call.
    else if (status === successStatus(call) && !/\/(?:\.|%2e){1,2}(?![^/?#])/i.test(sent.url))
      call.responses[status]?.parse(answer.json())
  } catch (cause) {
    const said = JSON.stringify(sent).slice(0, 2_000)
    throw new Error(`${method} ${said} was answered ${status} ${answer.body.slice(0, 500)}`, { cause })
  }
}

async function tryAll(
  table: Record<string, Call>,
  tries: number,
  app: FastifyInstance,
  renew: () => Promise<Fixtures>,
) {
  const tally: Tally = {}
  let fixtures = await renew()
  let count = 0
  const requests = fc.oneof(...Object.entries(table).map(([name, call]) => requestsOf(name, call)))
  const property = fc.asyncProperty(requests, async ({ name, method, build }) => {
    count += 1
    if (count % RENEWED_AFTER === 0) fixtures = await renew()
    await send(app, method, build(fixtures), table[name] as Call, tally)
  })
  await fc.assert(property, { numRuns: tries, seed: SEED, endOnFailure: true, verbose: 1 })
  const statuses = Object.entries(tally).map(([status, times]) => `${status}: ${times}`)
  process.stdout.write(
    `fuzz: ${tries} tries over ${Object.keys(table).length} calls, seed ${SEED} → ${statuses.join(', ')}\n`,
  )
  return count
}

test('no call of the contract returns a 500 for any input', { timeout: TIMEOUT_MS }, async () => {
  const { exchangeToken: _, ...rest } = calls
  expect(await tryAll({ ...rest, ...others }, TRIES, t.app, createFixtures)).toBe(TRIES)
})

test('no call of the identity provider returns a 500 for any input', {
  timeout: TIMEOUT_MS,
}, async () => {
  const ada = visitor(server.app)
  await ada.signUp()
  const { token } = await ada.enter()
  const fixtures = { token, otherToken: token, ids: {} }
  const tries = Math.ceil(TRIES / 5)
  expect(await tryAll(identityRoutes, tries, server.app, async () => fixtures)).toBe(tries)
})
