import { randomBytes } from 'node:crypto'
import type { CallAnswer, CallInput } from '#contract/call.ts'
import { type CallName, type Calls, calls } from '#contract/calls.ts'

const PATIENCE_MS = 60_000

/** Somebody with an account, and the API in their name. */
export type Person = {
  token: string
  email: string
  /** Sends a call; whatever is answered comes back, and a broken connection throws. */
  send<N extends CallName>(name: N, input: CallInput<Calls[N]>, at?: string): Promise<Response>
  /** Makes a call that must succeed. */
  call<N extends CallName>(name: N, input: CallInput<Calls[N]>): Promise<CallAnswer<Calls[N]>>
}

/** Makes an account over HTTP, as the sign-up screen would; `origin` is the server's PUBLIC_URL. */
export async function signUp(origin: string): Promise<Person> {
  const email = `chaos-${randomBytes(6).toString('hex')}@example.com`
  const password = `engine-${randomBytes(6).toString('hex')}`
  const json = { origin, 'content-type': 'application/json' }
  const post = (path: string, body: object) =>
    succeed(fetch(origin + path, { method: 'POST', headers: json, body: JSON.stringify(body) }))
  const signedUp = await post('/api/auth/sign-up/email', { name: 'Ada Lovelace', email, password })
  const cookie = signedUp.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
  const provided = await succeed(fetch(`${origin}/api/auth/token`, { headers: { origin, cookie } }))
  const { token: idToken } = (await provided.json()) as { token: string }
  const exchanged = await post('/api/users/firebase-auth', { idToken })
  const { token } = (await exchanged.json()) as { token: string }

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
    send,
    async call(name, input) {
      const answer = await succeed(send(name, input))
      return (answer.status === 204 ? undefined : await answer.json()) as never
    },
  }
}

async function succeed(sent: Promise<Response>): Promise<Response> {
  const answer = await sent
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`)
  return answer
}
