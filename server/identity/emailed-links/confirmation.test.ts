import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { EmailOwner } from '#server/identity/identity.ts'
import { account, errorOf, registered, type Visitor, visitor } from '#server/identity/local/testing.ts'
import type { Delivered } from '#server/platform/mail/testing.ts'
import { type MailingTestServer, mailingTestServer, testServer } from '#server/testing/local-server.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

let server: MailingTestServer
let owners: EmailOwner[] = []

beforeAll(async () => {
  server = await mailingTestServer({ onEmailChange: async (_trx, person) => () => void owners.push(person) })
})
afterAll(() => server.close())
beforeEach(() => {
  server.time.now = new Date()
  owners = []
})

function tokenIn({ content }: Delivered): string {
  const token = /http:\/\/localhost:4400\/verify-email\/([\w-]+)/.exec(content)?.[1]
  if (!token) throw new Error(`there is no link in ${content}`)
  return token
}

/** A user who has just registered, and the token of their confirmation link. */
async function linked() {
  const { person, fields } = await registered(server)
  return { person, fields, token: tokenIn(await server.sink.emailTo(fields.email)) }
}

const confirm = (person: Visitor, token: string) => person.send('POST', '/api/auth/verify-email', { token })
const askAgain = (person: Visitor) => person.send('POST', '/api/auth/send-verification-email')

async function isVerified({ email }: { email: string }) {
  const { rows } = await sql<{ provider: boolean; application: boolean | null }>`
    select p."emailVerified" as provider, u.email_verified as application
    from identity."user" p left join users u on u.subject = p.id::text where p.email = ${email}`.execute(
    server.db,
  )
  return rows[0]
}

const claimOf = (idToken: string) =>
  (
    JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString()) as {
      email_verified: boolean
    }
  ).email_verified

describe('a sign-up', () => {
  test('causes one email with the link, without any other input', async () => {
    const { fields } = await linked()
    const emails = server.sink.delivered.filter(({ to }) => to.includes(fields.email))
    expect(emails).toHaveLength(1)
    expect(emails[0]?.content).not.toContain(fields.name)
  })

  test('succeeds while the mail server is down, and the email is sent once it is up', {
    tags: ['long'],
  }, async () => {
    await server.sink.stop()
    const { person, fields } = await registered(server)
    const tries = vi.fn<() => Promise<void>>(async () => {
      const { rows } = await sql`
        select from jobs.job where name = 'confirmation-letters' and retry_count > 1
          and state in ('retry', 'active')`.execute(server.db)
      expect(rows).toHaveLength(1)
    })
    await vi.waitFor(tries, { timeout: 60_000, interval: 50 })
    await server.sink.restart()
    const email = await server.sink.emailTo(fields.email)
    expect((await confirm(person, tokenIn(email))).statusCode).toBe(204)
    expect(await isVerified(fields)).toMatchObject({ provider: true })
    expect(server.sink.delivered.filter(({ to }) => to.includes(fields.email))).toHaveLength(1)
  })

  test('causes no second email if its job runs again, as after a crash', { tags: ['long'] }, async () => {
    const { fields } = await linked()
    const jobsIn = (state: string) =>
      sql`
      select from jobs.job where name = 'confirmation-letters' and state = ${state}`.execute(server.db)
    await vi.waitFor(async () => expect((await jobsIn('active')).rows).toEqual([]), { timeout: 60_000 })
    await sql`update jobs.job set state = 'created', completed_on = null`.execute(server.db)
    await vi.waitFor(async () => expect((await jobsIn('created')).rows).toEqual([]), { timeout: 60_000 })
    await linked()
    expect(server.sink.delivered.filter(({ to }) => to.includes(fields.email))).toHaveLength(1)
  })

  test('leaves no token in the database, nor in the log when it is used', async () => {
    const { person, token } = await linked()
    const tables = ['identity.confirmations', 'identity.verification', 'jobs.job']
    for (const table of tables) {
      const { rows } = await sql`
        select from ${sql.table(table)} t where t::text like ${`%${token}%`}`.execute(server.db)
      expect([table, rows.length]).toEqual([table, 0])
    }
    await confirm(person, token)
    expect(server.logged.filter((line) => line.includes(token))).toEqual([])
  })
})

