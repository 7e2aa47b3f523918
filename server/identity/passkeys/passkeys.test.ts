import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CreationOptions, PASSKEYS_MAX, type Passkey, type RequestOptions } from '#contract/passkeys.ts'
import {
  messageOf,
  person as personAtIssuer,
  signInWithIssuer,
  testIssuer,
} from '#server/identity/issuer/testing.ts'
import { resetPassword } from '#server/identity/local/passwords.ts'
import { errorOf, registered, type Visitor, visitor } from '#server/identity/local/testing.ts'
import { accountCalls, secured } from '#server/identity/two-factor/testing.ts'
import { derive } from '#server/platform/secrets.ts'
import { mailingTestServer, type TestServer, testServer } from '#server/testing/local-server.ts'
import { relyingPartyOf, warnOfUnusablePasskeys } from './relying-party.ts'
import { type TestDevice, testDevice } from './testing.ts'

const MINUTE = 60_000

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

/** Calls with the application token of a signed-in user. */
function callsOf(token: string, { app }: Pick<TestServer, 'app'> = server) {
  const headers = { authorization: `Bearer ${token}` }
  const url = '/api/account/passkeys'
  return {
    list: () => app.inject({ url, headers }),
    begin: () => app.inject({ method: 'POST', url, headers }),
    add: (id: string, payload: object) =>
      app.inject({ method: 'PUT', url: `${url}/${id}/credential`, headers, payload }),
    rename: (id: string, name: string) =>
      app.inject({ method: 'PUT', url: `${url}/${id}`, headers, payload: { name } }),
    remove: (id: string) => app.inject({ method: 'DELETE', url: `${url}/${id}`, headers }),
  }
}
type Calls = ReturnType<typeof callsOf>

async function begun(calls: Calls) {
  const response = await calls.begin()
  expect(response.statusCode).toBe(200)
  return response.json<{ passkeyId: string; options: CreationOptions }>()
}

/** Adds the passkey of a device. */
async function addedTo(calls: Calls, device: TestDevice): Promise<Passkey> {
  const { passkeyId, options } = await begun(calls)
  const response = await calls.add(passkeyId, { name: 'Laptop', credential: device.create(options) })
  expect(response.statusCode).toBe(200)
  return response.json<Passkey>()
}

/** A user with a password and a passkey. */
async function withPasskey(at: Pick<TestServer, 'app'> = server) {
  const { person, fields } = await registered(at)
  const { token, user } = await person.enter()
  const calls = callsOf(token, at)
  const device = testDevice()
  return { person, fields, token, user, calls, device, passkey: await addedTo(calls, device) }
}

async function challenged(browser: Visitor): Promise<RequestOptions> {
  const response = await browser.send('POST', '/api/auth/passkey/challenge')
  expect(response.statusCode).toBe(200)
  return response.json()
}

const present = (browser: Visitor, credential: object) =>
  browser.send('POST', '/api/auth/passkey/sign-in', { credential })

/** Signs in with the passkey of a device in another browser. */
async function signedInBy(device: TestDevice, manner: Parameters<TestDevice['sign']>[1] = {}) {
  const browser = visitor(server.app)
  return { browser, response: await present(browser, device.sign(await challenged(browser), manner)) }
}

const inOrder = (statuses: number[]) => statuses.toSorted((one, other) => one - other)

