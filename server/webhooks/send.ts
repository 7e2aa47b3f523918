import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { Webhook } from 'standardwebhooks'
import {
  addressIn,
  isPublicAddress,
  PrivateAddress,
  publicLookup,
} from '#server/platform/public-addresses.ts'

const TIMEOUT_MS = 10_000

/** A message to a webhook as specified by Standard Webhooks, signed with each of the secrets. */
export type Message = { id: string; url: string; secrets: string[]; payload: string; sentAt: Date }

/** The result of an attempt: whether it was delivered, whether the receiver is gone (410), and a short text for the log. */
export type Outcome = { isDelivered: boolean; isGone: boolean; text: string }

/** Sends a message once. It never throws. */
export type Send = (message: Message) => Promise<Outcome>

/** `privateNetworks`: allows private networks and plain http. `lookup`: for tests. */
export function createSend({
  privateNetworks,
  lookup = publicLookup(),
}: {
  privateNetworks: boolean
  lookup?: LookupFunction
}): Send {
  return async (message) => {
    try {
      const url = new URL(message.url)
      if (!privateNetworks) requirePublic(url)
      const status = await post(url, message, privateNetworks ? undefined : lookup)
      return { isDelivered: status >= 200 && status < 300, isGone: status === 410, text: textOf(status) }
    } catch (error) {
      return { isDelivered: false, isGone: false, text: reasonOf(error) }
    }
  }
}

const textOf = (status: number) =>
  status >= 300 && status < 400 && status !== 304
    ? `${status}, a redirect: enter the address to which it leads`
    : String(status)

/** Refuses URLs without https and private IP addresses. Host names are checked when the connection resolves them. */
function requirePublic(url: URL): void {
  const address = addressIn(url)
  if (url.protocol !== 'https:' || (address !== undefined && !isPublicAddress(address)))
    throw new PrivateAddress(`${url.host} is not on the Internet`)
}

/** Returns the status of the response. Follows no redirect and does not read the body. */
function post(url: URL, message: Message, lookup: LookupFunction | undefined): Promise<number> {
  const { id, secrets, payload, sentAt } = message
  const body = Buffer.from(payload)
  return new Promise((resolve, reject) => {
    const sent = (url.protocol === 'https:' ? requestHttps : requestHttp)(
      url,
      {
        method: 'POST',
        agent: false,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: {
          'content-type': 'application/json',
          'content-length': body.length,
          'user-agent': 'Milepost',
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
          'webhook-signature': secrets.map((one) => new Webhook(one).sign(id, sentAt, payload)).join(' '),
        },
        ...(lookup && { lookup }),
      },
      (response) => {
        resolve(response.statusCode ?? 0)
        response.destroy()
      },
    )
    sent.once('error', reject)
    // Node destroys the socket of a 101 without any other event.
    sent.once('close', () => reject(new Error('The connection was closed without a response')))
    sent.end(body)
  })
}

/** Returns a reason for the log that reveals nothing about the server's network. */
function reasonOf(error: unknown): string {
  if (error instanceof PrivateAddress) return 'The address is not on the Internet, or not https'
  const { name, code, message = '' } = error as { name?: string; code?: string; message?: string }
  if (name === 'TimeoutError' || name === 'AbortError' || code === 'ABORT_ERR') return 'It took too long'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'The name was not found'
  if (code === 'ECONNREFUSED') return 'The connection was refused'
  if (/wrong version number/.test(message)) return 'The receiver does not speak https at this address'
  if (code === 'EPROTO' || code?.includes('_ALERT_')) return 'The receiver refused the https connection'
  return /CERT|SSL|TLS|ALTNAME|SIGNATURE/.test(code ?? '')
    ? 'The certificate is not valid'
    : 'The connection failed'
}
