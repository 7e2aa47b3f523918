import { randomBytes } from 'node:crypto'
import type { CallAnswer, CallInput } from '#contract/call.ts'
import { type CallName, type Calls, calls } from '#contract/calls.ts'

const PATIENCE_MS = 60_000

/** Somebody with an account, and the API in their name. */
export type Person = {
  token: string
  email: string
  password: string
  /** Of the session with the identity provider. */
  cookie: string
  /** Sends a call; whatever is answered comes back, and a broken connection throws. */
  send<N extends CallName>(name: N, input: CallInput<Calls[N]>, at?: string): Promise<Response>
  /** Makes a call that must succeed. */
  call<N extends CallName>(name: N, input: CallInput<Calls[N]>): Promise<CallAnswer<Calls[N]>>
}

/** Makes an account over HTTP, as the sign-up screen would; `origin` is the server's PUBLIC_URL. */
export async function signUp(origin: string): Promise<Person> {
  const email = `chaos-${randomBytes(6).toString('hex')}@example.com`
  const password = `engine-${randomBytes(6).toString('hex')}`
  const fields = { name: 'Ada Lovelace', email, password }
  const signedUp = await succeed(post(`${origin}/api/auth/sign-up/email`, fields))
  const cookie = signedUp.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
  const { token } = await renew(origin, { cookie })

  const send: Person['send'] = (name, input, at = origin) => {
    const { method, path } = calls[name]
    const { params = {}, body } = input as { params?: Record<string, string>; body?: object }
    const isForm = body instanceof FormData
    return fetch(at + path.replaceAll(/:(\w+)/g, (_match, key: string) => params[key] ?? ''), {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
  }
  return {
    token,
    email,
    password,
    cookie,
    send,
    async call(name, input) {
      const answer = await succeed(send(name, input))
      return (answer.status === 204 ? undefined : await answer.json()) as never
    },
  }
}

/** Exchanges the session for another application token. */
export async function renew(origin: string, { cookie }: Pick<Person, 'cookie'>): Promise<{ token: string }> {
  const provided = await succeed(fetch(`${origin}/api/auth/token`, { headers: { origin, cookie } }))
  const { token: idToken } = (await provided.json()) as { token: string }
  const exchanged = await succeed(post(`${origin}/api/users/firebase-auth`, { idToken }))
  return (await exchanged.json()) as { token: string }
}

/** Tries a password; whatever is answered comes back. */
export function signIn(origin: string, { email, password }: Pick<Person, 'email' | 'password'>) {
  return post(`${origin}/api/auth/sign-in/email`, { email, password })
}

function post(url: string, body: object): Promise<Response> {
  const headers = { origin: new URL(url).origin, 'content-type': 'application/json' }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function succeed(sent: Promise<Response>): Promise<Response> {
  const answer = await sent
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`)
  return answer
}