describe('a passkey', () => {
  test('signs in to its account like the password', async () => {
    const { device, user } = await withPasskey()
    const { browser, response } = await signedInBy(device)
    expect(response.statusCode).toBe(204)
    const entered = await browser.enter()
    expect(entered.user).toEqual(user)
    expect(await browser.me(entered.token)).toBe(200)
    const sessions = await server.app.inject({
      url: '/api/account/sessions',
      headers: { authorization: `Bearer ${entered.token}` },
    })
    expect(sessions.json()).toHaveLength(2)
  })

  test('is listed with its name and its last use, and can be renamed', async () => {
    const { calls, device, passkey } = await withPasskey()
    expect(passkey).toMatchObject({ name: 'Laptop', lastUsedAt: null })
    await signedInBy(device)
    expect((await calls.rename(passkey._id, 'Old laptop')).json()).toMatchObject({ name: 'Old laptop' })
    expect((await calls.list()).json()).toEqual([
      { ...passkey, name: 'Old laptop', lastUsedAt: server.time.now.toISOString() },
    ])
  })

  test('no longer signs in after it was removed', async () => {
    const { calls, device, passkey } = await withPasskey()
    expect((await calls.remove(passkey._id)).statusCode).toBe(204)
    const { browser, response } = await signedInBy(device)
    expect(await errorOf(Promise.resolve(response))).toEqual([401, 'passkey_refused'])
    expect(browser.jar.size).toBe(0)
  })

  test('cannot be renamed or removed by anybody else', async () => {
    const { passkey } = await withPasskey()
    const { calls } = await withPasskey()
    expect(await errorOf(calls.rename(passkey._id, 'Mine'))).toEqual([404, 'not_found'])
    expect(await errorOf(calls.remove(passkey._id))).toEqual([404, 'not_found'])
  })

  test('belongs to one account: another cannot add it, not even concurrently', async () => {
    const device = testDevice()
    const people = await Promise.all([registered(server), registered(server)])
    const tries = await Promise.all(
      people.map(async ({ person }) => {
        const calls = callsOf((await person.enter()).token)
        const { passkeyId, options } = await begun(calls)
        return { calls, passkeyId, credential: device.create(options) }
      }),
    )
    const statuses = await Promise.all(
      tries.map(async ({ calls, passkeyId, credential }) => {
        const { statusCode } = await calls.add(passkeyId, { name: 'Shared', credential })
        return statusCode
      }),
    )
    expect(inOrder(statuses)).toEqual([200, 409])
  })

  test('cannot be added to an account twice, and is returned again after a lost response', async () => {
    const { person } = await registered(server)
    const calls = callsOf((await person.enter()).token)
    const device = testDevice()
    const { passkeyId, options } = await begun(calls)
    const sent = { name: 'Laptop', credential: device.create(options) }
    const first = await calls.add(passkeyId, sent)
    const again = await calls.add(passkeyId, sent)
    expect([again.statusCode, again.json()]).toEqual([200, first.json()])
    const second = await begun(calls)
    expect(second.options.excludeCredentials).toEqual([
      { type: 'public-key', id: device.id, transports: ['internal'] },
    ])
    const credential = device.create(second.options)
    expect(await errorOf(calls.add(second.passkeyId, { name: 'Twice', credential }))).toEqual([
      409,
      'conflict',
    ])
    expect((await calls.list()).json()).toHaveLength(1)
  })
})

