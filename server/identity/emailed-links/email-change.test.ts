import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { EmailOwner } from '#server/identity/identity.ts'
import { account, errorOf, registered, visitor } from '#server/identity/local/testing.ts'
import { type MailingTestServer, mailingTestServer, testServer } from '#server/testing/local-server.ts'
import { markSent } from './store.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let server: MailingTestServer
let owners: EmailOwner[] = []
beforeAll(async () => {
  server = await mailingTestServer({ onEmailChange: async (_trx, owner) => () => void owners.push(owner) })
})
afterAll(() => server.close())
beforeEach(() => {
  server.time.now = new Date()
  owners = []
})

/** A signed-in user, with or without a verified email. */
async function person({ isProven = true } = {}) {
  const { person: browser, fields } = await registered(server)
  await server.sink.emailTo(fields.email) // the confirmation
  if (isProven)
    await sql`update identity."user" set "emailVerified" = true where email = ${fields.email}`.execute(
      server.db,
    )
  const { token, user } = await browser.enter()
  return { browser, fields, token, userId: user._id }
}
type Somebody = Awaited<ReturnType<typeof person>>

function send(
  { token }: { token?: string },
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  path: string,
  payload?: object,
) {
  return server.app.inject({
    method,
    url: `/api/account${path}`,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(payload && { payload }),
  })
}

const ask = (who: Somebody, email: string, currentPassword = who.fields.password) =>
  send(who, 'PUT', '/email', { email, currentPassword })
const confirm = (who: { token: string }, token: string) => send(who, 'POST', '/email/confirmation', { token })
const refuse = (token: string) => send({}, 'POST', '/email/refusal', { token })
const read = async (who: { token: string }) =>
  (await send(who, 'GET', '')).json<{ email: string; emailVerified: boolean; emailChange?: object }>()

const tokenIn = (content: string) =>
  /http:\/\/localhost:4400\/email-change\/([\w-]{43})/.exec(content)?.[1] ?? ''

/** A user with a pending email change, and the tokens of the links to both emails. */
async function asked() {
  const ada = await person()
  const next = account().email
  expect((await ask(ada, next)).statusCode).toBe(200)
  const current = tokenIn((await server.sink.emailTo(ada.fields.email, 2)).content)
  const fresh = tokenIn((await server.sink.emailTo(next)).content)
  return { ada, next, current, fresh }
}

test('redeeming a link locks nothing of an account while its administrator changes it', {
  tags: ['long'],
}, async () => {
  const { ada, current } = await asked()
  const grace = await person({ isProven: false })
  const { content } = await server.sink.emailTo(grace.fields.email)
  const token = /\/verify-email\/([\w-]+)/.exec(content)?.[1]
  expect(await redeemDuringChange(ada, () => confirm(ada, current))).toBe(200)
  const prove = () => grace.browser.send('POST', '/api/auth/verify-email', { token })
  expect(await redeemDuringChange(grace, prove)).toBe(204)
})

/** Redeems a link while an administrator's transaction locks its user, and then its account. Returns the status. */
async function redeemDuringChange(
  { userId, fields }: Somebody,
  redeem: () => Promise<{ statusCode: number }>,
): Promise<number> {
  const { redeeming } = await server.db.transaction().execute(async (trx) => {
    await sql`select from users where id = ${userId} for no key update`.execute(trx)
    const redeeming = Promise.resolve(redeem())
    await vi.waitFor(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        trx,
      )
      expect(rows).toHaveLength(1)
    })
    await sql`select from identity."user" where email = ${fields.email} for update nowait`.execute(trx)
    return { redeeming }
  })
  return (await redeeming).statusCode
}