describe('a link', () => {
  test('verifies the email in the session of its account, for the provider and the application', async () => {
    const { person, fields, token } = await linked()
    await person.enter()
    expect(claimOf(await person.idToken())).toBe(false)
    expect(await isVerified(fields)).toEqual({ provider: false, application: false })
    expect((await confirm(person, token)).statusCode).toBe(204)
    expect(await isVerified(fields)).toEqual({ provider: true, application: true })
    expect(claimOf(await person.idToken())).toBe(true)
    await person.enter()
    expect(await isVerified(fields)).toEqual({ provider: true, application: true })
  })

  test('reports once that the email is verified', async () => {
    const { person, fields, token } = await linked()
    await person.enter()
    const { email } = fields
    expect(owners).toMatchObject([{ email, emailVerified: false }])
    await confirm(person, token)
    await confirm(person, token)
    await person.enter()
    expect(owners.slice(1)).toMatchObject([{ email, emailVerified: true }])
  })

  test('that was redeemed returns the same response after a lost one, until it expires', async () => {
    const { person, token } = await linked()
    const answers = await Promise.all([1, 2, 3].map(() => confirm(person, token)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([204, 204, 204])
    server.time.now = new Date(Date.now() + DAY + MINUTE)
    expect(await errorOf(confirm(person, token))).toEqual([410, 'expired'])
  })

  test('that was redeemed returns the same error to another account', async () => {
    const { person, token } = await linked()
    const other = await registered(server)
    const before = (await confirm(other.person, token)).body
    expect((await confirm(person, token)).statusCode).toBe(204)
    const after = await confirm(other.person, token)
    expect([after.statusCode, after.body]).toEqual([403, before])
    expect(await isVerified(other.fields)).toMatchObject({ provider: false })
  })

  test('that was redeemed does not confirm an email to which the account has changed', async () => {
    const { person, fields, token } = await linked()
    await confirm(person, token)
    await sql`
      update identity."user" set email = ${`new-${fields.email}`}, "emailVerified" = false
      where email = ${fields.email}`.execute(server.db)
    expect(await errorOf(confirm(person, token))).toEqual([410, 'expired'])
    expect(await isVerified({ email: `new-${fields.email}` })).toMatchObject({ provider: false })
  })

  test('is valid for a day', async () => {
    const { person, fields, token } = await linked()
    server.time.now = new Date(Date.now() + DAY + MINUTE)
    expect(await errorOf(confirm(person, token))).toEqual([410, 'expired'])
    expect(await isVerified(fields)).toMatchObject({ provider: false })
  })

  test('does not sign in, and has no effect without a session', async () => {
    const { fields, token } = await linked()
    const victim = visitor(server.app)
    expect(await errorOf(confirm(victim, token))).toEqual([401, 'not_signed_in'])
    expect(victim.jar.size).toBe(0)
    expect(await isVerified(fields)).toMatchObject({ provider: false })
  })

  test('has no effect in another account’s session, and stays valid for its own', async () => {
    const attacker = await linked()
    const victim = await registered(server)
    expect(await errorOf(confirm(victim.person, attacker.token))).toEqual([403, 'wrong_account'])
    expect(await isVerified(attacker.fields)).toMatchObject({ provider: false })
    expect(await isVerified(victim.fields)).toMatchObject({ provider: false })
    expect((await confirm(attacker.person, attacker.token)).statusCode).toBe(204)
  })

  test('cannot be redeemed by another site’s page', async () => {
    const { person, token } = await linked()
    const lured = visitor(server.app, { headers: { origin: 'https://attacker.example' } })
    for (const [name, value] of person.jar) lured.jar.set(name, value)
    expect(await errorOf(confirm(lured, token))).toEqual([403, 'foreign_origin'])
  })

  test('that this server did not create is reported as expired', async () => {
    const { person } = await linked()
    expect(await errorOf(confirm(person, 'x'.repeat(43)))).toEqual([410, 'expired'])
  })
})

describe('another link', () => {
  test('can be requested after a minute; redeeming one invalidates the others', async () => {
    const { person, fields, token } = await linked()
    expect(await errorOf(askAgain(person))).toEqual([429, 'too_many_requests'])
    server.time.now = new Date(Date.now() + 2 * MINUTE)
    expect((await askAgain(person)).statusCode).toBe(204)
    const second = tokenIn(await server.sink.emailTo(fields.email, 2))
    expect(second).not.toBe(token)
    expect((await confirm(person, second)).statusCode).toBe(204)
    expect(await errorOf(confirm(person, token))).toEqual([410, 'expired'])
    expect(await errorOf(askAgain(person))).toEqual([409, 'conflict'])
  })

  test('can be requested at most five times a day', async () => {
    const { person } = await linked()
    const statuses: number[] = []
    for (let asked = 1; asked <= 5; asked += 1) {
      server.time.now = new Date(Date.now() + asked * 2 * MINUTE)
      statuses.push((await askAgain(person)).statusCode)
    }
    expect(statuses).toEqual([204, 204, 204, 204, 429])
  })
})

test('a server without mail neither announces nor offers confirmations', async () => {
  const silent = await testServer()
  const person = visitor(silent.app)
  expect((await person.signUp()).statusCode).toBe(204)
  expect(await errorOf(askAgain(person))).toEqual([404, 'not_found'])
  const { rows } = await sql`select from identity.confirmations`.execute(silent.settings.db)
  expect(rows).toEqual([])
  await silent.close()
})

test('accounts with emails of one mailbox share a limit of ten links a day, beyond which they are still created', {
  tags: ['long'],
}, async () => {
  const name = `flood${Date.now()}`
  const inMailbox = async () => {
    const { rows } = await sql`
      select from identity.confirmations where email like ${`${name}+%`}`.execute(server.db)
    return rows.length
  }
  const signUp = async (n: number) => {
    const person = visitor(server.app)
    const answer = await person.signUp({ ...account(), email: `${name}+${n}@example.test` })
    expect(answer.statusCode).toBe(204)
    return person
  }
  for (let n = 0; n < 11; n += 1) await signUp(n)
  expect(await inMailbox()).toBe(10)
  const late = await signUp(11)
  expect(await errorOf(askAgain(late))).toEqual([429, 'too_many_requests'])
  server.time.now = new Date(Date.now() + DAY + MINUTE)
  expect((await askAgain(late)).statusCode).toBe(204)
  expect(await inMailbox()).toBe(11)
})
