import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { NotificationPage } from '#contract/notifications.ts'
import { createTakeoverHook } from '#server/collaborators/identity-hooks.ts'
import { account, visitor } from '#server/identity/local/testing.ts'
import { type TestServer, testServer } from '#server/testing/local-server.ts'
import { messageOf, person, signInWithIssuer, type TestIssuer, testIssuer } from './testing.ts'

let issuer: TestIssuer
let server: TestServer

beforeAll(async () => {
  issuer = await testIssuer()
  const onTakeover = createTakeoverHook({
    events: { publish: () => undefined, subscribe: () => () => undefined },
    clock: () => new Date(),
  })
  server = await testServer({ issuer: issuer.settings, onTakeover })
})
afterAll(async () => {
  await server.close()
  await issuer.close()
})

/** Calls of projects and collaborators with an application token. */
function caller({ app }: TestServer) {
  async function send(token: string | null, url: string, method: 'GET' | 'POST' = 'GET', payload?: object) {
    const headers = token === null ? {} : { authorization: `Bearer ${token}` }
    return app.inject({ method, url, headers, ...(payload && { payload }) })
  }
  return {
    status: async (...sent: Parameters<typeof send>) => (await send(...sent)).statusCode,
    project: async (token: string, title: string) => {
      const made = await send(token, '/api/projects', 'POST', { title, description: 'Strip by strip' })
      return made.json<{ _id: string }>()._id
    },
    invite: async (token: string, projectId: string, email: string) => {
      const made = await send(token, `/api/projects/${projectId}/collaborators`, 'POST', {
        email,
        role: 'admin',
      })
      return made.json<{ inviteToken: string }>()
    },
    accept: (token: string, inviteToken: string) =>
      send(token, `/api/collaborators/accept/${inviteToken}`, 'POST'),
    rows: async (token: string, projectId: string) =>
      (await send(token, `/api/projects/${projectId}/collaborators`)).json<object[]>(),
    notices: async (token: string) =>
      (await send(token, '/api/notifications')).json<NotificationPage>().notifications,
  }
}

async function enterAs(claims: object) {
  issuer.says(claims)
  const browser = visitor(server.app)
  return { browser, outcome: messageOf(await signInWithIssuer(browser)).outcome }
}

/** A user with a password account, with or without a verified email. */
async function registered(verified: boolean) {
  const fields = account()
  const browser = visitor(server.app)
  await browser.signUp(fields)
  await sql`update identity."user" set "emailVerified" = ${verified} where email = ${fields.email}`.execute(
    server.settings.db,
  )
  return { fields, browser, ...(await browser.enter()) }
}

describe('an account with a verified email', () => {
  test('can also sign in with Google if Google has verified the same email', async () => {
    const { fields, browser, user, token } = await registered(true)
    const google = await enterAs(person({ email: fields.email.toUpperCase() }))
    expect((await google.browser.enter()).user._id).toBe(user._id)
    expect(await browser.me(token)).toBe(200)
    expect((await visitor(server.app).signIn(fields)).statusCode).toBe(204)
  })

  test('cannot sign in with an email that Google has not verified', async () => {
    const { fields, browser, token } = await registered(true)
    for (const claim of [false, undefined, 'false', 1]) {
      const google = await enterAs(person({ email: fields.email, email_verified: claim }))
      expect([google.outcome, google.browser.jar.size]).toEqual(['unverified', 0])
    }
    expect(await browser.me(token)).toBe(200)
  })

  test('cannot be used by a second Google account with its email, because a company may reassign the email', async () => {
    const grace = person()
    const first = await enterAs(grace)
    const { token } = await first.browser.enter()
    expect((await enterAs(person({ email: grace.email }))).outcome).toBe('taken')
    expect(await first.browser.me(token)).toBe(200)
  })
})

test('an account that is taken over through Google loses its earlier access tokens', async () => {
  const attacker = await registered(false)
  const made = await server.app.inject({
    method: 'POST',
    url: '/api/account/tokens',
    headers: { authorization: `Bearer ${attacker.token}` },
    payload: { name: 'x', scopes: ['read'], days: null },
  })
  const api = caller(server)
  const { token } = made.json<{ token: string }>()
  expect(await api.status(token, '/api/projects')).toBe(200)
  await enterAs(person({ email: attacker.fields.email }))
  expect(await api.status(token, '/api/projects')).toBe(401)
})

test('locks the user of the application before the one of the provider, like other transactions', async () => {
  const attacker = await registered(false)
  const { db } = server.settings
  const { takingOver } = await db.transaction().execute(async (trx) => {
    await sql`select from users where id = ${attacker.user._id} for update`.execute(trx)
    const takingOver = enterAs(person({ email: attacker.fields.email }))
    await vi.waitFor(
      async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          db,
        )
        expect(rows).toHaveLength(1)
      },
      { timeout: 60_000 },
    )
    await sql`
      select from identity."user" where email = ${attacker.fields.email} for update nowait`.execute(trx)
    return { takingOver }
  })
  expect((await takingOver).outcome).toBe('signed-in')
})

