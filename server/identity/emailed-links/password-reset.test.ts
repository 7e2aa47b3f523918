import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  account,
  errorOf,
  registered as registeredOn,
  type Visitor,
  visitor,
} from '#server/identity/local/testing.ts'
import { type MailingTestServer, mailingTestServer, testServer } from '#server/testing/local-server.ts'

const MINUTE = 60_000

let server: MailingTestServer
beforeAll(async () => {
  server = await mailingTestServer()
})
afterAll(() => server.close())
beforeEach(() => {
  server.time.now = new Date()
})

const later = (milliseconds: number) => {
  server.time.now = new Date(server.time.now.getTime() + milliseconds)
}

const ask = (who: Visitor, email: string) => who.send('POST', '/api/auth/request-password-reset', { email })
const redeem = (who: Visitor, token: string, password = 'analytical engine') =>
  who.send('POST', '/api/auth/reset-password', { token, password })

async function registered() {
  const { person, fields } = await registeredOn(server)
  await server.sink.emailTo(fields.email) // the confirmation
  return { person, fields }
}

const tokenIn = (content: string) =>
  /http:\/\/localhost:4400\/reset-password\/([\w-]{43})/.exec(content)?.[1] ?? ''

/** A user who forgot their password, and the token of their reset link. */
async function linked() {
  const { person, fields } = await registered()
  const stranger = visitor(server.app)
  expect((await ask(stranger, fields.email)).statusCode).toBe(204)
  const { content } = await server.sink.emailTo(fields.email, 2)
  return { person, stranger, fields, token: tokenIn(content), content }
}

/** The queued jobs. */
const waiting = () =>
  sql`select from jobs.job where name = 'password-reset-emails' and state <> 'completed'`.execute(server.db)

describe('requesting a link', () => {
  test('has the same response and effects whether or not there is an account; only the emails differ', async () => {
    const { fields } = await registered()
    const nobody = account().email
    const rowsOf = async (email: string) =>
      (await sql`select from identity.password_resets where email = ${email}`.execute(server.db)).rows.length
    const answers = []
    for (const email of [fields.email, nobody]) {
      const { statusCode, body, headers } = await ask(visitor(server.app), email)
      const { date: _date, 'x-request-id': _id, ...rest } = headers
      answers.push({ statusCode, body, headers: rest, rows: await rowsOf(email) })
    }
    expect(answers[0]).toMatchObject({ statusCode: 204, body: '', rows: 1 })
    expect(answers[1]).toEqual(answers[0])
    await server.sink.emailTo(fields.email, 2)
    await vi.waitFor(async () => expect((await waiting()).rows).toEqual([]), { timeout: 60_000 })
    expect(server.sink.delivered.filter(({ to }) => to.includes(nobody))).toEqual([])
  })

  test('sends one email, which contains no user input except the address', async () => {
    const { fields, content } = await linked()
    expect(content).toContain(fields.email)
    expect(content).not.toContain(fields.name)
    expect(content).toContain('within an hour')
  })

  test('for an account that signs in with Google sends an email that says so, without a link', async () => {
    const { fields } = await registered()
    await sql`
      update identity.account set password = null from identity."user" u
      where u.id = "userId" and u.email = ${fields.email}`.execute(server.db)
    await ask(visitor(server.app), fields.email.toUpperCase())
    const { content } = await server.sink.emailTo(fields.email, 2)
    expect(content).toContain('Your account has no password')
    expect(tokenIn(content)).toBe('')
  })

  test('sends a mailbox four links an hour and ten a day, and returns the same response to further calls', {
    tags: ['long'],
  }, async () => {
    const email = account().email
    const rows = async () =>
      (await sql`select from identity.password_resets where email = ${email}`.execute(server.db)).rows.length
    for (let hour = 0; hour < 3; hour += 1) {
      for (let n = 0; n < 6; n += 1) {
        const spelled = n % 2 ? email : email.replace('@', `+${n}@`)
        expect((await ask(visitor(server.app), n === 0 ? email : spelled)).statusCode).toBe(204)
      }
      later(61 * MINUTE)
    }
    expect(await rows()).toBeGreaterThan(0)
    const { rows: all } = await sql`
      select from identity.password_resets where email like ${`${email.split('@')[0]}%`}`.execute(server.db)
    expect(all).toHaveLength(10)
  })

  test('is limited for each network', { tags: ['long'] }, async () => {
    const limited = await testServer({ ...server.settings, rateLimit: true })
    const guest = visitor(limited.app, { ip: '203.0.113.90' })
    for (let n = 0; n < 20; n += 1) expect((await ask(guest, account().email)).statusCode).toBe(204)
    expect(await errorOf(ask(guest, account().email))).toEqual([429, 'too_many_requests'])
    await limited.close()
  })

  test('leaves no token in the database, nor in the log when it is used', async () => {
    const { stranger, token } = await linked()
    for (const table of ['identity.password_resets', 'jobs.job']) {
      const { rows } = await sql`
        select from ${sql.table(table)} t where t::text like ${`%${token}%`}`.execute(server.db)
      expect([table, rows.length]).toEqual([table, 0])
    }
    await redeem(stranger, token)
    expect(server.logged.filter((line) => line.includes(token))).toEqual([])
  })
})

