import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { turnOffTwoFactorOf } from '#server/administration/account-recovery.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { messageOf, person, signInWithIssuer, testIssuer } from '#server/identity/issuer/testing.ts'
import { resetPassword } from '#server/identity/local/passwords.ts'
import { countWaitingSignIns, errorOf, registered, visitor } from '#server/identity/local/testing.ts'
import { derive } from '#server/platform/secrets.ts'
import { type TestServer, testServer } from '#server/testing/local-server.ts'
import { endOtherSessions, lockPassword } from './store.ts'
import { accountCalls, awaitingSecondStep, codeOf, enterCode, secured } from './testing.ts'

const MINUTE = 60_000

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())
beforeEach(() => {
  server.time.now = new Date()
})

const later = (milliseconds: number) => {
  server.time.now = new Date(server.time.now.getTime() + milliseconds)
}

const sessionsOf = async (email: string) => {
  const { rows } = await sql`
    select from identity.session s join identity."user" u on u.id = s."userId" where email = ${email}`.execute(
    server.settings.db,
  )
  return rows.length
}

describe('turning two-step sign-in on', () => {
  test('requires a code of the app, and then returns ten recovery codes', async () => {
    const { person: browser, fields } = await registered(server)
    const account = accountCalls(server, (await browser.enter()).token)
    const begun = await account('POST', '/two-factor')
    const { secret, url } = begun.json<{ secret: string; url: string }>()
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    const label = `Milepost%20(localhost):${encodeURIComponent(fields.email)}`
    expect(url).toContain(`otpauth://totp/${label}?issuer=Milepost%20(localhost)&secret=${secret}`)
    expect((await account('GET', '')).json()).not.toHaveProperty('twoFactor')

    const refused = await account('PUT', '/two-factor', { code: codeOf(secret, server.time.now, 300) })
    expect([refused.statusCode, refused.json()]).toMatchObject([400, { issues: [{ path: 'code' }] }])
    const on = await account('PUT', '/two-factor', { code: codeOf(secret, server.time.now) })
    const { recoveryCodes } = on.json<{ recoveryCodes: string[] }>()
    expect(new Set(recoveryCodes).size).toBe(10)
    expect(recoveryCodes.every((code) => /^[2-9a-z]{5}-[2-9a-z]{5}$/.test(code))).toBe(true)
    expect((await account('GET', '')).json()).toMatchObject({
      twoFactor: { since: server.time.now.toISOString(), recoveryCodes: 10 },
    })
    expect(await errorOf(account('POST', '/two-factor'))).toEqual([409, 'conflict'])
  })

  test('ends every pending sign-in and every session except the current one', async () => {
    const { person: browser, fields } = await registered(server)
    const { token } = await browser.enter()
    const other = visitor(server.app)
    await other.signIn(fields)
    const elsewhere = await other.enter()
    const account = accountCalls(server, token)
    const begun = await account('POST', '/two-factor')
    const { secret } = begun.json<{ secret: string }>()
    await account('PUT', '/two-factor', { code: codeOf(secret, server.time.now) })
    expect(await other.me(elsewhere.token)).toBe(401)
    expect((await other.send('GET', '/api/auth/token')).statusCode).toBe(401)
    expect(await browser.me(token)).toBe(200)
  })

  test('accepts a code for half an hour, and only for the latest secret', async () => {
    const { person: browser, fields } = await registered(server)
    const account = accountCalls(server, (await browser.enter()).token)
    const begin = async () => (await account('POST', '/two-factor')).json<{ secret: string }>()
    const [first, second] = [await begin(), await begin()]
    expect(
      (await account('PUT', '/two-factor', { code: codeOf(first.secret, server.time.now) })).statusCode,
    ).toBe(400)
    later(31 * MINUTE)
    await account('POST', '/proof/password', { currentPassword: fields.password })
    const late = { code: codeOf(second.secret, server.time.now) }
    expect(await errorOf(account('PUT', '/two-factor', late))).toEqual([410, 'expired'])
  })

  test('leaves no session of a sign-in that has just compared the password', {
    tags: ['long'],
  }, async () => {
    const { person: browser, fields } = await registered(server)
    const account = accountCalls(server, (await browser.enter()).token)
    await account('POST', '/two-factor')
    const late = visitor(server.app)
    const { db } = server.settings
    const { rows } = await sql<{ id: string }>`
      select id from identity."user" where email = ${fields.email}`.execute(db)
    const userId = rows[0]?.id ?? ''
    // As turning it on does, but commits only after the sign-in has compared the password.
    const signIn = await db.transaction().execute(async (trx) => {
      await lockPassword(trx, userId)
      await sql`update identity.two_factor set enabled_at = now() where user_id = ${userId}`.execute(trx)
      await endOtherSessions(trx, userId, null)
      const started = late.signIn(fields)
      await vi.waitFor(async () => expect(await countWaitingSignIns(db)).toBe(1), { timeout: 60_000 })
      return { started }
    })
    expect((await signIn.started).json()).toMatchObject({ code: 'second_factor_required' })
    expect(await sessionsOf(fields.email)).toBe(0)
    expect((await late.send('GET', '/api/auth/token')).statusCode).toBe(401)
  })
})

