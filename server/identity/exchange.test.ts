import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDatabase } from '#server/database/testing.ts'
import type { Claims, Identity } from './identity.ts'
import { testIdentity } from './testing.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
let identity: Identity
const time = { now: new Date() }

beforeAll(async () => {
  database = await testDatabase()
  identity = testIdentity(database.db, () => time.now)
})
afterAll(() => database.close())

const claimsOf = (overrides: Partial<Claims> = {}): Claims => ({
  issuer: 'urn:test',
  subject: randomUUID(),
  email: 'ada@example.test',
  emailVerified: false,
  name: 'Ada Lovelace',
  picture: null,
  session: null,
  provenAt: null,
  ...overrides,
})

const exchange = (claims: Claims, body: object = {}) =>
  identity.exchange({ idToken: JSON.stringify(claims), ...body })

const sessionsOf = (userId: string) =>
  database.db.selectFrom('sessions').select('id').where('user_id', '=', userId).execute()

describe('an exchange', () => {
  test('trusts only the verified token, not other parameters', async () => {
    const claims = claimsOf()
    const { user } = await exchange(claims, {
      email: 'victim@example.test',
      name: 'The victim',
      photoURL: 'https://attacker.example/face.png',
      firebaseUid: claims.subject,
    })
    expect(user).toEqual({ _id: expect.any(String), name: 'Ada Lovelace', email: 'ada@example.test' })
  })

  test('refuses a token for another person than the one in the body', async () => {
    const refused = {
      code: 'invalid',
      details: { issues: [expect.objectContaining({ path: 'firebaseUid' })] },
    }
    await expect(exchange(claimsOf(), { firebaseUid: randomUUID() })).rejects.toMatchObject(refused)
    await expect(exchange(claimsOf(), { firebaseUid: '' })).rejects.toMatchObject(refused)
  })

  test('creates one user, even for twenty concurrent requests', async () => {
    const claims = claimsOf()
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(claims)))
    expect(new Set(answers.map(({ user }) => user._id)).size).toBe(1)
    const callers = await Promise.all(answers.map(({ token }) => identity.authenticate(token)))
    expect(new Set(callers.map(({ sessionId }) => sessionId)).size).toBe(20)
  })

  test('identifies people by issuer and subject, never by email', async () => {
    const claims = claimsOf()
    const { user } = await exchange(claims)
    const other = await exchange(claimsOf({ subject: randomUUID(), email: claims.email }))
    const foreign = await exchange({ ...claims, issuer: 'https://accounts.example' })
    expect(new Set([user._id, other.user._id, foreign.user._id]).size).toBe(3)
  })

  test('updates name, email and photo', async () => {
    const claims = claimsOf()
    const { user } = await exchange(claims)
    const changed = {
      name: 'Countess of Lovelace',
      email: 'Countess@example.test',
      picture: 'https://x.test/a.png',
    }
    const again = await exchange({ ...claims, ...changed, emailVerified: true })
    expect(again.user).toEqual({
      _id: user._id,
      name: changed.name,
      email: changed.email,
      photoURL: changed.picture,
    })
    const row = await database.db
      .selectFrom('users')
      .select('email_verified')
      .where('id', '=', user._id)
      .executeTakeFirst()
    expect(row).toEqual({ email_verified: true })
  })

  test.each([
    ['a nameless person has no name', null, ''],
    ['a blank name is none', ' \n ', ''],
    ['a name that cannot be stored is none', 'Ada\0', ''],
    ['an endless name is cut', `${'é'.repeat(99)} ${'x'.repeat(50)}`, 'é'.repeat(99)],
  ])('%s', async (_what, name, shown) => {
    expect((await exchange(claimsOf({ name }))).user.name).toBe(shown)
  })

  test.each([
    'javascript:alert(1)',
    'http://x.test/a.png',
    'a picture',
    '\0',
    `https://x.test/${'a'.repeat(2_000)}`,
  ])('shows no picture for %j', async (picture) => {
    expect((await exchange(claimsOf({ picture }))).user).not.toHaveProperty('photoURL')
  })

  test('without a name keeps the known one', async () => {
    const claims = claimsOf()
    await exchange(claims)
    expect((await exchange({ ...claims, name: null })).user.name).toBe('Ada Lovelace')
  })
})

describe('a session', () => {
  test('ends with the sign-out of its own token only', async () => {
    const claims = claimsOf()
    const [here, there] = [await exchange(claims), await exchange(claims)]
    await identity.signOut(await identity.authenticate(here.token))
    await expect(identity.authenticate(here.token)).rejects.toMatchObject({ code: 'not_signed_in' })
    await expect(identity.authenticate(there.token)).resolves.toMatchObject({ userId: here.user._id })
  })

  test('ends with its user', async () => {
    const { token, user } = await exchange(claimsOf())
    await database.db.deleteFrom('users').where('id', '=', user._id).execute()
    await expect(identity.authenticate(token)).rejects.toMatchObject({ code: 'not_signed_in' })
  })

  test('whose tokens have all expired is removed when the same person signs in again', async () => {
    const claims = claimsOf()
    const { user } = await exchange(claims)
    for (let hour = 0; hour < 5; hour += 1) {
      time.now = new Date(time.now.getTime() + 66 * 60_000)
      await exchange(claims)
      expect(await sessionsOf(user._id)).toHaveLength(1)
    }
    time.now = new Date()
  })
})