describe('a link', () => {
  test('sets a password, which is the only one that then signs in, and ends every session on every server', async () => {
    const { person, stranger, fields, token } = await linked()
    const { token: before } = await person.enter()
    const second = await testServer(server.settings)
    expect((await redeem(stranger, token)).statusCode).toBe(204)
    expect(stranger.jar.size).toBe(0)
    expect((await person.send('GET', '/api/auth/token')).statusCode).toBe(401)
    expect(await visitor(second.app).me(before)).toBe(401)
    expect((await stranger.signIn(fields)).statusCode).toBe(401)
    expect((await stranger.signIn({ ...fields, password: 'analytical engine' })).statusCode).toBe(204)
    await second.close()
  })

  test('works once, even for twenty concurrent requests', { tags: ['long'] }, async () => {
    const { stranger, fields, token } = await linked()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => redeem(visitor(server.app), token, `the password of ${n}`)),
    )
    const winners = answers.flatMap(({ statusCode }, n) => (statusCode === 204 ? [n] : []))
    expect(winners).toHaveLength(1)
    expect(answers.filter(({ statusCode }) => statusCode === 410)).toHaveLength(19)
    const password = `the password of ${winners[0]}`
    expect((await stranger.signIn({ ...fields, password })).statusCode).toBe(204)
    expect(await errorOf(redeem(stranger, token))).toEqual([410, 'expired'])
  })

  test('is valid for an hour', async () => {
    const { stranger, token } = await linked()
    later(61 * MINUTE)
    expect(await errorOf(redeem(stranger, token))).toEqual([410, 'expired'])
  })

  test('is invalidated when another link of its account is redeemed, and when the password is changed', async () => {
    const { stranger, fields, token } = await linked()
    await ask(stranger, fields.email)
    const other = tokenIn((await server.sink.emailTo(fields.email, 3)).content)
    expect((await redeem(stranger, other)).statusCode).toBe(204)
    expect(await errorOf(redeem(stranger, token))).toEqual([410, 'expired'])

    const again = await linked()
    const { token: session } = await again.person.enter()
    const changed = await server.app.inject({
      method: 'PUT',
      url: '/api/account/password',
      headers: { authorization: `Bearer ${session}` },
      payload: { currentPassword: again.fields.password, newPassword: 'difference engine 2' },
    })
    expect(changed.statusCode).toBe(204)
    expect(await errorOf(redeem(stranger, again.token))).toEqual([410, 'expired'])
  })

  test('that was never sent, and an invalid token, have no effect', async () => {
    for (const token of ['none', 'x'.repeat(43), 'x'.repeat(200)])
      expect(await errorOf(redeem(visitor(server.app), token))).toEqual([410, 'expired'])
    expect(await errorOf(redeem(visitor(server.app), 'x'.repeat(201)))).toEqual([400, 'invalid'])
  })

  test('is not used up by a refused password', async () => {
    const { stranger, fields, token } = await linked()
    expect(await errorOf(redeem(stranger, token, 'dimazarya'))).toEqual([400, 'common_password'])
    expect(await errorOf(redeem(stranger, token, fields.email))).toEqual([400, 'common_password'])
    expect(await errorOf(redeem(stranger, token, 'abc12'))).toEqual([400, 'invalid'])
    expect((await redeem(stranger, token)).statusCode).toBe(204)
  })

  test('ends a lock-out after too many wrong guesses', async () => {
    const { stranger, fields, token } = await linked()
    for (let n = 0; n < 6; n += 1) await stranger.signIn({ ...fields, password: 'a wrong guess' })
    expect((await stranger.signIn(fields)).statusCode).toBe(429)
    await redeem(stranger, token)
    expect((await stranger.signIn({ ...fields, password: 'analytical engine' })).statusCode).toBe(204)
  })
})