describe('a passkey is refused', () => {
  test.each([
    ['without verifying the person', { verifies: false }],
    ['for a page of another origin', { origin: 'https://elsewhere.example' }],
    ['for another port of this host', { origin: 'http://localhost:4401' }],
    ['made for another host', { rpId: 'elsewhere.example' }],
  ])('%s, to be added and to sign in', async (_case, manner) => {
    const { calls, device } = await withPasskey()
    const { passkeyId, options } = await begun(calls)
    const credential = testDevice().create(options, manner)
    expect(await errorOf(calls.add(passkeyId, { name: 'Key', credential }))).toEqual([400, 'invalid'])
    const { response } = await signedInBy(device, manner)
    expect(await errorOf(Promise.resolve(response))).toEqual([401, 'passkey_refused'])
  })

  test('if the same signature is sent again; twenty concurrent requests open one session', {
    tags: ['long'],
  }, async () => {
    const { device } = await withPasskey()
    const browser = visitor(server.app)
    const credential = device.sign(await challenged(browser))
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await present(visitor(server.app), credential)).statusCode),
    )
    expect(statuses.filter((status) => status === 204)).toHaveLength(1)
    expect(await errorOf(present(browser, credential))).toEqual([410, 'expired'])
  })

  test('if its counter decreases, as with a copied passkey', async () => {
    const { device } = await withPasskey()
    expect((await signedInBy(device, { counter: 7 })).response.statusCode).toBe(204)
    for (const counter of [7, 6, 0]) {
      const { response } = await signedInBy(device, { counter })
      expect(await errorOf(Promise.resolve(response))).toEqual([401, 'passkey_refused'])
    }
    expect((await signedInBy(device, { counter: 8 })).response.statusCode).toBe(204)
  })

  test('because of its counter, even if two signatures arrive concurrently', { tags: ['long'] }, async () => {
    const { device } = await withPasskey()
    const browsers = [1, 1, 1, 1].map(() => visitor(server.app))
    const signed = await Promise.all(
      browsers.map(async (browser) => device.sign(await challenged(browser), { counter: 3 })),
    )
    const statuses = await Promise.all(
      browsers.map(async (browser, at) => (await present(browser, signed[at] ?? {})).statusCode),
    )
    expect(inOrder(statuses)).toEqual([204, 401, 401, 401])
    const sessions = await sql<{ open: number }>`
      select count(*)::int as open from identity.session s join identity.passkeys p on p.user_id = s."userId"
      where p.credential_id = ${Buffer.from(device.id, 'base64url')}`.execute(server.settings.db)
    expect(sessions.rows).toEqual([{ open: 2 }])
  })

  test('with a challenge that has expired, has another purpose, or was not created by this server', async () => {
    const { calls, device } = await withPasskey()
    const { options } = await begun(calls)
    const browser = visitor(server.app)
    const request = await challenged(browser)
    const changed = `${request.challenge.slice(0, -4)}AAAA`
    for (const challenge of ['', 'AAAA', changed, options.challenge])
      expect(await errorOf(present(browser, device.sign({ ...request, challenge })))).toEqual([
        410,
        'expired',
      ])
    const signed = device.sign(request)
    const { now } = server.time
    server.time.now = new Date(now.getTime() + 11 * MINUTE)
    const late = await errorOf(present(browser, signed))
    server.time.now = now
    expect(late).toEqual([410, 'expired'])
  })

  test('with the challenge for adding a passkey to another account, or another passkey', async () => {
    const { calls } = await withPasskey()
    const { calls: others } = await withPasskey()
    const mine = await begun(calls)
    const theirs = await begun(others)
    const credential = testDevice().create(mine.options)
    for (const [adder, id] of [
      [others, mine.passkeyId],
      [others, theirs.passkeyId],
      [calls, theirs.passkeyId],
      [calls, randomUUID()],
    ] as const)
      expect(await errorOf(adder.add(id, { name: 'Key', credential }))).toEqual([410, 'expired'])
  })

  test('with the signature of another device, or the user handle of another account', async () => {
    const { device } = await withPasskey()
    const { device: other } = await withPasskey()
    const browser = visitor(server.app)
    const request = await challenged(browser)
    const forged = { ...other.sign(request), id: device.id, rawId: device.id }
    expect(await errorOf(present(browser, forged))).toEqual([401, 'passkey_refused'])
    const signed = device.sign(request)
    const { userHandle } = other.sign(request).response
    const disguised = { ...signed, response: { ...signed.response, userHandle } }
    expect(await errorOf(present(browser, disguised))).toEqual([401, 'passkey_refused'])
  })

  test('on a page of another site, which cannot even request a challenge', async () => {
    const { device } = await withPasskey()
    const browser = visitor(server.app)
    const signed = device.sign(await challenged(browser))
    const headers = { origin: 'https://elsewhere.example' }
    const stranger = visitor(server.app, { headers })
    expect(await errorOf(stranger.send('POST', '/api/auth/passkey/challenge'))).toEqual([
      403,
      'foreign_origin',
    ])
    expect(await errorOf(present(stranger, signed))).toEqual([403, 'foreign_origin'])
  })
})

describe('adding a passkey', () => {
  test('requires a device that verifies the person and stores the passkey, and sends it no name except the email', async () => {
    const { calls, user } = await withPasskey()
    const { options } = await begun(calls)
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: user.email, displayName: user.name },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    })
    expect(options.user.id).toMatch(/^[\w-]{22}$/)
  })

  test('is limited to a number of passkeys', async () => {
    const { calls, user } = await withPasskey()
    await sql`
      insert into identity.passkeys (id, user_id, name, credential_id, public_key, counter, transports, rp_id, created_at)
      select gen_random_uuid(), u.id, 'Another', decode(md5(n::text || u.id), 'hex'), '', 0, '{}', 'localhost', now()
      from identity."user" u, generate_series(3, ${PASSKEYS_MAX}) n where u.email = ${user.email}`.execute(
      server.settings.db,
    )
    const { passkeyId, options } = await begun(calls)
    await addedTo(calls, testDevice())
    expect(await errorOf(calls.begin())).toEqual([409, 'conflict'])
    const credential = testDevice().create(options)
    expect(await errorOf(calls.add(passkeyId, { name: 'One more', credential }))).toEqual([409, 'conflict'])
  })

  test('fails in a session that has ended', async () => {
    const { person } = await registered(server)
    const calls = callsOf((await person.enter()).token)
    const { passkeyId, options } = await begun(calls)
    await person.signOut()
    const credential = testDevice().create(options)
    expect(await errorOf(calls.add(passkeyId, { name: 'Key', credential }))).toEqual([401, 'not_signed_in'])
  })
})

