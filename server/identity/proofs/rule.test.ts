import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessTokenCalls } from '#contract/access-tokens.ts'
import { accountCalls } from '#contract/account.ts'
import { type CallName, calls } from '#contract/calls.ts'
import { collaboratorCalls } from '#contract/collaborators.ts'
import type { Call } from '#contract/parts/call.ts'
import { passkeyCalls } from '#contract/passkeys.ts'
import { peopleCalls } from '#contract/people.ts'
import { PROOF_MINUTES } from '#contract/sign-in.ts'
import { twoFactorCalls } from '#contract/two-factor.ts'
import { webhookCalls } from '#contract/webhooks.ts'
import { registered } from '#server/identity/local/testing.ts'
import { testDevice } from '#server/identity/passkeys/testing.ts'
import { codeOf } from '#server/identity/two-factor/testing.ts'
import { buildersFor } from '#server/testing/builders.ts'
import { createClient } from '#server/testing/client.ts'
import { type TestServer, testServer } from '#server/testing/local-server.ts'
import { ageProofs, apiOf } from './testing.ts'

let server: TestServer
let client: ReturnType<typeof createClient>
let make: ReturnType<typeof buildersFor>
beforeAll(async () => {
  server = await testServer()
  client = createClient(server.app)
  make = buildersFor(server.deps, client)
})
afterAll(() => server.close())

async function signedIn() {
  const { person, fields } = await registered(server)
  const { token, user } = await person.enter()
  const headers = { authorization: `Bearer ${token}` }
  const app: { secret?: string } = {}
  return { ...fields, userId: user._id, token, headers, api: apiOf(server, token), app }
}
type Ada = Awaited<ReturnType<typeof signedIn>>

/** What a call sends; it succeeds with a fresh proof. */
type Request = { params?: object; body?: object }

async function ofWebhook(ada: Ada) {
  const { _id: projectId } = await make.project(ada)
  const url = `https://example.org/${randomUUID()}`
  const params = { projectId }
  const { webhook } = await client.call('createWebhook', { params, body: { url } }, { as: ada })
  return { params: { projectId, webhookId: webhook._id } }
}

/** Begins two-step sign-in, and returns the code that turns it on. */
async function codeFor(person: Ada): Promise<string> {
  const { secret } = await client.call('beginTwoFactor', {}, { as: person })
  person.app.secret = secret
  return codeOf(secret, server.time.now)
}

/** Makes Ada an administrator, who does something to somebody. */
async function byAdministrator({ userId }: Ada, somebody?: Ada) {
  await server.deps.db.updateTable('users').set({ is_admin: true }).where('id', '=', userId).execute()
  return { params: { personId: (somebody ?? (await signedIn())).userId } }
}

/** Every call that needs a proof. */
const sensitive: { [name in CallName]?: (ada: Ada) => Promise<Request> } = {
  createAccessToken: async () => ({ body: { name: 'Nightly', scopes: ['read'], days: 30 } }),
  createWebhook: async (ada) => ({
    params: { projectId: (await make.project(ada))._id },
    body: { url: 'https://example.org/hook' },
  }),
  rotateWebhookSecret: ofWebhook,
  async transferProject(ada) {
    const { _id: projectId } = await make.project(ada)
    const bo = await signedIn()
    const { _id: collaborator, inviteToken } = await make.invitation(ada, projectId, { email: bo.email })
    await client.call('acceptInvitation', { params: { inviteToken } }, { as: bo })
    return { params: { projectId }, body: { collaborator } }
  },
  async endSession(ada) {
    const [session] = await client.call('listSessions', {}, { as: ada })
    return { params: { sessionId: session?._id } }
  },
  endOtherSessions: async () => ({}),
  beginPasskey: async () => ({}),
  async addPasskey(ada) {
    const { passkeyId, options } = await client.call('beginPasskey', {}, { as: ada })
    const credential = testDevice().create(options)
    return { params: { passkeyId }, body: { name: 'Laptop', credential } }
  },
  async removePasskey(ada) {
    const { passkeyId, options } = await client.call('beginPasskey', {}, { as: ada })
    const credential = testDevice().create(options)
    await client.call(
      'addPasskey',
      { params: { passkeyId }, body: { name: 'Laptop', credential } },
      { as: ada },
    )
    return { params: { passkeyId } }
  },
  beginTwoFactor: async () => ({}),
  turnOnTwoFactor: async (ada) => ({ body: { code: await codeFor(ada) } }),
  async turnOffTwoFactor(ada) {
    await client.call('turnOnTwoFactor', { body: { code: await codeFor(ada) } }, { as: ada })
    return {}
  },
  async makeRecoveryCodes(ada) {
    await client.call('turnOnTwoFactor', { body: { code: await codeFor(ada) } }, { as: ada })
    return {}
  },
  deleteAccount: async ({ email }) => ({ body: { email } }),
  updatePerson: async (ada) => ({ ...(await byAdministrator(ada)), body: { isAdmin: true } }),
  async refusePerson(ada) {
    const request = await byAdministrator(ada)
    const awaiting = { awaiting_since: server.time.now }
    await server.deps.db
      .updateTable('users')
      .set(awaiting)
      .where('id', '=', request.params.personId)
      .execute()
    return request
  },
  makeResetLink: byAdministrator,
  async turnOffPersonTwoFactor(ada) {
    const bo = await signedIn()
    await client.call('turnOnTwoFactor', { body: { code: await codeFor(bo) } }, { as: bo })
    return byAdministrator(ada, bo)
  },
  changePersonEmail: async (ada) => ({
    ...(await byAdministrator(ada)),
    body: { email: `${randomUUID()}@example.test` },
  }),
}