describe('a changed password', () => {
  const change = async (token: string, currentPassword: string) => {
    const { statusCode } = await server.app.inject({
      method: 'PUT',
      url: '/api/account/password',
      headers: { authorization: `Bearer ${token}` },
      payload: { currentPassword, newPassword: 'analytical engine' },
    })
    return statusCode
  }
  const notices = async () =>
    (await sql`select from jobs.job where name = 'password-notices'`.execute(server.db)).rows.length

  test('is reported to its owner, with instructions if somebody else changed it', async () => {
    const { person, fields } = await registered()
    const { token } = await person.enter()
    expect(await change(token, fields.password)).toBe(204)
    const { content } = await server.sink.emailTo(fields.email, 2)
    expect(content).toContain('Subject: Your password for Milepost was changed')
    expect(content).toMatch(/was changed on \w+ \d+, \d{4} at \d+:\d\d\s[AP]M UTC/)
    expect(content).toContain('http://localhost:4400/forgot-password')
    expect(content).not.toContain(fields.name)
  })

  test('is also reported if it was set with a link', { tags: ['long'] }, async () => {
    const { stranger, fields, token } = await linked()
    expect((await redeem(stranger, token)).statusCode).toBe(204)
    expect((await server.sink.emailTo(fields.email, 3)).content).toContain('was changed on')
  })

  test('is not reported if the change failed, and at most ten times a day to a mailbox', {
    tags: ['long'],
  }, async () => {
    const { person, fields } = await registered()
    const { token } = await person.enter()
    const before = await notices()
    expect(await change(token, 'a wrong guess')).toBe(400)
    expect(await notices()).toBe(before)
    for (let n = 0; n < 12; n += 1) {
      later(4 * MINUTE)
      expect(await change(token, n === 0 ? fields.password : 'analytical engine')).toBe(204)
    }
    expect(await notices()).toBe(before + 10)
  })
})

test('an account that is being deleted gets an email that says until when the deletion can be cancelled', async () => {
  const { person, fields } = await registered()
  const { token } = await person.enter()
  const left = await server.app.inject({
    method: 'POST',
    url: '/api/account/deletion',
    headers: { authorization: `Bearer ${token}` },
    payload: { email: fields.email },
  })
  expect(left.statusCode).toBe(200)
  const { content } = await server.sink.emailTo(fields.email, 2)
  expect(content).toContain('Subject: Your account on Milepost will be deleted')
  expect(content).toMatch(/will be deleted on \w+ \d+, \d{4}/)
  expect(content).toContain('http://localhost:4400/login')
})

test('without mail no link can be requested, and unknown links are invalid', async () => {
  const mute = await testServer()
  expect((await ask(visitor(mute.app), account().email)).statusCode).toBe(404)
  expect((await redeem(visitor(mute.app), 'x'.repeat(43))).statusCode).toBe(410)
  await mute.close()
})
