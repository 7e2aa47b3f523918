import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { type CallName, type Calls, calls } from '#contract/calls.ts'
import type { CallInput, CallResponse } from '#contract/parts/call.ts'

const TIMEOUT_MS = 60_000

/** A user account, and the API on its behalf. */
export type Account = {
  name: string
  email: string
  password: string
  /** The application token. */
  token: string
  /** The cookies of the session at the identity provider, as a Cookie header. */
  cookie: string
  /** Sends a call and returns the response, whatever its status; throws when the connection breaks. */
  send<N extends CallName>(name: N, input: CallInput<Calls[N]>, origin?: string): Promise<Response>
  /** Makes a call and returns its body; throws unless the response is a success. */
  call<N extends CallName>(name: N, input: CallInput<Calls[N]>): Promise<CallResponse<Calls[N]>>
}

/** Creates an account over HTTP, as the sign-up screen does. `origin` is the server's PUBLIC_URL. */
export async function createAccount(origin: string, name = 'Ada Lovelace'): Promise<Account> {
  const email = `ada-${randomBytes(6).toString('hex')}@example.com`
  const password = `engine-${randomBytes(6).toString('hex')}`
  const signedUp = await requireSuccess(post(`${origin}/api/auth/sign-up/email`, { name, email, password }))
  const cookie = signedUp.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
  const { token } = await renewToken(origin, { cookie })

  const send: Account['send'] = (called, input, at = origin) => {
    const { method, path } = calls[called]
    const { params = {}, body } = input as { params?: Record<string, string>; body?: object }
    const isForm = body instanceof FormData
    return fetch(at + path.replaceAll(/:(\w+)/g, (_match, key: string) => params[key] ?? ''), {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
  }
  return {
    name,
    email,
    password,
    token,
    cookie,
    send,
    async call(called, input) {
      const response = await requireSuccess(send(called, input))
      return (response.status === 204 ? undefined : await response.json()) as never
    },
  }
}

/** Creates an account and signs the page in, with the same cookies and token as the sign-up screen. */
export async function signUp(page: Page, origin: string, name?: string): Promise<Account> {
  const account = await createAccount(origin, name)
  const cookies = account.cookie.split('; ').map((cookie) => {
    const [cookieName = '', value = ''] = cookie.split(/=(.*)/s)
    return { name: cookieName, value, url: origin, httpOnly: true, sameSite: 'Lax' as const }
  })
  await page.context().addCookies(cookies)
  // Any page of this origin is suitable; this one is the cheapest.
  await page.goto('/robots.txt')
  await page.evaluate((token) => localStorage.setItem('token', token), account.token)
  return account
}

/** Exchanges the session at the identity provider for another application token. */
export async function renewToken(
  origin: string,
  { cookie }: Pick<Account, 'cookie'>,
): Promise<{ token: string }> {
  const provided = await requireSuccess(fetch(`${origin}/api/auth/token`, { headers: { origin, cookie } }))
  const { token: idToken } = (await provided.json()) as { token: string }
  const exchanged = await requireSuccess(post(`${origin}/api/users/firebase-auth`, { idToken }))
  return (await exchanged.json()) as { token: string }
}

/** Tries to sign in and returns the response, whatever its status. */
export function signIn(origin: string, { email, password }: Pick<Account, 'email' | 'password'>) {
  return post(`${origin}/api/auth/sign-in/email`, { email, password })
}

function post(url: string, body: object): Promise<Response> {
  const headers = { origin: new URL(url).origin, 'content-type': 'application/json' }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function requireSuccess(sent: Promise<Response>): Promise<Response> {
  const response = await sent
  if (!response.ok) throw new Error(`${response.url} returned ${response.status}: ${await response.text()}`)
  return response
}