describe('requesting another email', () => {
  test('changes nothing by itself, and shows which confirmations are missing', async () => {
    const { ada, next } = await asked()
    expect(await read(ada)).toMatchObject({
      email: ada.fields.email,
      emailChange: { email: next, unconfirmed: ['current', 'new'] },
    })
    expect((await send(ada, 'DELETE', '/email')).statusCode).toBe(204)
    expect(await read(ada)).not.toHaveProperty('emailChange')
  })

  test('requires the password, with a rate limit', async () => {
    const ada = await person()
    const wrong = await ask(ada, account().email, 'a wrong guess')
    expect(wrong.json()).toMatchObject({ code: 'invalid', issues: [{ path: 'currentPassword' }] })
    const guesses = await Promise.all(
      Array.from({ length: 11 }, () => ask(ada, account().email, 'another guess')),
    )
    expect(guesses.filter(({ statusCode }) => statusCode === 429)).toHaveLength(2)
    expect((await ask(ada, account().email)).statusCode).toBe(429)
    expect(await read(ada)).not.toHaveProperty('emailChange')
  })

  test('is refused for the current email, in upper or lower case, and for an invalid one', {
    tags: ['long'],
  }, async () => {
    const ada = await person()
    expect((await ask(ada, ada.fields.email.toUpperCase())).json()).toMatchObject({
      issues: [{ path: 'email' }],
    })
    for (const email of [
      '',
      'nobody',
      'a@b.test, c@d.test',
      'a@b.test\r\nBcc: c@d.test',
      `${'a'.repeat(250)}@b.test`,
    ])
      expect([email, (await ask(ada, email)).statusCode]).toEqual([email, 400])
  })

  test('returns the same response whether or not the email has an account; only the emails differ', async () => {
    const [ada, taken] = [await person(), await person()]
    const answer = await ask(ada, taken.fields.email)
    const { content } = await server.sink.emailTo(taken.fields.email, 2)
    expect(content).toContain('has an account already')
    expect(tokenIn(content)).toBe('')
    const shown = answer.json<{ emailChange: { email: string } }>()
    expect(answer.statusCode).toBe(200)
    expect(shown.emailChange).toEqual({ email: taken.fields.email, unconfirmed: ['current', 'new'] })
    const free = (await ask(ada, account().email)).json<{ emailChange: object }>()
    expect(free.emailChange).toMatchObject({ unconfirmed: ['current', 'new'] })
  })

  test('again replaces the pending change and invalidates its links', { tags: ['long'] }, async () => {
    const { ada, current, fresh } = await asked()
    const other = account().email
    expect((await ask(ada, other)).statusCode).toBe(200)
    expect(await errorOf(confirm(ada, current))).toEqual([410, 'expired'])
    expect(await errorOf(confirm(ada, fresh))).toEqual([410, 'expired'])
    expect(await read(ada)).toMatchObject({ emailChange: { email: other } })
  })

  test('is limited to five requests a day per account, and five per mailbox', {
    tags: ['long'],
  }, async () => {
    const ada = await person()
    const statuses: number[] = []
    for (let n = 0; n < 6; n += 1) statuses.push((await ask(ada, account().email)).statusCode)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    const name = `flood${Date.now()}`
    const flooding: number[] = []
    for (let n = 0; n < 6; n += 1)
      flooding.push((await ask(await person({ isProven: false }), `${name}+${n}@example.test`)).statusCode)
    expect(flooding).toEqual([200, 200, 200, 200, 200, 429])
  })

  test('leaves no token in the database', async () => {
    const { current, fresh } = await asked()
    for (const token of [current, fresh])
      for (const table of ['identity.email_change_links', 'jobs.job']) {
        const { rows } = await sql`
          select from ${sql.table(table)} t where t::text like ${`%${token}%`}`.execute(server.db)
        expect([table, rows.length]).toEqual([table, 0])
      }
  })
})

