import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type DestinationStream, type Logger, pino } from 'pino'

/** Structured logs, on standard output: no token, password, cookie or query string ever reaches them. */
export function createLogger(level: string, destination: DestinationStream = pino.destination(1)): Logger {
  return pino({ level, redact, serializers: { req: loggedRequest } }, destination)
}

const redact = ['req.headers.authorization', 'req.headers.cookie', 'password', 'token', 'idToken']

function loggedRequest({ method, url, ip }: FastifyRequest) {
  return { method, path: loggedPath(url), address: ip }
}

/** The path without its query, the tokens of mailed links blanked. */
export function loggedPath(url: string): string {
  const path = url.split('?', 1)[0] ?? ''
  return path.replace(/\/(invite|accept|decline|verify-email)\/[^/]+/, '/$1/[token]')
}

/** One line for each answer: what was asked, by which address, what came and how long it took. */
export function logAnswers(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      { req: request, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    )
  })
}