describe('the second step of a sign-in', () => {
  test('follows the password, and no call issues a token before it', async () => {
    const owner = await secured(server)
    const before = await sessionsOf(owner.fields.email)
    const browser = visitor(server.app)
    const half = await browser.signIn(owner.fields)
    expect([half.statusCode, half.json()]).toEqual([
      401,
      { code: 'second_factor_required', message: 'Enter a code of your authenticator app to sign in' },
    ])
    expect([...browser.jar.keys()]).toEqual(['milepost.second_step'])
    expect(half.headers['set-cookie']).toMatch(/Path=\/api\/auth; HttpOnly; SameSite=Lax/)
    expect(await sessionsOf(owner.fields.email)).toBe(before)
    expect((await browser.send('GET', '/api/auth/token')).statusCode).toBe(401)
    expect((await browser.signUp(owner.fields)).statusCode).toBe(409)
    expect((await browser.send('GET', '/api/auth/token')).statusCode).toBe(401)

    expect((await enterCode(browser, owner.nextCode())).statusCode).toBe(204)
    const { token, user } = await browser.enter()
    expect([user._id, await browser.me(token)]).toEqual([owner.user._id, 200])
    expect(browser.jar.has('milepost.second_step')).toBe(false)
  })

  test('accepts the previous and the next code, with spaces, and no others', async () => {
    const owner = await secured(server)
    for (const [drift, status] of [
      [-60, 400],
      [60, 400],
      [-30, 204],
      [0, 204],
      [30, 204],
    ] as const) {
      later(5 * MINUTE)
      const code = codeOf(owner.secret, server.time.now, drift)
      const browser = await awaitingSecondStep(server, owner)
      expect((await enterCode(browser, ` ${code.slice(0, 3)} ${code.slice(3)}`)).statusCode).toBe(status)
    }
  })

  test('accepts a code once, even for twenty concurrent requests, and no older one afterwards', {
    tags: ['long'],
  }, async () => {
    const owner = await secured(server)
    const older = owner.nextCode()
    const code = owner.nextCode()
    const browsers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => awaitingSecondStep(server, owner, `198.51.100.${n}`)),
    )
    const statuses = await Promise.all(
      browsers.map(async (browser) => (await enterCode(browser, code)).statusCode),
    )
    expect(statuses.filter((status) => status === 204)).toHaveLength(1)
    expect(statuses.filter((status) => status === 400)).toHaveLength(19)
    const again = await awaitingSecondStep(server, owner)
    expect(await errorOf(enterCode(again, code))).toEqual([400, 'invalid'])
    expect(await errorOf(enterCode(again, older))).toEqual([400, 'invalid'])
    expect((await enterCode(again, owner.nextCode())).statusCode).toBe(204)
  })

  test('does not accept the code with which it was turned on', async () => {
    const owner = await secured(server)
    const browser = await awaitingSecondStep(server, owner)
    const code = codeOf(owner.secret, server.time.now)
    expect(await errorOf(enterCode(browser, code))).toEqual([400, 'invalid'])
  })

  test('is valid for ten minutes, once, and in no other browser', async () => {
    const owner = await secured(server)
    const browser = await awaitingSecondStep(server, owner)
    later(11 * MINUTE)
    expect(await errorOf(enterCode(browser, owner.nextCode()))).toEqual([410, 'expired'])
    expect(await errorOf(enterCode(visitor(server.app), owner.nextCode()))).toEqual([410, 'expired'])

    const [other] = [await awaitingSecondStep(server, owner)]
    const cookie = other.jar.get('milepost.second_step') ?? ''
    expect((await enterCode(other, owner.nextCode())).statusCode).toBe(204)
    const copied = visitor(server.app)
    copied.jar.set('milepost.second_step', cookie)
    expect(await errorOf(enterCode(copied, owner.nextCode()))).toEqual([410, 'expired'])
  })

  test('cannot be completed after a password change; the new password requires a code as well', {
    tags: ['long'],
  }, async () => {
    const owner = await secured(server)
    const browser = await awaitingSecondStep(server, owner)
    const password = await resetPassword(server.settings.db, owner.fields.email)
    expect(await errorOf(enterCode(browser, owner.nextCode()))).toEqual([410, 'expired'])
    const again = visitor(server.app)
    expect(await errorOf(again.signIn({ ...owner.fields, password }))).toEqual([
      401,
      'second_factor_required',
    ])
    expect((await enterCode(again, owner.nextCode())).statusCode).toBe(204)
  })

  test('is refused for requests of another site', async () => {
    const owner = await secured(server)
    const browser = visitor(server.app, { headers: { origin: 'https://evil.example' } })
    browser.jar.set(
      'milepost.second_step',
      (await awaitingSecondStep(server, owner)).jar.get('milepost.second_step') ?? '',
    )
    expect((await enterCode(browser, owner.nextCode())).statusCode).toBe(403)
  })
})

