import { sql } from 'kysely'
import { PROOF_MINUTES } from '#contract/sign-in.ts'
import type { TestServer } from '#server/testing/local-server.ts'

/** Moves the last proof in all sessions to so long ago that it no longer suffices. */
export async function ageProofs({ settings: { db }, time }: Pick<TestServer, 'settings' | 'time'>) {
  const before = new Date(time.now.getTime() - (PROOF_MINUTES + 1) * 60_000)
  await sql`update identity.session set "createdAt" = ${before}, "provenAt" = null`.execute(db)
  await sql`update sessions set proven_at = ${before} where provider_session is null`.execute(db)
}

/** Returns a person's calls of the API, by URLs below `/api`. */
export function apiOf({ app }: Pick<TestServer, 'app'>, token: string, ip = '203.0.113.1') {
  return (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object) =>
    app.inject({
      method,
      url: `/api${path}`,
      remoteAddress: ip,
      headers: { authorization: `Bearer ${token}` },
      ...(payload && { payload }),
    })
}
