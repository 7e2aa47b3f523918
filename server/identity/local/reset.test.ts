import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { CannotStart } from '#server/cannot-start.ts'
import { type TestServer, testServer } from '#server/testing/local-server.ts'
import { resetPassword } from './passwords.ts'
import { countWaitingSignIns, registered, visitor } from './testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

describe('resetting a password by the operator’s command', () => {
  test('prints a new one, which is the only one that then signs in, and ends earlier sessions', async () => {
    const { person, fields } = await registered(server)
    const { token } = await person.enter()
    const { person: neighbour } = await registered(server)
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

  test('leaves no session of a sign-in that has just compared the old password', async () => {
    const { fields } = await registered(server)
    const { db } = server.settings
    const late = visitor(server.app)
    const mine = sql`identity.session s join identity."user" u on u.id = s."userId" and u.email = ${fields.email}`
    const countSessions = async () => (await sql`select from ${mine}`.execute(db)).rows.length
    const signIn = await db.transaction().execute(async (trx) => {
      await sql`
        update identity.account set password = 'another' from identity."user" u
        where u.id = "userId" and u.email = ${fields.email}`.execute(trx)
      await sql`delete from identity.session where id in (select s.id from ${mine})`.execute(trx)
      const started = late.signIn(fields)
      await vi.waitFor(async () => expect(await countWaitingSignIns(db)).toBe(1), { timeout: 60_000 })
      return { started }
    })
    await signIn.started
    expect(await countSessions()).toBe(0)
    expect((await late.send('GET', '/api/auth/token')).statusCode).toBe(401)
  })

  test('reports that there is no such account', async () => {
    const reset = resetPassword(server.settings.db, 'nobody@example.test')
    await expect(reset).rejects.toThrow(
      new CannotStart('There is no account with the address nobody@example.test.'),
    )
  })
})