describe('guessing codes', () => {
  test('is limited to five attempts of a network, however often the sign-in is restarted', async () => {
    const owner = await secured(server)
    const statuses: number[] = []
    for (let n = 0; n < 8; n += 1) {
      const browser = await awaitingSecondStep(server, owner, '203.0.113.66')
      statuses.push((await enterCode(browser, '000000')).statusCode)
    }
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429, 429])
    const same = await awaitingSecondStep(server, owner, '203.0.113.66')
    expect(await errorOf(enterCode(same, owner.nextCode()))).toEqual([429, 'too_many_requests'])
    later(15 * MINUTE)
    const freed = await awaitingSecondStep(server, owner, '203.0.113.66')
    expect((await enterCode(freed, owner.nextCode())).statusCode).toBe(204)
  })

  test('from many networks is limited to thirty attempts a day; the owner can still sign in with a recovery code or from a known network', {
    tags: ['long'],
  }, async () => {
    const owner = await secured(server)
    const home = await awaitingSecondStep(server, owner, '192.0.2.10')
    expect((await enterCode(home, owner.nextCode())).statusCode).toBe(204)
    const statuses: number[] = []
    for (let n = 0; n < 40; n += 1) {
      const browser = await awaitingSecondStep(server, owner, `198.51.100.${n}`)
      statuses.push((await enterCode(browser, '000000')).statusCode)
    }
    expect(statuses.filter((status) => status === 400)).toHaveLength(30)
    const abroad = await awaitingSecondStep(server, owner, '192.0.2.11')
    expect(await errorOf(enterCode(abroad, owner.nextCode()))).toEqual([429, 'too_many_requests'])
    expect((await enterCode(abroad, owner.recoveryCodes[0] ?? '')).statusCode).toBe(204)
    const again = await awaitingSecondStep(server, owner, '192.0.2.10')
    expect((await enterCode(again, owner.nextCode())).statusCode).toBe(204)
  })
})

