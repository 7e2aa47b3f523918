import { createHmac } from 'node:crypto'
import { exportJWK, exportSPKI, generateKeyPair } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '#server/database/testing.ts'
import { assembleIdentity } from '#server/identity/create.ts'
import type { Identity, Provider } from '#server/identity/identity.ts'
import { AppError } from '#server/platform/api/errors.ts'
import { createLogger } from '#server/platform/log/logger.ts'
import { derive } from '#server/platform/secrets.ts'
import { testServer } from '#server/testing/local-server.ts'
import { createFirebaseProvider } from './provider.ts'
import { goodClaims, type Issuer, PROJECT, secondsNow, testIssuer } from './testing.ts'

const firebase = { projectId: PROJECT, apiKey: 'public-key', authDomain: `${PROJECT}.firebaseapp.com` }
const secrets = { current: derive('the secret of a server under test'), previous: null }
const logged: string[] = []
const log = createLogger('warn', { write: (line) => void logged.push(line) })
const clock = () => new Date()

let database: Awaited<ReturnType<typeof testDatabase>>
let issuer: Issuer
let provider: Provider
let identity: Identity

beforeAll(async () => {
  database = await testDatabase()
  issuer = await testIssuer()
})
beforeEach(() => {
  issuer.published.status = 200
  issuer.published.asked = 0
  provider = createFirebaseProvider({ firebase, log, clock, keysUrl: issuer.keysUrl })
  identity = assembleIdentity({ db: database.db, secrets, clock }, provider)
})
afterAll(async () => {
  await issuer.close()
  await database.close()
})

const verdict = (token: string) =>
  provider.verifyIdToken(token).then(
    () => 'accepted',
    (error: unknown) => (error instanceof AppError ? error.code : error),
  )

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Returns a token with valid claims under another header, signed differently or not at all. */
const forged = (header: object, sign: (input: string) => string) => {
  const input = `${part({ kid: 'first', ...header })}.${part(goodClaims())}`
  return `${input}.${sign(input)}`
}

test('a valid token identifies a person', async () => {
  expect(await provider.verifyIdToken(await issuer.token())).toEqual({
    issuer: `https://securetoken.google.com/${PROJECT}`,
    subject: 'Xk2vQ0r9',
    email: 'ada@example.test',
    emailVerified: true,
    name: 'Ada Lovelace',
    picture: 'https://lh3.googleusercontent.com/a/ada',
    session: null,
    provenAt: expect.any(Date),
  })
  const plain = await issuer.token({ email_verified: undefined, name: undefined, picture: undefined })
  expect(await provider.verifyIdToken(plain)).toMatchObject({
    emailVerified: false,
    name: null,
    picture: null,
  })
})

describe('a token is refused', () => {
  test('if it is not signed', async () => {
    for (const alg of ['none', 'None', 'NONE', ''])
      expect(await verdict(forged({ alg }, () => ''))).toBe('not_signed_in')
    const [header, payload] = (await issuer.token()).split('.')
    expect(await verdict(`${header}.${payload}.`)).toBe('not_signed_in')
  })

  test('if it is signed with the public key as a shared secret', async () => {
    const jwk = await exportJWK(issuer.publicKey)
    for (const secret of [await exportSPKI(issuer.publicKey), JSON.stringify(jwk), jwk.n ?? '']) {
      const hmac = (input: string) => createHmac('sha256', secret).update(input).digest('base64url')
      expect(await verdict(forged({ alg: 'HS256' }, hmac))).toBe('not_signed_in')
    }
  })

  test('if another key signed it, with a known or an unknown key id', async () => {
    const { privateKey: key } = await generateKeyPair('RS256')
    expect(await verdict(await issuer.token({}, { key }))).toBe('not_signed_in')
    expect(await verdict(await issuer.token({}, { key, kid: 'second' }))).toBe('not_signed_in')
  })

  test.each([
    ['was issued for another project', { aud: 'another-project' }],
    ['comes from another project', { iss: 'https://securetoken.google.com/another-project' }],
    ['comes from Google, but not from Firebase', { iss: 'https://accounts.google.com' }],
    ['has no issuer', { iss: undefined }],
    ['has no audience', { aud: undefined }],
    ['is over', { exp: secondsNow() - 1 }],
    ['never ends', { exp: undefined }],
    ['has no date', { iat: undefined }],
    ['was issued in the future', { iat: secondsNow() + 300 }],
    ['tells no time of sign-in', { auth_time: undefined }],
    ['tells of a sign-in in the future', { auth_time: secondsNow() + 300 }],
    ['speaks of nobody', { sub: undefined }],
    ['speaks of an empty name', { sub: '' }],
    ['has no e-mail address', { email: undefined }],
    ['has an address that is none', { email: 42 }],
  ])('when it %s', async (_what, claims) => {
    expect(await verdict(await issuer.token(claims))).toBe('not_signed_in')
  })

  test('if it is malformed', async () => {
    for (const garbage of ['x', 'a.b.c', '....', `${part({ alg: 'RS256', kid: 'first' })}.e30.AA`, '💥'])
      expect(await verdict(garbage)).toBe('not_signed_in')
  })
})