describe('an account with a passkey', () => {
  test('has none after a password reset, because somebody else may have added it', async () => {
    const { device, fields } = await withPasskey()
    await resetPassword(server.settings.db, fields.email)
    const { response } = await signedInBy(device)
    expect(await errorOf(Promise.resolve(response))).toEqual([401, 'passkey_refused'])
  })

  test('has none after the owner of its email has taken it over through an issuer', {
    tags: ['long'],
  }, async () => {
    const issuer = await testIssuer()
    const whole = await testServer({ db: server.settings.db, issuer: issuer.settings })
    const { device, fields } = await withPasskey()
    issuer.says(personAtIssuer({ email: fields.email }))
    expect(messageOf(await signInWithIssuer(visitor(whole.app))).outcome).toBe('signed-in')
    const { response } = await signedInBy(device)
    expect(await errorOf(Promise.resolve(response))).toEqual([401, 'passkey_refused'])
    await whole.close()
    await issuer.close()
  })

  test('is refused with the same message as with its password while it is suspended or awaits approval', async () => {
    const { device, fields, user } = await withPasskey()
    for (const column of ['suspended_at', 'awaiting_since'] as const) {
      await sql`update users set ${sql.ref(column)} = now() where id = ${user._id}`.execute(
        server.settings.db,
      )
      const byPassword = visitor(server.app)
      await byPassword.signIn(fields)
      const { browser } = await signedInBy(device)
      const answers = await Promise.all(
        [byPassword, browser].map(async (one) => {
          const response = await one.exchange({ idToken: await one.idToken() })
          return [response.statusCode, response.json()]
        }),
      )
      expect(answers[0]?.[0]).toBe(403)
      expect(answers[1]).toEqual(answers[0])
      await sql`update users set ${sql.ref(column)} = null where id = ${user._id}`.execute(server.settings.db)
    }
  })

  test('may have no password: one that signs in only through an issuer can add one', {
    tags: ['long'],
  }, async () => {
    const issuer = await testIssuer()
    const whole = await testServer({ db: server.settings.db, issuer: issuer.settings })
    issuer.says(personAtIssuer())
    const browser = visitor(whole.app)
    await signInWithIssuer(browser)
    const { token, user } = await browser.enter()
    const calls = callsOf(token, whole)
    const device = testDevice()
    await addedTo(calls, device)
    const again = visitor(whole.app)
    await present(again, device.sign(await challenged(again)))
    expect((await again.enter()).user).toEqual(user)
    await whole.close()
    await issuer.close()
  })
})

describe('with two-step sign-in, a passkey', () => {
  test('replaces both factors: it signs in without a code', async () => {
    const { token, user } = await secured(server)
    const device = testDevice()
    await addedTo(callsOf(token), device)
    const { browser, response } = await signedInBy(device)
    expect(response.statusCode).toBe(204)
    expect((await browser.enter()).user).toEqual(user)
  })
})

test('a sign-in with a passkey opens no session if its account is deleted meanwhile', {
  tags: ['long'],
}, async () => {
  const { device, fields } = await withPasskey()
  const browser = visitor(server.app)
  const credential = device.sign(await challenged(browser))
  await Promise.all([present(browser, credential), resetPassword(server.settings.db, fields.email)])
  const { rows } = await sql`
    select 1 from identity.session s join identity."user" u on u.id = s."userId"
    where u.email = ${fields.email}`.execute(server.settings.db)
  expect(rows).toEqual([])
})

