import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { AppError, forbidden } from '#server/platform/api/errors.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The ends of host names that the public DNS never resolves, so that no attacker can point one to this server. */
const PRIVATE_SUFFIXES = ['.localhost', '.local', '.internal', '.home.arpa', '.lan', '.home']

/**
 * Refuses requests that another site's page sends with a visitor's cookies. Trusted origins are the public URL, and a loopback
 * host name by which the browser reached this server; if the public URL is itself a loopback one, also an IP address or a
 * private name. An attacker's DNS name that resolves to this server is not trusted (docs/decisions/issuers.md).
 */
export function refuseForeignOrigin(request: FastifyRequest, publicUrl: string): void {
  const { origin } = request.headers
  if (origin !== undefined) {
    if (origin === new URL(publicUrl).origin || isOwn(origin, request, publicUrl)) return
    throw foreign(origin, publicUrl)
  }
  const site = request.headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site')
    throw forbidden('Pages of other sites cannot sign anybody in to this server')
}

/** Returns the origin by which the browser reached this server: the public one, or one that `refuseForeignOrigin` trusts. */
export function ownOrigin(request: FastifyRequest, publicUrl: string): string {
  const { origin, hostname } = new URL(publicUrl)
  const reached = `http://${request.headers.host}`
  return LOOPBACK.has(hostname) && isOwn(reached, request, publicUrl) ? reached : origin
}

/** Returns whether the host of an origin is this server's, without trusting names that anybody can register. */
function isOwn(origin: string, { headers: { host } }: FastifyRequest, publicUrl: string): boolean {
  const url = URL.parse(origin)
  if (url === null || url.origin !== origin || url.host !== host) return false
  if (url.protocol === 'http:' && LOOPBACK.has(url.hostname)) return true
  return isLoopbackUrl(publicUrl) && /^https?:$/.test(url.protocol) && isDirect(url.hostname)
}

/** Returns whether a URL leads to this server only on the machine on which it runs. */
export const isLoopbackUrl = (url: string): boolean => LOOPBACK.has(new URL(url).hostname)

/** Returns whether a host name is an IP address or a name of a private network. */
function isDirect(hostname: string): boolean {
  if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0 || !hostname.includes('.')) return true
  return PRIVATE_SUFFIXES.some((suffix) => hostname.endsWith(suffix))
}

function foreign(origin: string, publicUrl: string): AppError {
  const isShown = URL.parse(origin)?.origin === origin && /^https?:/.test(origin) && origin.length <= 260
  const advice = isShown
    ? `Nobody can sign in under ${origin}. If that is its address, its operator has to set PUBLIC_URL=${origin} and start it again.`
    : 'Under another address nobody can sign in (PUBLIC_URL sets it).'
  return new AppError('foreign_origin', `This server is reached at ${publicUrl}. ${advice}`)
}
