import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { account, type TestServer, testServer, visitor } from '#server/identity/local/testing.ts'
import { messageOf, person, signInWithGoogle, type TestIssuer, testIssuer } from './testing.ts'

let issuer: TestIssuer
let server: TestServer

beforeAll(async () => {
  issuer = await testIssuer()
  server = await testServer({ google: issuer.settings })
})
afterAll(async () => {
  await server.close()
  await issuer.close()
})

async function enterAs(claims: object) {
  issuer.says(claims)
  const browser = visitor(server.app)
  return { browser, outcome: messageOf(await signInWithGoogle(browser)).outcome }
}

/** Somebody with an account by password, whose address is verified or not. */
async function registered(verified: boolean) {
  const fields = account()
  const browser = visitor(server.app)
  await browser.signUp(fields)
  await sql`update identity."user" set "emailVerified" = ${verified} where email = ${fields.email}`.execute(
    server.settings.db,
  )
  return { fields, browser, ...(await browser.enter()) }
}

describe('an account with a verified address', () => {
  test('is opened by Google too, once Google has verified the same address', async () => {
    const { fields, browser, user, token } = await registered(true)
    const google = await enterAs(person({ email: fields.email.toUpperCase() }))
    expect((await google.browser.enter()).user._id).toBe(user._id)
    expect(await browser.me(token)).toBe(200)
    expect((await visitor(server.app).signIn(fields)).statusCode).toBe(204)
  })

  test('is not opened by an address that Google has not verified', async () => {
    const { fields, browser, token } = await registered(true)
    for (const claim of [false, undefined, 'true', 1]) {
      const google = await enterAs(person({ email: fields.email, email_verified: claim }))
      expect([google.outcome, google.browser.jar.size]).toEqual(['failed', 0])
    }
    expect(await browser.me(token)).toBe(200)
  })

  test('is not opened by a second person of Google with its address, as a company may give it anew', async () => {
    const grace = person()
    const first = await enterAs(grace)
    const { token } = await first.browser.enter()
    expect((await enterAs(person({ email: grace.email }))).outcome).toBe('failed')
    expect(await first.browser.me(token)).toBe(200)
  })
})

describe('an attacker who registered the victim’s address', () => {
  test('keeps neither password, session, ID token nor application token once the victim comes with Google', async () => {
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

  test('keeps nothing either who signs in at that very moment', async () => {
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

  test('keeps nothing who did so by an issuer’s unverified word', async () => {
    const email = person().email
    const attacker = await enterAs(person({ email, email_verified: false }))
    const { token } = await attacker.browser.enter()
    const victim = await enterAs(person({ email }))
    expect(victim.outcome).toBe('signed-in')
    expect(await attacker.browser.me(token)).toBe(401)
    expect((await attacker.browser.send('GET', '/api/auth/token')).statusCode).toBe(401)
  })

  test('learns nothing of, and takes nothing from, a victim who came first', async () => {
    const victim = person()
    await enterAs(victim)
    const attacker = await enterAs(person({ email: victim.email, email_verified: false }))
    expect([attacker.outcome, attacker.browser.jar.size]).toEqual(['failed', 0])
  })
})