describe('a recovery code', () => {
  test('signs in once, even for twenty concurrent requests, as it was shown or without its dash', {
    tags: ['long'],
  }, async () => {
    const owner = await secured(server)
    const [code = '', other = ''] = owner.recoveryCodes
    const browsers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => awaitingSecondStep(server, owner, `198.51.100.${n}`)),
    )
    const statuses = await Promise.all(
      browsers.map(async (browser) => (await enterCode(browser, code)).statusCode),
    )
    expect(statuses.filter((status) => status === 204)).toHaveLength(1)
    expect(statuses.filter((status) => status === 400)).toHaveLength(19)
    expect((await owner.account('GET', '')).json()).toMatchObject({ twoFactor: { recoveryCodes: 9 } })
    const browser = await awaitingSecondStep(server, owner)
    expect((await enterCode(browser, other.toUpperCase().replace('-', ''))).statusCode).toBe(204)
  })

  test('is used up only by a successful sign-in', async () => {
    const owner = await secured(server)
    const [code = ''] = owner.recoveryCodes
    const browser = await awaitingSecondStep(server, owner)
    later(11 * MINUTE)
    expect(await errorOf(enterCode(browser, code))).toEqual([410, 'expired'])
    expect((await enterCode(await awaitingSecondStep(server, owner), code)).statusCode).toBe(204)
  })

  test('is replaced together with all others', async () => {
    const owner = await secured(server)
    const made = await owner.account('POST', '/two-factor/recovery-codes')
    const { recoveryCodes } = made.json<{ recoveryCodes: string[] }>()
    expect(recoveryCodes.filter((code) => owner.recoveryCodes.includes(code))).toEqual([])
    const browser = await awaitingSecondStep(server, owner)
    expect((await enterCode(browser, owner.recoveryCodes[0] ?? '')).statusCode).toBe(400)
    expect((await enterCode(browser, recoveryCodes[0] ?? '')).statusCode).toBe(204)
  })

  test('and the secret are neither stored in plain text nor logged', async () => {
    const owner = await secured(server)
    await enterCode(await awaitingSecondStep(server, owner), owner.recoveryCodes[0] ?? '')
    const { rows } = await sql<{ all: string }>`
      select concat(
        (select string_agg(t::text, ' ') from identity.two_factor t),
        (select string_agg(r::text || encode(hash, 'escape'), ' ') from identity.recovery_codes r)) as all`.execute(
      server.settings.db,
    )
    for (const secret of [
      owner.secret,
      ...owner.recoveryCodes,
      ...owner.recoveryCodes.map((code) => code.replace('-', '')),
    ]) {
      expect(rows[0]?.all).not.toContain(secret)
      expect(server.logged.join('\n')).not.toContain(secret)
    }
  })
})