describe('a change of the email', () => {
  test('happens once both emails have confirmed it, ends all other sessions, and is reported to the former email', async () => {
    const { ada, next, current, fresh } = await asked()
    const elsewhere = visitor(server.app)
    await elsewhere.signIn(ada.fields)
    const { token: other } = await elsewhere.enter()
    await server.sink.emailTo(ada.fields.email, 3) // the new sign-in, which is emailed to the address at the time of sending

    expect((await confirm(ada, fresh)).json()).toEqual({ email: ada.fields.email, unconfirmed: ['current'] })
    expect(await elsewhere.me(other)).toBe(200)
    owners = []
    expect((await confirm(ada, current)).json()).toEqual({ email: next, unconfirmed: [] })
    expect(await read(ada)).toMatchObject({ email: next, emailVerified: true })
    expect(await read(ada)).not.toHaveProperty('emailChange')
    expect(await elsewhere.me(other)).toBe(401)
    expect((await elsewhere.send('GET', '/api/auth/token')).statusCode).toBe(401)
    expect(owners).toEqual([{ userId: ada.userId, email: next, emailVerified: true }])

    const { content } = await server.sink.emailTo(ada.fields.email, 4)
    expect(content).toContain('has another address since')
    expect(content).not.toContain(next)
    expect((await visitor(server.app).signIn(ada.fields)).statusCode).toBe(401)
    expect((await visitor(server.app).signIn({ ...ada.fields, email: next })).statusCode).toBe(204)
  })

  test('is not reverted by an older ID token', { tags: ['long'] }, async () => {
    const { ada, next, current, fresh } = await asked()
    const idToken = await ada.browser.idToken()
    await confirm(ada, current)
    await confirm(ada, fresh)
    const exchanged = await ada.browser.exchange({ idToken })
    expect(exchanged.json()).toMatchObject({ user: { email: next } })
    expect(await read(ada)).toMatchObject({ email: next, emailVerified: true })
  })

  test('of an unverified email requires only the confirmation of the new one', async () => {
    const ada = await person({ isProven: false })
    const next = account().email
    expect((await ask(ada, next)).json()).toMatchObject({ emailChange: { unconfirmed: ['new'] } })
    const token = tokenIn((await server.sink.emailTo(next)).content)
    expect((await confirm(ada, token)).json()).toEqual({ email: next, unconfirmed: [] })
  })

  test('that was requested before the current email was verified has to be requested again', async () => {
    const ada = await person({ isProven: false })
    const next = account().email
    await ask(ada, next)
    const token = tokenIn((await server.sink.emailTo(next)).content)
    await sql`update identity."user" set "emailVerified" = true where email = ${ada.fields.email}`.execute(
      server.db,
    )
    expect(await errorOf(confirm(ada, token))).toEqual([410, 'expired'])
    expect(await read(ada)).toMatchObject({ email: ada.fields.email })
  })

  test('succeeds for one of two accounts that request the same email', { tags: ['long'] }, async () => {
    const [ada, bo] = [await person({ isProven: false }), await person({ isProven: false })]
    const next = account().email
    await ask(ada, next)
    await ask(bo, next)
    const tokens = await Promise.all(
      [1, 2].map(async (n) => tokenIn((await server.sink.emailTo(next, n)).content)),
    )
    // Each link works in the session of its own account.
    const answers = await Promise.all([ada, bo].flatMap((who) => tokens.map((token) => confirm(who, token))))
    const own = answers.map(({ statusCode }) => statusCode).filter((status) => ![403, 410].includes(status))
    expect(own.toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  test('is cancelled by a password change, because somebody else may have requested it', async () => {
    const { ada, current, fresh } = await asked()
    const { statusCode } = await send(ada, 'PUT', '/password', {
      currentPassword: ada.fields.password,
      newPassword: 'analytical engine',
    })
    expect(statusCode).toBe(204)
    expect(await errorOf(confirm(ada, current))).toEqual([410, 'expired'])
    expect(await errorOf(confirm(ada, fresh))).toEqual([410, 'expired'])
  })

  test('can be refused by a link without a session', async () => {
    const { ada, current, fresh } = await asked()
    await confirm(ada, fresh)
    expect((await refuse(current)).statusCode).toBe(204)
    expect(await errorOf(confirm(ada, current))).toEqual([410, 'expired'])
    expect(await errorOf(confirm(ada, fresh))).toEqual([410, 'expired'])
    expect(await read(ada)).not.toHaveProperty('emailChange')
  })

  test('can be refused again with the same response, but not once it has taken effect', {
    tags: ['long'],
  }, async () => {
    const { ada, next, current, fresh } = await asked()
    for (const token of [current, current, fresh]) expect((await refuse(token)).statusCode).toBe(204)
    expect((await ask(ada, next)).statusCode).toBe(200)
    expect(await errorOf(refuse(current))).toEqual([410, 'expired'])
    const again = [
      tokenIn((await server.sink.emailTo(ada.fields.email, 3)).content),
      tokenIn((await server.sink.emailTo(next, 2)).content),
    ]
    for (const token of again) expect((await confirm(ada, token)).statusCode).toBe(200)
    for (const token of again) expect(await errorOf(refuse(token))).toEqual([410, 'expired'])
    expect(await read(ada)).toMatchObject({ email: next })
  })

  test('that was refused while its emails were being sent does not become pending again', {
    tags: ['long'],
  }, async () => {
    const { ada, next, current, fresh } = await asked()
    const { rows } = await sql<{ id: string }>`
      select id from identity.email_change_links where new_email = ${next}`.execute(server.db)
    expect((await refuse(current)).statusCode).toBe(204)
    const now = new Date(server.time.now.getTime() + MINUTE)
    const expiresAt = new Date(now.getTime() + HOUR)
    for (const { id } of rows)
      await markSent(server.db, 'identity.email_change_links', { id, now, expiresAt })
    expect(await errorOf(confirm(ada, fresh))).toEqual([410, 'expired'])
    expect(await read(ada)).not.toHaveProperty('emailChange')
  })
})

describe('a link to change the email', () => {
  test('works once, even for twenty concurrent requests', { tags: ['long'] }, async () => {
    const { ada, next, current, fresh } = await asked()
    await confirm(ada, current)
    const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(ada, fresh)))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(answers.filter(({ statusCode }) => statusCode === 410)).toHaveLength(19)
    expect(await read(ada)).toMatchObject({ email: next })
  })

  test('can be redeemed again with the same response until the other address has confirmed', {
    tags: ['long'],
  }, async () => {
    const { ada, next, current, fresh } = await asked()
    const waiting = { email: ada.fields.email, unconfirmed: ['current'] }
    for (let n = 0; n < 2; n += 1) expect((await confirm(ada, fresh)).json()).toEqual(waiting)
    expect(await read(ada)).toMatchObject({
      email: ada.fields.email,
      emailChange: { unconfirmed: ['current'] },
    })
    expect((await confirm(ada, current)).json()).toEqual({ email: next, unconfirmed: [] })
    expect(await errorOf(confirm(ada, fresh))).toEqual([410, 'expired'])
  })

  test('is valid for a day, only in a session of its account', { tags: ['long'] }, async () => {
    const { ada, next, fresh } = await asked()
    const mallory = await person()
    expect(await errorOf(confirm(mallory, fresh))).toEqual([403, 'wrong_account'])
    expect((await send({}, 'POST', '/email/confirmation', { token: fresh })).statusCode).toBe(401)
    expect(await errorOf(confirm(ada, 'x'.repeat(43)))).toEqual([410, 'expired'])
    const end = new Date(server.time.now.getTime() + 24 * HOUR + MINUTE)
    const { rows } = await sql`
      select from identity.email_change_links
      where new_email = ${next} and expires_at > ${end}`.execute(server.db)
    expect(rows).toEqual([])
    await sql`update identity.email_change_links set expires_at = ${server.time.now}`.execute(server.db)
    expect(await errorOf(confirm(ada, fresh))).toEqual([410, 'expired'])
  })
})

test('on a server without mail, the error says whom to ask', async () => {
  const silent = await testServer()
  const { person: browser, fields } = await registered(silent)
  const { token } = await browser.enter()
  const response = await silent.app.inject({
    method: 'PUT',
    url: '/api/account/email',
    headers: { authorization: `Bearer ${token}` },
    payload: { email: account().email, currentPassword: fields.password },
  })
  expect(response.json()).toEqual({
    code: 'conflict',
    message: 'This server sends no email. Ask an administrator to change your address.',
  })
  await silent.close()
})

test('an account that is linked to Google keeps its email', async () => {
  const ada = await person()
  await sql`
    update identity.account set password = null from identity."user" u
    where u.id = "userId" and u.email = ${ada.fields.email}`.execute(server.db)
  expect(await errorOf(ask(ada, account().email))).toEqual([409, 'conflict'])
})
