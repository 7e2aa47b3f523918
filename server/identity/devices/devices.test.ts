import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { messageOf, person, signInWithIssuer, testIssuer } from '#server/identity/issuer/testing.ts'
import { registered as registeredOn, visitor } from '#server/identity/local/testing.ts'
import { awaitingSecondStep, enterCode, secured } from '#server/identity/two-factor/testing.ts'
import { type MailingTestServer, mailingTestServer, testServer } from '#server/testing/local-server.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let server: MailingTestServer
beforeAll(async () => {
  server = await mailingTestServer()
})
afterAll(() => server.close())

/** A browser other than the one in which the user registered. */
const firefox = () => visitor(server.app, { headers: { 'user-agent': FIREFOX } })

async function registered() {
  const { person: browser, fields } = await registeredOn(server)
  await server.sink.emailTo(fields.email) // the confirmation
  const { token } = await browser.enter()
  return { browser, fields, token }
}

const subjects = (email: string) =>
  server.sink.delivered
    .filter(({ to }) => to.includes(email))
    .map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1]?.trim())

/** Returns the text of an email with white space collapsed. */
const textOf = (email: string, subject: string) =>
  server.sink.delivered
    .find(({ to, raw }) => to.includes(email) && raw.includes(`Subject: ${subject}`))
    ?.raw.replaceAll(/=\r?\n/g, '')
    .replaceAll(/\s+/g, ' ')

/** Waits until the email queue is empty, and returns the number of emails about new sign-ins. */
async function signInEmails(email: string): Promise<number> {
  await expect
    .poll(async () => {
      const { rows } = await sql`
        select from jobs.job where name = 'new-sign-in-emails' and state <> 'completed'`.execute(server.db)
      return rows.length
    })
    .toBe(0)
  return subjects(email).filter((subject) => subject === 'New sign-in to Milepost').length
}

test('the account owner is notified once of a sign-in on a new device, with the device, the time and a link to the sessions', async () => {
  const { fields } = await registered()
  const browser = firefox()
  await browser.signIn(fields)
  expect(await signInEmails(fields.email)).toBe(0) // not before the session is used
  await browser.enter()
  const { content } = await server.sink.emailTo(fields.email, 2)
  expect(content).toContain('Firefox on Linux')
  expect(content).toContain('http://localhost:4400/settings')
  expect(content).toMatch(/on \w+ \d+, \d{4} at \d+:\d\d [AP]M UTC/)
  await browser.signOut()
  await browser.signIn(fields)
  await browser.enter()
  await browser.enter()
  expect(await signInEmails(fields.email)).toBe(1)
})

test('registering, and signing in again in the same browser, cause no notification', async () => {
  const { browser, fields } = await registered()
  await browser.signOut()
  await browser.signIn(fields)
  await browser.enter()
  expect(await signInEmails(fields.email)).toBe(0)
})

test('a browser that is known to one account is new to another one', async () => {
  const [one, other] = [await registered(), await registered()]
  const browser = one.browser
  await browser.signOut()
  await browser.signIn(other.fields)
  await browser.enter()
  expect(await signInEmails(other.fields.email)).toBe(1)
})

test('a cookie that is copied to another kind of browser is a new device', async () => {
  const { browser, fields } = await registered()
  const copy = firefox()
  copy.jar.set('milepost.device', browser.jar.get('milepost.device') ?? '')
  await copy.signIn(fields)
  await copy.enter()
  expect(await signInEmails(fields.email)).toBe(1)
})

test('two simultaneous exchanges on a new device cause one notification', { tags: ['long'] }, async () => {
  const { fields } = await registered()
  const browser = firefox()
  await browser.signIn(fields)
  await Promise.all(Array.from({ length: 5 }, () => browser.enter()))
  expect(await signInEmails(fields.email)).toBe(1)
})

test('a sign-in with a code is notified after the right code', async () => {
  const owner = await secured(server)
  const browser = await awaitingSecondStep(server, owner)
  expect(await signInEmails(owner.fields.email)).toBe(0)
  await enterCode(browser, owner.nextCode())
  await browser.enter()
  expect(await signInEmails(owner.fields.email)).toBe(1)
})

test('changes of two-step sign-in are notified', async () => {
  const owner = await secured(server)
  const [recovery = ''] = owner.recoveryCodes
  await enterCode(await awaitingSecondStep(server, owner), recovery)
  await owner.account('POST', '/two-factor/recovery-codes')
  await owner.account('POST', '/two-factor/removal')
  const expected = [
    'Two-step sign-in was turned on for Milepost',
    'A recovery code was used for Milepost',
    'You have new recovery codes for Milepost',
    'Two-step sign-in was turned off for Milepost',
  ]
  await expect.poll(() => subjects(owner.fields.email)).toEqual(expect.arrayContaining(expected))
})

test('emails about sign-ins and two-step sign-in use the date settings of the recipient', {
  tags: ['long'],
}, async () => {
  const owner = await secured(server)
  await owner.account('PUT', '/dates', { timeZone: 'Asia/Tokyo', dateFormat: 'iso' })
  const browser = await awaitingSecondStep(server, owner)
  await enterCode(browser, owner.nextCode())
  await browser.enter()
  await owner.account('POST', '/two-factor/removal')
  for (const subject of ['New sign-in to Milepost', 'Two-step sign-in was turned off for Milepost'])
    await expect
      .poll(() => textOf(owner.fields.email, subject))
      .toMatch(/on \d{4}-\d\d-\d\d,? \d\d:\d\d \(Asia\/Tokyo\)/)
})

test('a sign-in with Google on a new device is notified, except the one that creates the account', {
  tags: ['long'],
}, async () => {
  const issuer = await testIssuer()
  const google = await mailingTestServer({ issuer: issuer.settings })
  const grace = person()
  issuer.says(grace)
  const count = () => google.sink.delivered.filter(({ raw }) => raw.includes('New sign-in')).length
  const first = visitor(google.app)
  expect(messageOf(await signInWithIssuer(first)).outcome).toBe('signed-in')
  await first.enter()
  const second = visitor(google.app, { headers: { 'user-agent': FIREFOX } })
  await signInWithIssuer(second)
  await second.enter()
  await google.sink.emailTo(grace.email)
  expect(count()).toBe(1)
  await google.close()
  await issuer.close()
})

test('without mail, devices are also recognized, by a cookie that is hidden from scripts and other sites', async () => {
  const silent = await testServer()
  const { person: browser, fields } = await registeredOn(silent)
  await browser.enter()
  const other = visitor(silent.app)
  const response = await other.signIn(fields)
  expect(String(response.headers['set-cookie'])).toMatch(
    /milepost\.device=[\w-]{43}; Max-Age=34560000; Path=\/api\/auth; HttpOnly; SameSite=Lax/i,
  )
  await other.enter()
  const { rows } = await sql<{ hash: string }>`select hash from identity.devices`.execute(silent.settings.db)
  expect(rows).toHaveLength(2)
  expect(rows.map(({ hash }) => hash)).not.toContain(other.jar.get('milepost.device'))
  await silent.close()
})
