import { randomUUID } from 'node:crypto'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '#server/database/rows.ts'

export type Visitor = ReturnType<typeof visitor>

export const account = () => ({
  name: 'Ada Lovelace',
  email: `ada-${randomUUID()}@example.test`,
  password: 'difference engine',
})

/** Registers a user with a password, in a browser. */
export async function registered({ app }: { app: FastifyInstance }) {
  const fields = account()
  const person = visitor(app)
  const { statusCode } = await person.signUp(fields)
  if (statusCode !== 204) throw new Error(`registering returned ${statusCode}`)
  return { person, fields }
}

/** Returns how many sign-ins have compared a password and wait for the lock of another transaction. */
export async function countWaitingSignIns(db: Kysely<Schema>): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
      and query like '%identity.account%password =%for share%'`.execute(db)
  return rows.length
}

/** Returns the status and the error code of a response. */
export async function errorOf(sent: Promise<LightMyRequestResponse>): Promise<[number, string]> {
  const response = await sent
  return [response.statusCode, response.json<{ code: string }>().code]
}

/** A visitor with a browser: an IP, an origin and a cookie jar. */
export function visitor(
  app: FastifyInstance,
  { ip = '203.0.113.1', headers = {} }: { ip?: string; headers?: Record<string, string> } = {},
) {
  const jar = new Map<string, string>()

  async function send(method: 'GET' | 'POST', url: string, payload?: object) {
    const response = await app.inject({
      method,
      url,
      remoteAddress: ip,
      headers: {
        ...(method === 'POST' && { origin: 'http://localhost:4400' }),
        ...(jar.size > 0 && { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') }),
        ...headers,
      },
      ...(payload && { payload }),
    })
    keep(response)
    return response
  }

  function keep(response: LightMyRequestResponse) {
    for (const { name, value, maxAge } of response.cookies) {
      if (maxAge === 0) jar.delete(name)
      else jar.set(name, value)
    }
  }

  const idToken = async () => (await send('GET', '/api/auth/token')).json<{ token: string }>().token

  return {
    jar,
    send,
    idToken,
    signUp: (fields: object = account()) => send('POST', '/api/auth/sign-up/email', fields),
    signIn: (fields: object) => send('POST', '/api/auth/sign-in/email', fields),
    signOut: () => send('POST', '/api/auth/sign-out', {}),
    exchange: (body: object) => send('POST', '/api/users/firebase-auth', body),
    /** Exchanges the ID token of the session in the cookie jar. */
    async enter() {
      const response = await send('POST', '/api/users/firebase-auth', { idToken: await idToken() })
      return response.json<{ token: string; user: { _id: string; name: string; email: string } }>()
    },
    /** Returns the status of `GET /api/users/me` with an application token. */
    async me(token: string) {
      const response = await app.inject({
        url: '/api/users/me',
        headers: { authorization: `Bearer ${token}` },
      })
      return response.statusCode
    },
  }
}
