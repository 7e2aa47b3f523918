import { createHmac } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, exportSPKI, generateKeyPair, importJWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { derive } from '#server/platform/secrets.ts'
import { createTokenCipher } from '#server/platform/token-cipher.ts'
import { type TestServer, testServer } from '#server/testing/local-server.ts'
import { AUDIENCE, createIdTokens, findSigningKey, ISSUER, publicJwk } from './id-tokens.ts'
import { listSigningKeys } from './store.ts'
import { account, type Visitor, visitor } from './testing.ts'

let server: TestServer
let person: Visitor

beforeAll(async () => {
  server = await testServer()
  person = visitor(server.app)
  await person.signUp()
})
afterAll(() => server.close())

const keys = (now = server.time.now) => listSigningKeys(server.settings.db, now)

const status = async (idToken: string) => (await person.exchange({ idToken })).statusCode

/** Signs changed claims with the provider's own key. */
async function signedByUs(changes: object) {
  const payload = { ...decodeJwt(await person.idToken()), ...changes }
  const key = findSigningKey(await keys(), createTokenCipher(server.settings.secrets))
  if (!key) throw new Error('the provider has no key')
  const header = { alg: 'ES256', kid: key.kid }
  return new SignJWT(payload).setProtectedHeader(header).sign(await importJWK(key.jwk, 'ES256'))
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

async function forged(header: object, sign: (input: string) => string) {
  const genuine = await person.idToken()
  const input = `${part({ ...decodeProtectedHeader(genuine), ...header })}.${genuine.split('.')[1]}`
  return `${input}.${sign(input)}`
}

const DAY_MS = 24 * 60 * 60_000

test('a key signs for 30 days, and what it has signed is accepted for another day', async () => {
  const [key] = await keys()
  const signing = key && findSigningKey([key], createTokenCipher(server.settings.secrets))
  if (!signing) throw new Error('the provider has no key')
  const claims = decodeJwt(await person.idToken())
  const after = (days: number) => new Date(key.createdAt.getTime() + days * DAY_MS)

  async function verifiedAfter(days: number) {
    const now = after(days)
    const iat = Math.floor(now.getTime() / 1000)
    const token = await new SignJWT({ ...claims, iat, exp: iat + 600 })
      .setProtectedHeader({ alg: 'ES256', kid: signing?.kid ?? '' })
      .sign(await importJWK(signing?.jwk ?? {}, 'ES256'))
    return (await createIdTokens({ ...server.settings, clock: () => now })).verify(token)
  }

  const signs = async (days: number) => (await keys(after(days))).some(({ id }) => id === key.id)
  expect([await signs(29.9), await signs(30.1)]).toEqual([true, false])
  await expect(verifiedAfter(30.9)).resolves.toMatchObject({ session: claims.sid })
  await expect(verifiedAfter(31.1)).rejects.toMatchObject({ code: 'not_signed_in' })
})

async function publicKey() {
  const [jwk] = (await keys()).map(publicJwk)
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

  test('a signing key that the new secret cannot decrypt signs nothing more', async () => {
    const other = createTokenCipher({ current: derive('a secret that made no key here'), previous: null })
    expect(findSigningKey(await keys(), other)).toBeUndefined()
  })

  test('a key that an earlier version encrypted in another way only verifies', async () => {
    const [key] = await keys()
    if (!key) throw new Error('the provider has no key')
    const earlier = { ...key, privateKey: JSON.stringify('$ba$1234$00ff') }
    expect(findSigningKey([earlier], createTokenCipher(server.settings.secrets))).toBeUndefined()
  })

  test('and the previous one is also set, no key is lost', async () => {
    const previous = server.settings.secrets.current
    const after = await testServer({ db: server.settings.db, secrets: { current, previous } })
    const cipher = createTokenCipher({ current, previous })
    const kids = (await keys()).map((key) => findSigningKey([key], cipher)?.kid)
    expect(kids).not.toContain(undefined)
    expect(kids.length).toBeGreaterThan(1)
    const returning = visitor(after.app)
    await returning.signIn(fields)
    expect((await returning.enter()).user.email).toBe(fields.email)
    await after.close()
  })
})
