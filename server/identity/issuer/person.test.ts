import type { IDToken, UserInfoResponse } from 'openid-client'
import { expect, test, vi } from 'vitest'
import { NoAddress, personOf } from './person.ts'

const token = (claims: object) => ({ iss: 'https://issuer.example', sub: 'grace', ...claims }) as IDToken

const read = (claims: object, info: object | Error = {}) =>
  personOf({
    claims: token(claims),
    userInfo: async () => {
      if (info instanceof Error) throw info
      return { sub: 'grace', ...info }
    },
  })

const grace = 'grace@example.test'

test.each<[string, object, object, boolean]>([
  ['in the ID token', { email: grace, email_verified: true, name: 'Grace' }, {}, true],
  ['as text', { email: grace, email_verified: 'True', name: 'Grace' }, {}, true],
  ['only in the user info', { email: grace }, { email: grace.toUpperCase(), email_verified: true }, true],
  ['with the email only in the user info', {}, { email: grace, email_verified: 'true' }, true],
  [
    'only in the user info, beside a null',
    { email: grace, email_verified: null },
    { email: grace, email_verified: true },
    true,
  ],
  ['nowhere', { email: grace }, { email: grace }, false],
  ['of another address', { email: grace }, { email: 'ada@example.test', email_verified: true }, false],
  ['of an unknown address', { email: grace }, { email_verified: true }, false],
  [
    'denied in the ID token',
    { email: grace, email_verified: false },
    { email: grace, email_verified: true },
    false,
  ],
])(
  'an email is verified if the issuer says so of this address: %s',
  async (_where, claims, info, emailVerified) => {
    expect(await read(claims, info)).toMatchObject({ email: grace, emailVerified })
  },
)

test.each<[object, object, string]>([
  [{ name: 'Grace Hopper' }, { name: 'Admiral Hopper' }, 'Grace Hopper'],
  [{}, { name: 'Admiral Hopper' }, 'Admiral Hopper'],
  [{ name: null }, { name: 'Admiral Hopper' }, 'Admiral Hopper'],
  [{ name: '', email_verified: true }, { name: 'Admiral Hopper' }, 'Admiral Hopper'],
  [{ name: 'Grace Hopper' }, { name: '' }, 'Grace Hopper'],
  [{}, { given_name: 'Grace', family_name: 'Hopper' }, 'Grace Hopper'],
  [{ given_name: 'Grace' }, {}, 'Grace'],
  [{}, { nickname: 'amazing' }, 'amazing'],
  [{}, {}, ''],
])('the name of %o and %o', async (claims, info, name) => {
  expect(await read({ email: grace, ...claims }, info)).toMatchObject({ name })
})

test('a complete ID token needs no user info', async () => {
  const userInfo = vi.fn<() => Promise<UserInfoResponse>>()
  const claims = token({ email: grace, email_verified: false, name: 'Grace' })
  await personOf({ claims, userInfo })
  expect(userInfo).not.toHaveBeenCalled()
})

test('an issuer without user info signs in whom its ID token describes', async () => {
  const failed = new Error('no endpoint')
  expect(await read({ email: grace }, failed)).toMatchObject({ email: grace, emailVerified: false, name: '' })
  await expect(read({}, failed)).rejects.toBeInstanceOf(NoAddress)
})
