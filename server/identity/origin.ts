import type { FastifyRequest } from 'fastify'
import { AppError } from '#server/platform/errors.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Refuses requests that another site's page sends with a visitor's cookies. Trusted origins are the public URL, and a loopback
 * host name by which the browser reached this server. An attacker's DNS name that resolves to a loopback IP is not trusted.
 */
export function refuseForeignOrigin(request: FastifyRequest, publicUrl: string): void {
  const { origin, host } = request.headers
  if (origin !== undefined) {
    if (origin === new URL(publicUrl).origin || isLoopbackItself(origin, host)) return
    throw foreign(publicUrl)
  }
  const site = request.headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site') throw foreign(publicUrl)
}

/** Returns the origin by which the browser reached this server: the public one or a loopback one. */
export function ownOrigin(request: FastifyRequest, publicUrl: string): string {
  const { origin, hostname } = new URL(publicUrl)
  const reached = `http://${request.headers.host}`
  return LOOPBACK.has(hostname) && isLoopbackItself(reached, request.headers.host) ? reached : origin
}

function isLoopbackItself(origin: string, host: string | undefined): boolean {
  if (origin !== `http://${host}` || !URL.canParse(origin)) return false
  return LOOPBACK.has(new URL(origin).hostname)
}

function foreign(publicUrl: string): AppError {
  return new AppError(
    'forbidden',
    `This server is reached at ${publicUrl}; under another address nobody can sign in (PUBLIC_URL sets it).`,
  )
}
