import { EXPECTED, OWN_AUTHORIZATION } from '#contract/authorization-header.ts'
import { readStored, store } from './browser-storage.ts'

const KEY = 'ownAuthorization'

/**
 * Whether the token is sent in a header of Milepost's own. A proxy with a password in front of the server (nginx's `auth_basic`)
 * reads `Authorization`, which the browser fills in if the page does not. Stored, because a browser may ask for the password
 * again whenever the proxy refuses a token.
 */
let isProxied: boolean | undefined

const isKnownProxied = (): boolean => (isProxied ??= readStored(KEY) !== null)

function learn(next: boolean): void {
  isProxied = next
  store(KEY, next ? 'on' : null)
}

/** Sends a request with a token, again in Milepost's own header if a proxy refused it because of the token. */
export async function withAuthorization<T extends Pick<Response, 'status' | 'headers'>>(
  token: string | null,
  send: (headers: Record<string, string>) => Promise<T>,
): Promise<T> {
  const wasProxied = isKnownProxied()
  const response = await send(headersOf(token))
  if (response.headers.get(OWN_AUTHORIZATION) === EXPECTED && !isKnownProxied()) learn(true)
  if (token === null || wasProxied || !isOfProxy(response)) return response
  isProxied = true
  const again = await send(headersOf(token))
  learn(!isOfProxy(again))
  return again
}

function headersOf(token: string | null): Record<string, string> {
  if (token === null) return {}
  return { [isKnownProxied() ? OWN_AUTHORIZATION : 'authorization']: `Bearer ${token}` }
}

/** Whether a 401 comes from a proxy in front of the server. Milepost's own has JSON and challenges nobody to a password. */
export function isOfProxy({ status, headers }: Pick<Response, 'status' | 'headers'>): boolean {
  if (status !== 401) return false
  const challenge = headers.get('www-authenticate')
  if (challenge !== null) return !/^\s*bearer\b/i.test(challenge)
  return /\btext\/html\b/i.test(headers.get('content-type') ?? '')
}

/** Forgets what this page learned about a proxy. For tests. */
export function forgetProxy(): void {
  learn(false)
}