describe('turning two-step sign-in off', () => {
  test('ends every other session, and is refused if it is off', async () => {
    const owner = await secured(server)
    const other = await awaitingSecondStep(server, owner)
    await enterCode(other, owner.nextCode())
    const elsewhere = await other.enter()
    expect((await owner.account('POST', '/two-factor/removal')).statusCode).toBe(204)
    expect([await other.me(elsewhere.token), await other.me(owner.token)]).toEqual([401, 200])
    expect((await visitor(server.app).signIn(owner.fields)).statusCode).toBe(204)
    expect((await owner.account('GET', '')).json()).not.toHaveProperty('twoFactor')
    for (const path of ['/two-factor/removal', '/two-factor/recovery-codes'])
      expect(await errorOf(owner.account('POST', path))).toEqual([409, 'conflict'])
  })

  test('by the operator’s command signs the account out, and is in the audit log', async () => {
    const owner = await secured(server)
    const { db } = server.settings
    const command = (email: string) =>
      turnOffTwoFactorOf(db, { email, issuer: 'urn:milepost:local', now: server.time.now })
    expect(await command(owner.fields.email.toUpperCase())).toBe(true)
    expect(await owner.browser.me(owner.token)).toBe(401)
    expect((await visitor(server.app).signIn(owner.fields)).statusCode).toBe(204)
    const { rows } = await sql`
      select kind, details from audit_log where person_id = ${owner.user._id}`.execute(db)
    expect(rows).toEqual([{ kind: 'two_factor_turned_off', details: { by: 'command' } }])
    expect(await command(owner.fields.email)).toBe(false)
    await expect(command('nobody@example.test')).rejects.toThrow(CannotStart)
  })
})

describe('a changed token secret', () => {
  test('keeps the secrets of apps valid if the previous one is set at one start', {
    tags: ['long'],
  }, async () => {
    const owner = await secured(server)
    const former = server.settings.secrets.current
    const [next, third] = ['a next secret of the tests', 'a third secret of the tests'].map(derive)
    if (!next || !third) throw new Error('no secrets')
    const both = { ...server.settings, secrets: { current: next, previous: former } }
    await (await testServer(both)).close()
    const renewed = await testServer({ ...server.settings, secrets: { current: next, previous: null } })
    expect((await enterCode(await awaitingSecondStep(renewed, owner), owner.nextCode())).statusCode).toBe(204)
    await renewed.close()

    const lost = await testServer({ ...server.settings, secrets: { current: third, previous: null } })
    const browser = await awaitingSecondStep(lost, owner)
    const refusal = await enterCode(browser, owner.nextCode())
    expect([refusal.statusCode, refusal.json<{ message: string }>().message]).toEqual([
      409,
      'This server can no longer check codes of your app. Use a recovery code.',
    ])
    expect((await enterCode(browser, owner.recoveryCodes[1] ?? '')).statusCode).toBe(204)
    await lost.close()
  })
})

describe('with Google', () => {
  test('an account with two-step sign-in also requires its code, and issues no token before', async () => {
    const issuer = await testIssuer()
    const google = await testServer({ issuer: issuer.settings })
    const owner = await secured(google)
    await sql`update identity."user" set "emailVerified" = true where email = ${owner.fields.email}`.execute(
      google.settings.db,
    )
    issuer.says(person({ email: owner.fields.email }))
    const browser = visitor(google.app)
    expect(messageOf(await signInWithIssuer(browser)).outcome).toBe('second-factor')
    expect((await browser.send('GET', '/api/auth/token')).statusCode).toBe(401)
    expect((await enterCode(browser, owner.nextCode())).statusCode).toBe(204)
    expect((await browser.enter()).user._id).toBe(owner.user._id)
    await google.close()
    await issuer.close()
  })

  test('the proven owner of an email is not locked out by a second factor of the person who registered it', {
    tags: ['long'],
  }, async () => {
    const issuer = await testIssuer()
    const google = await testServer({ issuer: issuer.settings })
    const attacker = await secured(google)
    issuer.says(person({ email: attacker.fields.email }))
    const browser = visitor(google.app)
    expect(messageOf(await signInWithIssuer(browser)).outcome).toBe('signed-in')
    expect((await browser.enter()).user._id).toBe(attacker.user._id)
    await google.close()
    await issuer.close()
  })

  test('is not offered to an account without a password', async () => {
    const issuer = await testIssuer()
    const google = await testServer({ issuer: issuer.settings })
    issuer.says(person())
    const browser = visitor(google.app)
    await signInWithIssuer(browser)
    const account = accountCalls(google, (await browser.enter()).token)
    expect(await errorOf(account('POST', '/two-factor'))).toEqual([409, 'conflict'])
    await google.close()
    await issuer.close()
  })
})
