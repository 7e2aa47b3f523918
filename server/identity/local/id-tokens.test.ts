import { createHmac } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, exportSPKI, generateKeyPair, importJWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { derive } from '#server/platform/secrets.ts'
import { type TestServer, testServer } from '#server/testing/local-server.ts'
import { AUDIENCE, type Auth, createAuth, ISSUER, readKeys } from './auth.ts'
import { account, type Visitor, visitor } from './testing.ts'

let server: TestServer
let auth: Auth
let person: Visitor

beforeAll(async () => {
  server = await testServer()
  auth = createAuth(server.settings)
  person = visitor(server.app)
  await person.signUp()
})
afterAll(() => server.close())

const status = async (idToken: string) => (await person.exchange({ idToken })).statusCode

/** Signs changed claims with the provider's own key. */
async function signedByUs(changes: object) {
  const payload = { ...decodeJwt(await person.idToken()), ...changes }
  return (await auth.api.signJWT({ body: { payload } })).token
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

async function forged(header: object, sign: (input: string) => string) {
  const genuine = await person.idToken()
  const input = `${part({ ...decodeProtectedHeader(genuine), ...header })}.${genuine.split('.')[1]}`
  return `${input}.${sign(input)}`
}

async function publicKey() {
  const { keys } = await auth.api.getJwks()
  const [jwk] = keys
  if (!jwk) throw new Error('the provider has no key')
  return { jwk, pem: await exportSPKI((await importJWK(jwk, 'ES256')) as CryptoKey) }
}

test('an ID token identifies a person for ten minutes, and contains nothing else about their account', async () => {
  const token = await person.idToken()
  const claims = decodeJwt(token)
  expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', kid: expect.any(String) })
  expect(claims).toEqual({
    iss: ISSUER,
    aud: AUDIENCE,
    sub: expect.any(String),
    sid: expect.any(String),
    email: expect.stringContaining('@example.test'),
    email_verified: false,
    name: 'Ada Lovelace',
    iat: expect.any(Number),
    exp: Number(claims.iat) + 600,
  })
  expect(await status(token)).toBe(200)
})

describe('an ID token is refused', () => {
  test('if it is not signed', async () => {
    for (const alg of ['none', 'None', 'NONE'])
      expect(await status(await forged({ alg }, () => ''))).toBe(401)
  })

  test('if it is signed with our public key as a shared secret', async () => {
    const { jwk, pem } = await publicKey()
    for (const secret of [pem, JSON.stringify(jwk)]) {
      const hmac = (input: string) => createHmac('sha256', secret).update(input).digest('base64url')
      expect(await status(await forged({ alg: 'HS256' }, hmac))).toBe(401)
    }
  })

  test('if another key signed it, even one that it contains', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
    const claims = decodeJwt(await person.idToken())
    const { kid } = decodeProtectedHeader(await person.idToken())
    const jwk = await crypto.subtle.exportKey('jwk', publicKey)
    const headers = [{ alg: 'ES256', kid }, { alg: 'ES256' }, { alg: 'ES256', kid, jwk }]
    for (const header of headers) {
      const token = await new SignJWT(claims).setProtectedHeader(header).sign(privateKey)
      expect(await status(token)).toBe(401)
    }
  })

  test('if it has another audience, has expired, or was never valid', async () => {
    const now = Math.floor(server.time.now.getTime() / 1000)
    expect(await status(await signedByUs({}))).toBe(200)
    expect(await status(await signedByUs({ iss: 'https://accounts.example' }))).toBe(401)
    expect(await status(await signedByUs({ aud: 'another application' }))).toBe(401)
    expect(await status(await signedByUs({ exp: now - 1 }))).toBe(401)
    expect(await status(await signedByUs({ nbf: now + 60 }))).toBe(401)
    expect(await status(await signedByUs({ sid: undefined }))).toBe(401)
  })

  test('if it is malformed', async () => {
    for (const garbage of ['x', 'a.b.c', '....', 'eyJhbGciOiJFUzI1NiJ9.e30.AA', '💥']) {
      expect(await status(garbage)).toBe(401)
    }
  })

  test('if it is an application token', async () => {
    expect(await status((await person.enter()).token)).toBe(401)
  })

  test('as an application token', async () => {
    expect(await person.me(await person.idToken())).toBe(401)
  })

  test('ten minutes after it was issued', async () => {
    const token = await person.idToken()
    server.time.now = new Date(Date.now() + 11 * 60_000)
    expect(await status(token)).toBe(401)
    server.time.now = new Date()
  })
})

describe('if the token secret is replaced', () => {
  const current = derive('a new secret for a server under test')
  const fields = account()

  test('people sign in again; tokens signed before stay valid until they expire, on both servers', async () => {
    await person.signUp(fields)
    const before = await person.idToken()
    const after = await testServer({ db: server.settings.db, secrets: { current, previous: null } })
    const returning = visitor(after.app)
    expect((await returning.signIn(fields)).statusCode).toBe(204)
    expect((await returning.enter()).user.email).toBe(fields.email)
    expect((await returning.exchange({ idToken: before })).statusCode).toBe(200)
    expect(await status(await returning.idToken())).toBe(200)
    expect(await status(await person.idToken())).toBe(200)
    await after.close()
  })

  test('a signing key that the new secret cannot decrypt is replaced, even in the same millisecond', async () => {
    const now = new Date()
    const keys = await readKeys(server.settings.db, [derive('a secret that made no key here')], now)
    expect(keys.length).toBeGreaterThan(0)
    expect(keys.filter(({ expiresAt }) => !(expiresAt < now))).toEqual([])
  })

  test('and the previous one is also set, no key is lost', async () => {
    const previous = server.settings.secrets.current
    const after = await testServer({ db: server.settings.db, secrets: { current, previous } })
    const keys = await readKeys(server.settings.db, [current, previous], new Date())
    expect(keys.filter(({ expiresAt }) => expiresAt > new Date())).toHaveLength(2)
    const returning = visitor(after.app)
    await returning.signIn(fields)
    expect((await returning.enter()).user.email).toBe(fields.email)
    await after.close()
  })
})