test('our clock may lag a little behind Google’s', async () => {
  const token = await issuer.token({ iat: secondsNow() + 5, auth_time: secondsNow() + 5 })
  await expect(provider.verifyIdToken(token)).resolves.toMatchObject({ subject: 'Xk2vQ0r9' })
})

describe('the keys', () => {
  test('are fetched once, however often unknown ones are requested', async () => {
    const tokens = await Promise.all(['first', 'x', 'y', 'z'].map((kid) => issuer.token({}, { kid })))
    for (const token of [...tokens, ...tokens]) await Promise.allSettled([provider.verifyIdToken(token)])
    expect(issuer.published.asked).toBe(1)
  })

  test('that cannot be fetched are reported as unavailable and logged, and the token is not refused', async () => {
    const token = await issuer.token()
    const unavailable = { code: 'unavailable', status: 503, retryAfter: expect.any(Number) }
    issuer.published.status = 500
    await expect(provider.verifyIdToken(token)).rejects.toMatchObject(unavailable)
    expect(logged.join()).toContain('keys could not be fetched')
    expect(logged.join()).not.toContain(token)

    const nowhere = createFirebaseProvider({ firebase, log, clock, keysUrl: new URL('http://127.0.0.1:1/') })
    await expect(nowhere.verifyIdToken(token)).rejects.toMatchObject(unavailable)

    issuer.published.status = 200
    await expect(provider.verifyIdToken(token)).resolves.toMatchObject({ subject: 'Xk2vQ0r9' })
  })
})

describe('an exchange', () => {
  test('creates one user, even for twenty concurrent requests', async () => {
    const idToken = await issuer.token({ sub: 'at-once', email: 'twenty@example.test' })
    const answers = await Promise.all(Array.from({ length: 20 }, () => identity.exchange({ idToken })))
    expect(new Set(answers.map(({ user }) => user._id)).size).toBe(1)
    const rows = await database.db
      .selectFrom('users')
      .select('subject')
      .where('email', '=', 'twenty@example.test')
      .execute()
    expect(rows).toEqual([{ subject: 'at-once' }])
  })

  test('proves who the person is if they signed in at Firebase within the last ten minutes', async () => {
    const proof = async (auth_time: number) => {
      const { token } = await identity.exchange({ idToken: await issuer.token({ sub: 'again', auth_time }) })
      const caller = await identity.authenticate(token)
      return identity.requireProof(caller).then(
        () => 'proven',
        ({ code }: AppError) => code,
      )
    }
    expect(await proof(secondsNow() - 11 * 60)).toBe('proof_required')
    expect(await proof(secondsNow())).toBe('proven')
  })

  test('identifies people by subject, not by email', async () => {
    const email = 'shared@example.test'
    const [one, other] = [
      await issuer.token({ sub: 'one', email }),
      await issuer.token({ sub: 'two', email }),
    ]
    const ids = [await identity.exchange({ idToken: one }), await identity.exchange({ idToken: other })]
    expect(ids[0]?.user._id).not.toBe(ids[1]?.user._id)
  })
})

test('with Firebase, neither routes nor keys of the local provider exist', async () => {
  const { app, settings, close } = await testServer({ firebase })
  for (const url of ['/api/auth/sign-in/email', '/api/auth/sign-up/email', '/api/auth/sign-out'])
    expect((await app.inject({ method: 'POST', url, payload: {} })).statusCode).toBe(404)
  expect((await app.inject('/api/auth/token')).statusCode).toBe(404)
  expect((await app.inject('/api/identity')).json()).toEqual({
    provider: 'firebase',
    google: true,
    issuerOnly: false,
    passkeys: false,
    sendsMail: false,
    registration: 'open',
    emailDomains: [],
    firebase,
  })
  expect((await sql`select 1 from identity.jwks`.execute(settings.db)).rows).toEqual([])
  await close()
})
