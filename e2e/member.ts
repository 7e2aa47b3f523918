import { randomBytes } from 'node:crypto'
import type { APIRequestContext, Page } from '@playwright/test'
import type { CallAnswer, CallInput } from '#contract/call.ts'
import { type CallName, type Calls, calls } from '#contract/calls.ts'

/** Somebody with an account, and the API in their name. */
export type Member = {
  name: string
  email: string
  password: string
  call<N extends CallName>(name: N, input: CallInput<Calls[N]>): Promise<CallAnswer<Calls[N]>>
}

/** Makes an account and signs the page in with it, as the sign-up screen would. */
export async function member(page: Page, origin: string, name?: string): Promise<Member> {
  const { token, ...made } = await account(page.request, origin, name)
  // Any page of this origin; this one costs the least.
  await page.goto('/robots.txt')
  await page.evaluate((value) => localStorage.setItem('token', value), token)
  return made
}

/** Makes an account for whoever sends by `request`, and answers it with the token of its session. */
export async function account(
  request: APIRequestContext,
  origin: string,
  name = 'Ada Lovelace',
): Promise<Member & { token: string }> {
  const email = `ada-${randomBytes(6).toString('hex')}@example.com`
  const password = `engine-${randomBytes(6).toString('hex')}`
  const headers = { origin }
  await succeed(request.post('/api/auth/sign-up/email', { data: { name, email, password }, headers }))
  const provided = await succeed(request.get('/api/auth/token', { headers }))
  const { token: idToken } = (await provided.json()) as { token: string }
  const exchanged = await succeed(request.post('/api/users/firebase-auth', { data: { idToken } }))
  const { token } = (await exchanged.json()) as { token: string }
  return {
    name,
    email,
    password,
    token,
    async call(called, input) {
      const { method, path } = calls[called]
      const { params = {}, body } = input as { params?: Record<string, string>; body?: object }
      const url = path.replaceAll(/:(\w+)/g, (_match, key: string) => params[key] ?? '')
      const response = await succeed(
        request.fetch(url, { method, data: body, headers: { authorization: `Bearer ${token}` } }),
      )
      return (response.status() === 204 ? undefined : await response.json()) as never
    },
  }
}

async function succeed<T extends { ok(): boolean; status(): number; text(): Promise<string> }>(
  sent: Promise<T>,
): Promise<T> {
  const response = await sent
  if (!response.ok()) throw new Error(`answered ${response.status()}: ${await response.text()}`)
  return response
}