describe('the projects of an account that is taken over through Google', () => {
  test('lose everybody who was added to them, and the owner is notified with their names', async () => {
    const attacker = await registered(false)
    const [accomplice, untouched] = [await registered(false), await registered(false)]
    const api = caller(server)
    const canoe = await api.project(attacker.token, 'Canoe')
    const joined = await api.invite(attacker.token, canoe, accomplice.user.email)
    await api.accept(accomplice.token, joined.inviteToken)
    const open = await api.invite(attacker.token, canoe, 'third@example.test')
    const theirs = await api.project(untouched.token, 'Kayak')
    const given = await api.invite(untouched.token, theirs, attacker.user.email)
    await api.accept(attacker.token, given.inviteToken)
    const kept = await api.invite(untouched.token, theirs, accomplice.user.email)
    await api.accept(accomplice.token, kept.inviteToken)

    const victim = await enterAs(person({ email: attacker.fields.email }))
    const { token } = await victim.browser.enter()
    expect(await api.rows(token, canoe)).toEqual([])
    expect(await api.status(accomplice.token, `/api/projects/${canoe}`)).toBe(404)
    expect(await api.status(null, `/api/collaborators/accept/${open.inviteToken}`, 'POST')).toBe(404)
    const notified = await api.notices(token)
    expect(notified.filter(({ type }) => type === 'other')).toEqual([
      expect.objectContaining({
        title: 'Your projects are no longer shared',
        message: expect.stringMatching(/were removed: .*ada-.*\(“.*Canoe.*”\), .*third@example\.test/),
      }),
    ])
    expect((await api.notices(accomplice.token)).map(({ type }) => type)).toContain('collaboration_removed')
    expect(await api.rows(untouched.token, theirs)).toHaveLength(2)
  })

  test('are unchanged if the account was verified, or if nobody was added', async () => {
    const api = caller(server)
    const [owner, member] = [await registered(true), await registered(true)]
    const canoe = await api.project(owner.token, 'Canoe')
    const { inviteToken } = await api.invite(owner.token, canoe, member.user.email)
    await api.accept(member.token, inviteToken)
    await enterAs(person({ email: owner.fields.email }))
    expect(await api.rows(owner.token, canoe)).toHaveLength(1)

    const alone = await registered(false)
    await api.project(alone.token, 'Alone')
    const entered = await (await enterAs(person({ email: alone.fields.email }))).browser.enter()
    expect(await api.notices(entered.token)).toEqual([])
  })

  test('stay shared if the sign-in fails in the end', async () => {
    const api = caller(server)
    const owner = await registered(false)
    const canoe = await api.project(owner.token, 'Canoe')
    await api.invite(owner.token, canoe, 'third@example.test')
    const triggered = sql`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
      create trigger refuse before insert on identity.account for each row execute function refuse()`
    await triggered.execute(server.settings.db)
    expect((await enterAs(person({ email: owner.fields.email }))).outcome).toBe('failed')
    await sql`drop trigger refuse on identity.account; drop function refuse`.execute(server.settings.db)
    expect(await api.rows(owner.token, canoe)).toHaveLength(1)
    expect(await api.notices(owner.token)).toEqual([])
  })
})

describe('an attacker who registered the victim’s email', () => {
  test('keeps neither password, session, ID token nor application token once the victim signs in with Google', async () => {
    const attacker = await registered(false)
    const idToken = await attacker.browser.idToken()
    const elsewhere = visitor(server.app)
    await elsewhere.signIn(attacker.fields)

    const victim = await enterAs(person({ email: attacker.fields.email, name: 'The victim' }))
    const entered = await victim.browser.enter()
    expect(entered.user).toMatchObject({ _id: attacker.user._id, name: 'The victim' })

    expect(await attacker.browser.me(attacker.token)).toBe(401)
    expect((await attacker.browser.send('GET', '/api/auth/token')).statusCode).toBe(401)
    expect((await elsewhere.send('GET', '/api/auth/token')).statusCode).toBe(401)
    expect((await visitor(server.app).exchange({ idToken })).statusCode).toBe(401)
    const again = await visitor(server.app).signIn(attacker.fields)
    expect([again.statusCode, again.json<{ code: string }>().code]).toEqual([401, 'no_password'])
    expect((await visitor(server.app).signUp(attacker.fields)).statusCode).toBe(409)
    expect(await victim.browser.me(entered.token)).toBe(200)
  })

  test('keeps no access by a concurrent sign-in', { tags: ['long'] }, async () => {
    const attacker = await registered(false)
    const attempts = Array.from({ length: 12 }, async () => {
      const browser = visitor(server.app)
      await browser.signIn(attacker.fields)
      return browser
    })
    const victim = await enterAs(person({ email: attacker.fields.email }))
    expect(victim.outcome).toBe('signed-in')
    for (const browser of await Promise.all(attempts)) {
      expect((await browser.send('GET', '/api/auth/token')).statusCode).toBe(401)
    }
    expect((await victim.browser.send('GET', '/api/auth/token')).statusCode).toBe(200)
  })

  test('keeps no access if they registered through an issuer with an unverified email', async () => {
    const email = person().email
    const attacker = await enterAs(person({ email, email_verified: false }))
    const { token } = await attacker.browser.enter()
    const victim = await enterAs(person({ email }))
    expect(victim.outcome).toBe('signed-in')
    expect(await attacker.browser.me(token)).toBe(401)
    expect((await attacker.browser.send('GET', '/api/auth/token')).statusCode).toBe(401)
  })

  test('affects nothing of a victim who registered first', async () => {
    const victim = person()
    await enterAs(victim)
    const attacker = await enterAs(person({ email: victim.email, email_verified: false }))
    expect([attacker.outcome, attacker.browser.jar.size]).toEqual(['unverified', 0])
  })
})