/** Why the other calls that change something in these rooms need none. */
const harmless: { [name in CallName]?: string } = {
  updateAccount: 'a name',
  updateNotificationPreferences: 'preferences',
  updateDatePreferences: 'preferences',
  updatePicture: 'a picture',
  removePicture: 'a picture',
  changePassword: 'needs the current password itself',
  changeEmail: 'needs the password itself',
  cancelEmailChange: 'takes nothing from anybody',
  confirmEmailChange: 'needs the link of an email',
  refuseEmailChange: 'needs the link of an email',
  renamePasskey: 'a name',
  revokeAccessToken: 'ends access, which must be quick',
  switchWebhook: 'the URL was allowed before',
  testWebhook: 'the URL was allowed before',
  deleteWebhook: 'ends access, which must be quick',
  inviteCollaborator: 'what it gives can be taken again',
  updateCollaborator: 'what it gives can be taken again',
  removeCollaborator: 'ends access, which must be quick',
  leaveProject: 'ends access, which must be quick',
  acceptInvitation: 'takes nothing from anybody',
  declineInvitation: 'takes nothing from anybody',
  inviteToServer: 'what it gives can be taken again',
  withdrawServerInvitation: 'ends access, which must be quick',
}

const rooms: { [name: string]: Call } = {
  ...accessTokenCalls,
  ...accountCalls,
  ...passkeyCalls,
  ...twoFactorCalls,
  ...webhookCalls,
  ...collaboratorCalls,
  ...peopleCalls,
}

/** Proves by the password and, if two-step sign-in is on, the next code of the app. */
async function proveAgain({ api, password, app: { secret } }: Ada) {
  const code = secret === undefined ? undefined : codeOf(secret, server.time.now, 30)
  const { statusCode } = await api('POST', '/account/proof/password', { currentPassword: password, code })
  expect(statusCode).toBe(204)
}

describe('a call', () => {
  test('that changes something in a sensitive room says whether it needs a proof', () => {
    const undecided = Object.keys(rooms).filter(
      (name) => rooms[name]?.method !== 'GET' && !(name in sensitive) && !(name in harmless),
    )
    expect(undecided).toEqual([])
  })

  test('needs a proof exactly if it is listed here', () => {
    const needing = Object.entries<Call>(calls).filter(([, { needsProof }]) => needsProof)
    expect(needing.map(([name]) => name).sort()).toEqual(Object.keys(sensitive).sort())
  })

  test('that needs a proof cannot be made by a program, a model or the command line', () => {
    for (const name of Object.keys(sensitive) as CallName[]) {
      const { scope, who, mcp, cli }: Call = calls[name]
      expect([name, who === 'administrator' || scope === 'none', mcp, cli]).toEqual([
        name,
        true,
        undefined,
        undefined,
      ])
    }
  })

  test.each(Object.keys(sensitive) as CallName[])(
    '%s is refused with an old proof, and made with a fresh one',
    async (name) => {
      const ada = await signedIn()
      const input = (await sensitive[name]?.(ada)) ?? {}
      await ageProofs(server)
      expect(await client.refused(name, input, { as: ada })).toMatchObject({
        status: 403,
        code: 'proof_required',
      })
      await proveAgain(ada)
      await client.call(name, input, { as: ada })
    },
  )
})

describe('a proof', () => {
  const body = { name: 'Nightly', scopes: ['read'], days: 30 }

  test('is the sign-in, for ten minutes', async () => {
    const ada = await signedIn()
    const began = server.time.now
    server.time.now = new Date(began.getTime() + PROOF_MINUTES * 60_000)
    expect((await ada.api('POST', '/account/tokens', body)).statusCode).toBe(201)
    server.time.now = new Date(server.time.now.getTime() + 1)
    expect((await ada.api('POST', '/account/tokens', body)).statusCode).toBe(403)
    server.time.now = began
  })

  test('counts for its session only, on every server', async () => {
    const { person, fields } = await registered(server)
    const other = apiOf(server, (await person.enter()).token)
    await person.signIn(fields)
    const { token } = await person.enter()
    await ageProofs(server)
    const proof = { currentPassword: fields.password }
    expect((await apiOf(server, token)('POST', '/account/proof/password', proof)).statusCode).toBe(204)
    const replica = await testServer({ db: server.settings.db })
    expect((await apiOf(replica, token)('POST', '/account/tokens', body)).statusCode).toBe(201)
    // The next application token of the same session has it, too.
    const { token: renewed } = await person.enter()
    expect((await apiOf(server, renewed)('POST', '/account/tokens', body)).statusCode).toBe(201)
    expect((await other('POST', '/account/tokens', body)).statusCode).toBe(403)
    await replica.close()
  })

  test('is asked for after the rights: others get the same response as ever', async () => {
    const ada = await signedIn()
    const { _id: projectId } = await make.project(ada)
    const eve = await signedIn()
    await ageProofs(server)
    const params = { projectId }
    const transfer = { params, body: { collaborator: randomUUID() } }
    expect(await client.refused('transferProject', transfer, { as: eve })).toMatchObject({ status: 404 })
    expect(await client.refused('transferProject', transfer)).toMatchObject({ status: 401 })
  })
})
