import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CannotStart } from '#server/cannot-start.ts'
import { resetPassword } from './reset.ts'
import { account, type TestServer, testServer, visitor } from './testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

async function registered() {
  const fields = account()
  const person = visitor(server.app)
  expect((await person.signUp(fields)).statusCode).toBe(204)
  return { person, fields }
}

describe('an operator who resets a password', () => {
  test('gets a new one, with which alone its owner signs in, and ends the sessions of before', async () => {
    const { person, fields } = await registered()
    const { token } = await person.enter()
    const { person: neighbour } = await registered()
    const password = await resetPassword(server.settings.db, fields.email.toUpperCase())
    expect(password).toMatch(/^[\w-]{22}$/)
    expect((await person.send('GET', '/api/auth/token')).statusCode).toBe(401)
    const me = { url: '/api/users/me', headers: { authorization: `Bearer ${token}` } }
    expect((await server.app.inject(me)).statusCode).toBe(401)
    expect((await neighbour.send('GET', '/api/auth/token')).statusCode).toBe(200)
    const again = visitor(server.app)
    expect((await again.signIn(fields)).statusCode).toBe(401)
    expect((await again.signIn({ ...fields, password })).statusCode).toBe(204)
  })

  test('is told in a sentence that there is nobody', async () => {
    const reset = resetPassword(server.settings.db, 'nobody@example.test')
    await expect(reset).rejects.toThrow(
      new CannotStart('There is no account with the address nobody@example.test.'),
    )
  })
})
