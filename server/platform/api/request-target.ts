import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalid } from './errors.ts'

/** Matches targets that need no normalization, which are nearly all. */
const ORDINARY = /^(?:\/|(?:\/[\w~-][\w~.-]*)+)(?:\?|$)/

/**
 * Returns the path and query of a request in one spelling that can always be decoded: an absolute URL (as a proxy may
 * send) loses its origin; unnecessary escapes, dot segments and backslashes are resolved as in a browser, so that rate
 * limits, log and router see the same path; and if a `%` begins no escape, as in `/100%`, every `%` of the
 * path is literal. Programs join URLs in many ways: of slashes at the start one stays. Elsewhere an id may be missing between two, or
 * after the last, so of these one stays only if the request reads; and the last of an API's path goes unless the request names what it
 * changes: `DELETE /api/things/` without the id must not delete all things.
 */
export function normalizeTarget(target: string, method = 'GET'): string {
  if (ORDINARY.test(target)) return target
  const local = target.replace(ORIGIN, '')
  const end = local.search(/[?#]/)
  const path = end < 0 ? local : local.slice(0, end)
  const rest = end < 0 ? '' : local.slice(end)
  const plain = resolved(`/${path.replace(/^\/+/, '')}`)
  const isRead = method === 'GET' || method === 'HEAD'
  const joined = isRead ? plain.replaceAll(/\/{2,}/g, '/') : plain
  const endsOpen = joined === '/mcp/' || (joined.startsWith('/api/') && (isRead || method === 'POST'))
  return (endsOpen ? joined.replace(/(?<!\/)\/$/, '') : joined) + rest
}

function resolved(path: string): string {
  const decodable = isDecodable(path) ? path : path.replaceAll('%', '%25')
  const plain = decodable.replaceAll(/%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi, decodeURIComponent)
  // Some programs escape the sign before the name of a person's page.
  return new URL(`http://any${plain.replace(/^\/%40/, '/@')}`).pathname
}

const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/**
 * Returns whether a request has exactly one `Host` header. If there are several, Node reads the first and a proxy may read
 * the last, which could be different sites; RFC 9112 requires an error response.
 */
export function namesOneHost({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts < 2
}

/**
 * Refuses a request with several `Host` headers with 400 (Node itself refuses one without any), and redirects to a page whose path was
 * sent with repeated slashes, so that the browser resolves what is relative in it.
 */
export function checkTargets(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!namesOneHost(request.raw))
      done(invalid([{ path: 'Host', message: 'A request must have one Host header, not several' }]))
    else if (repeatsSlashes(request.originalUrl) && isPage(request)) reply.redirect(request.url, 301)
    else done()
  })
}

const isPage = ({ method, url }: FastifyRequest) =>
  (method === 'GET' || method === 'HEAD') && !url.startsWith('/api/')

const repeatsSlashes = (target: string) =>
  target.includes('//') && /^[^?#]*\/\//.test(target.replace(ORIGIN, ''))
