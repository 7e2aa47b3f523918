import { afterEach, expect, test, vi } from 'vitest'
import { localProvider } from './provider.ts'

afterEach(() => vi.unstubAllGlobals())

function serverAnswers(body: BodyInit | null, init?: ResponseInit) {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => new Response(body, init))
  vi.stubGlobal('fetch', fetch)
  return fetch
}

const idToken = (claims: object) =>
  ['header', Buffer.from(JSON.stringify(claims)).toString('base64url'), 'signature'].join('.')

test('the identity is read from the ID token, in any script', async () => {
  const token = idToken({ sub: 'ada', email: 'ada@example.test', name: 'Ада Лавлейс ~?ÿ' })
  serverAnswers(JSON.stringify({ token }))
  expect(await localProvider.identity()).toEqual({
    idToken: token,
    email: 'ada@example.test',
    name: 'Ада Лавлейс ~?ÿ',
    photoURL: null,
    firebaseUid: 'ada',
  })
})

test('the session is signed out if the provider requires a new sign-in', async () => {
  serverAnswers('{"code":"not_signed_in","message":"Please sign in to continue"}', { status: 401 })
  expect(await localProvider.identity()).toBeNull()
})

test('a response that is not from the provider counts as a failed connection', async () => {
  serverAnswers('<h1>Welcome to the hotel</h1>')
  await expect(localProvider.identity()).rejects.toMatchObject({ code: 'unreachable' })
})

test('an error response keeps its code', async () => {
  const fetch = serverAnswers('{"code":"incorrect_password","message":"Incorrect password"}', { status: 401 })
  await expect(localProvider.signIn('ada@example.test', 'guess')).rejects.toMatchObject({
    code: 'incorrect_password',
    status: 401,
  })
  const [path, init] = fetch.mock.calls[0] ?? []
  expect([path, init?.method, init?.body]).toEqual([
    '/api/auth/sign-in/email',
    'POST',
    '{"email":"ada@example.test","password":"guess"}',
  ])
})

test('a broken connection is distinguished from an error response', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('fetch failed')
  })
  await expect(localProvider.signOut()).rejects.toMatchObject({ code: 'unreachable', status: 0 })
})
