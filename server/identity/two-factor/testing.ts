import { Secret, TOTP } from 'otpauth'
import { registered, type Visitor, visitor } from '#server/identity/local/testing.ts'
import type { TestServer } from '#server/testing/local-server.ts'

const PERIOD_MS = 30_000

/** Returns the code that an authenticator app shows for a secret, `drift` seconds from a time. */
export const codeOf = (secret: string, now: Date, drift = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() + drift * 1000 })

/** Calls `/api/account` with an application token. */
export function accountCalls({ app }: TestServer, token: string) {
  return (method: 'GET' | 'POST' | 'PUT', path: string, payload?: object) =>
    app.inject({
      method,
      url: `/api/account${path}`,
      headers: { authorization: `Bearer ${token}` },
      ...(payload && { payload }),
    })
}

export type Secured = Awaited<ReturnType<typeof secured>>

/** A user who has turned two-step sign-in on, in a signed-in browser. */
export async function secured(server: TestServer) {
  const { person: browser, fields } = await registered(server)
  const { token, user } = await browser.enter()
  const account = accountCalls(server, token)
  const { secret } = (await account('POST', '/two-factor')).json<{ secret: string }>()
  const on = await account('PUT', '/two-factor', { code: codeOf(secret, server.time.now) })
  const { recoveryCodes } = on.json<{ recoveryCodes: string[] }>()
  /** Returns the next code of the app. Each is accepted once. */
  const nextCode = () => {
    server.time.now = new Date(server.time.now.getTime() + PERIOD_MS)
    return codeOf(secret, server.time.now)
  }
  return { browser, fields, token, user, account, secret, recoveryCodes, nextCode }
}

/** Enters a code in a browser whose sign-in waits for one. */
export const enterCode = (browser: Visitor, code: string) =>
  browser.send('POST', '/api/auth/sign-in/second-factor', { code })

/** A browser after a correct password, before the code. */
export async function awaitingSecondStep(
  server: TestServer,
  { fields }: Pick<Secured, 'fields'>,
  ip?: string,
) {
  const browser = visitor(server.app, { ...(ip !== undefined && { ip }) })
  await browser.signIn(fields)
  return browser
}
