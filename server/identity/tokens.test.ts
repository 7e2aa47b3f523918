import { createHmac, randomUUID } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { derive } from '#server/platform/secrets.ts'
import { createTokens } from './tokens.ts'

const current = derive('the secret that signs tokens in this test')
const caller = { userId: randomUUID(), sessionId: randomUUID() }
const time = { now: new Date('2026-03-01T12:00:00Z') }
const clock = () => time.now
const tokens = createTokens({ current, previous: null }, clock)
const now = Math.floor(time.now.getTime() / 1000)

const refused = { code: 'not_signed_in' }
const claims = { sub: caller.userId, sid: caller.sessionId, iss: 'milepost', aud: 'milepost-api', iat: now }

function signed(changes: JWTPayload, { key = current.tokenKey, header = {} } = {}) {
  return new SignJWT({ ...claims, exp: now + 3600, ...changes })
    .setProtectedHeader({ alg: 'HS256', kid: current.id, ...header })
    .sign(key)
}

test('a token identifies its caller for one hour', async () => {
  const token = await tokens.issue(caller)
  expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'JWT', kid: current.id })
  expect(decodeJwt(token)).toEqual({ ...claims, exp: now + 3600 })
  expect(await tokens.verify(token)).toEqual(caller)
  time.now = new Date(time.now.getTime() + 3601_000)
  await expect(tokens.verify(token)).rejects.toMatchObject(refused)
  time.now = new Date(now * 1000)
})

describe('a token is refused', () => {
  const cases: [string, () => Promise<string>][] = [
    ['of another issuer', () => signed({ iss: 'urn:milepost:local' })],
    ['for another audience', () => signed({ aud: 'milepost' })],
    ['without a session', () => signed({ sid: undefined })],
    ['without a subject', () => signed({ sub: undefined })],
    ['without an end', () => signed({ exp: undefined })],
    ['that has ended', () => signed({ exp: now - 1 })],
    ['under another key', () => signed({}, { key: derive('another secret altogether, and long').tokenKey })],
    ['under an unknown key id', () => signed({}, { header: { kid: 'unknown' } })],
    ['without a key id', () => signed({}, { header: { kid: undefined } })],
    ['of another HMAC', () => signed({}, { header: { alg: 'HS512' }, key: new Uint8Array(64) })],
    ['in pieces', async () => (await signed({})).slice(0, -4)],
    ['with changed claims', async () => tampered(await signed({}))],
    ['that nobody signed', async () => unsigned()],
    ['that a public key signed', async () => (await asymmetric()).token],
  ]
  test.each(cases)('%s', async (_what, make) => {
    await expect(tokens.verify(await make())).rejects.toMatchObject(refused)
  })

  test.each(['', 'x', '..', 'a.b.c'])('%j', async (garbage) => {
    await expect(tokens.verify(garbage)).rejects.toMatchObject(refused)
  })
})

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

function tampered(token: string) {
  const [header, , signature] = token.split('.')
  return [header, part({ ...claims, sub: randomUUID(), exp: now + 3600 }), signature].join('.')
}

function unsigned() {
  return `${part({ alg: 'none', kid: current.id })}.${part({ ...claims, exp: now + 3600 })}.`
}

async function asymmetric() {
  const { privateKey } = await generateKeyPair('ES256')
  const header = { alg: 'ES256', kid: current.id }
  const token = await new SignJWT({ ...claims, exp: now + 3600 }).setProtectedHeader(header).sign(privateKey)
  return { token }
}

test('a previous secret is accepted for one token lifetime, if it is still set', async () => {
  const next = derive('the secret that signs tokens from now on')
  const old = await tokens.issue(caller)
  const renewed = createTokens({ current: next, previous: current }, clock)
  const forgetful = createTokens({ current: next, previous: null }, clock)
  expect(await renewed.verify(old)).toEqual(caller)
  await expect(forgetful.verify(old)).rejects.toMatchObject(refused)
  expect(decodeProtectedHeader(await renewed.issue(caller)).kid).toBe(next.id)

  time.now = new Date(time.now.getTime() + 3600_000)
  const forgedLater = await signed({ iat: now + 3600, exp: now + 7200 })
  await expect(renewed.verify(forgedLater)).rejects.toMatchObject(refused)
  time.now = new Date(now * 1000)
})

test('a cached token is refused once its secret is no longer accepted', async () => {
  const next = derive('the secret that signs tokens from now on')
  const renewed = createTokens({ current: next, previous: current }, clock)
  time.now = new Date((now + 1800) * 1000)
  const late = await signed({ iat: now + 1800, exp: now + 5400 })
  expect(await renewed.verify(late)).toEqual(caller)
  time.now = new Date((now + 3600) * 1000)
  await expect(renewed.verify(late)).rejects.toMatchObject(refused)
  time.now = new Date(now * 1000)
})

test('the public id of a secret is not one of its keys', () => {
  const { id, tokenKey, providerKey } = current
  expect(Buffer.from(tokenKey).toString('hex')).not.toContain(id)
  expect(Buffer.from(tokenKey).toString('base64url')).not.toBe(providerKey)
  expect(createHmac('sha256', tokenKey).update('').digest('hex')).not.toContain(id)
})
