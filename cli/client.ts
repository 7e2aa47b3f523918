import { requestOf } from '#contract/arguments.ts'
import { type CallName, type Calls, calls } from '#contract/calls.ts'
import type { Call, CallResponse } from '#contract/parts/call.ts'
import { errorBody } from '#contract/parts/errors.ts'
import type { Credentials } from './credentials.ts'
import { refused, unreachable } from './failure.ts'

export type Client = ReturnType<typeof createClient>

/** Makes calls of the contract with an access token. Server errors become a Failure with the server's sentence. */
export function createClient({ url: origin, token }: Credentials) {
  async function send(path: string, init: RequestInit & { duplex?: 'half' }): Promise<Response> {
    const headers = { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) }
    // Redirects are not followed, so that the token goes to no other URL.
    const response = await fetch(origin + path, { ...init, headers, redirect: 'manual' }).catch((error) => {
      throw unreachable(`${origin} cannot be reached${causeOf(error)}.`)
    })
    if (response.status >= 300 && response.status < 400)
      throw refused(`${origin} redirects to another address: log in to that one.`)
    if (response.status === 401 && !token.startsWith('mp_'))
      throw refused(
        'This is no access token of Milepost, which begins with “mp_”: make one under Settings › Access tokens.',
      )
    if (!response.ok) throw refused(await sentenceOf(response))
    return response
  }

  return {
    origin,
    send,
    /** Makes a call with these arguments. */
    async call<N extends CallName>(
      name: N,
      given: Record<string, unknown> = {},
      more: Record<string, string> = {},
    ): Promise<CallResponse<Calls[N]>> {
      const call: Call = calls[name]
      const { method, url, query, payload } = requestOf(call, given)
      const search = new URLSearchParams(query).toString()
      const response = await send(search === '' ? url : `${url}?${search}`, {
        method,
        headers: {
          ...more,
          accept: 'application/json',
          ...(payload && { 'content-type': 'application/json' }),
        },
        ...(payload && { body: JSON.stringify(payload) }),
      })
      const text = await response.text().catch(() => {
        throw unreachable(`The connection to ${origin} broke off.`)
      })
      return (text === '' ? undefined : parsed(text, origin)) as CallResponse<Calls[N]>
    },
  }
}

const UNKNOWN_AUTHORITY =
  ': its certificate is not from a known authority. Set NODE_EXTRA_CA_CERTS to a file with the certificate of that authority'

const CAUSES: { [code: string]: string } = {
  ECONNREFUSED: ': nothing listens there',
  ENOTFOUND: ': there is no host of that name',
  EAI_AGAIN: ': the name of the host cannot be looked up now',
  UND_ERR_CONNECT_TIMEOUT: ': it does not respond',
  ERR_SSL_WRONG_VERSION_NUMBER: ': there is no TLS at this port. Use http:// or another port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: ': there is no TLS at this port. Use http:// or another port',
  CERT_HAS_EXPIRED: ': its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: ': its certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
}

/** Returns why a request got no response, to be added to a sentence; empty if nothing is known. */
function causeOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: string; errors?: { code?: string }[] } }
  // Of a name with several addresses, each has its error.
  return CAUSES[cause?.code ?? cause?.errors?.[0]?.code ?? ''] ?? ''
}

function parsed(text: string, origin: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refused(`${origin} sent something other than JSON: is it the address of a Milepost server?`)
  }
}

async function sentenceOf(response: Response): Promise<string> {
  const body = errorBody.safeParse(await response.json().catch(() => undefined)).data
  const issue = body && 'issues' in body ? body.issues?.[0]?.message : undefined
  return issue ?? body?.message ?? `The server responded with the status ${response.status}.`
}
