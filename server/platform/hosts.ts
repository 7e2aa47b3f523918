import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { invalid } from './errors.ts'

/**
 * Whether a request names one host. Node reads the first of several and a proxy perhaps the last, so that the two would
 * not mean the same site; RFC 9112 has such a request refused.
 */
export function namesOneHost({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts < 2
}

/** Answers a request with several `Host` headers with 400. One without any is refused by Node itself. */
export function refuseSecondHost(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    if (!namesOneHost(raw))
      throw invalid([{ path: 'Host', message: 'A request must have one Host header, not several' }])
  })
}