test('challenges and sign-ins are limited for each network', { tags: ['long'] }, async () => {
  const limited = await testServer({ db: server.settings.db, rateLimit: true })
  const browser = visitor(limited.app)
  const credential = testDevice().sign(await challenged(browser))
  const challenges = await Promise.all(
    Array.from(
      { length: 120 },
      async () => (await browser.send('POST', '/api/auth/passkey/challenge')).statusCode,
    ),
  )
  expect(challenges.filter((status) => status === 429)).toHaveLength(1)
  const signIns = await Promise.all(
    Array.from({ length: 61 }, async () => (await present(browser, credential)).statusCode),
  )
  expect(signIns.filter((status) => status === 429)).toHaveLength(1)
  await limited.close()
})

test('a server whose secret was replaced still accepts challenges that were created with the previous one', async () => {
  const previous = server.settings.secrets.current
  const secrets = { current: derive('another secret, which replaces the one before'), previous }
  const renewed = await testServer({ db: server.settings.db, secrets })
  const { device } = await withPasskey()
  const credential = device.sign(await challenged(visitor(server.app)))
  expect((await present(visitor(renewed.app), credential)).statusCode).toBe(204)
  await renewed.close()
})

describe('the host of a passkey', () => {
  test.each([
    ['https://milepost.example', 'milepost.example'],
    ['https://milepost.example:8443', 'milepost.example'],
    ['http://localhost:3000', 'localhost'],
    ['http://milepost.example', undefined],
    ['https://192.0.2.1', undefined],
    ['https://[2001:db8::1]', undefined],
  ])('of a server at %s is %s', (publicUrl, id) => {
    expect(relyingPartyOf(publicUrl)?.id).toBe(id)
  })

  test('that has changed is logged at the start, with the number of passkeys that no longer work', {
    tags: ['long'],
  }, async () => {
    const moved = await testServer()
    const warnings: string[] = []
    const look = (publicUrl: string) =>
      warnOfUnusablePasskeys(moved.settings.db, {
        publicUrl,
        log: { warn: (text: unknown) => void warnings.push(String(text)) },
      })
    await withPasskey(moved)
    await look('http://localhost:4400')
    expect(warnings).toEqual([])
    await look('https://new.example')
    await withPasskey(moved)
    await look('https://new.example')
    const rest =
      'made for localhost and cannot be used at new.example: set PUBLIC_URL back, or have people sign in another way and add passkeys again'
    expect(warnings).toEqual([`1 passkey was ${rest}`, `2 passkeys were ${rest}`])
    await moved.close()
  })

  test('is shown with passkeys that can no longer be used', async () => {
    const { calls, passkey } = await withPasskey()
    await sql`update identity.passkeys set rp_id = 'old.example' where id = ${passkey._id}`.execute(
      server.settings.db,
    )
    expect((await calls.list()).json()).toEqual([{ ...passkey, formerDomain: 'old.example' }])
    expect((await begun(calls)).options.excludeCredentials).toEqual([])
  })
})

test('a server without TLS or without a host name has no passkeys, and says so', async () => {
  const plain = await testServer({ db: server.settings.db, publicUrl: 'http://192.0.2.1' })
  expect((await plain.app.inject('/api/identity')).json()).toMatchObject({ passkeys: false })
  const { token } = await (await registered(server)).person.enter()
  for (const call of [callsOf(token, plain).list(), callsOf(token, plain).begin()])
    expect(await errorOf(call)).toEqual([409, 'conflict'])
  expect((await plain.app.inject({ method: 'POST', url: '/api/auth/passkey/challenge' })).statusCode).toBe(
    404,
  )
  await plain.close()
})

test('the owner gets an email about a passkey that was added or removed', { tags: ['long'] }, async () => {
  const mailing = await mailingTestServer()
  const { calls, passkey, fields, token } = await withPasskey(mailing)
  await mailing.sink.emailAbout(fields.email, 'A new passkey for your account on Milepost')
  await accountCalls(mailing, token)('PUT', '/dates', { timeZone: 'Asia/Tokyo', dateFormat: 'iso' })
  await calls.remove(passkey._id)
  const { content: removed } = await mailing.sink.emailAbout(
    fields.email,
    'A passkey of your account on Milepost was removed',
  )
  expect(removed).toMatch(/on \d{4}-\d\d-\d\d,? \d\d:\d\d \(Asia\/Tokyo\)/)
  await mailing.close()
})
