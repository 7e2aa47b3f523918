import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type DestinationStream, type Logger, pino } from 'pino'
import { createLogBuffer } from './pino-buffer.ts'

/** Structured logs on standard output, without tokens, passwords, cookies and query strings. */
export function createLogger(level: string, destination: DestinationStream = createLogBuffer()): Logger {
  return pino({ level, redact, serializers: { req: loggedRequest } }, destination)
}

const redact = [
  'req.headers.authorization',
  'req.headers["x-milepost-authorization"]',
  'req.headers.cookie',
  'password',
  'token',
  'idToken',
]

function loggedRequest({ method, url, ip }: FastifyRequest) {
  return { method, path: loggedPath(url), ip }
}

/** Returns the path without its query, with redacted tokens of emailed links in any spelling. */
export function loggedPath(url: string): string {
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  return path.replace(
    /\/(s|invite|accept|decline|verify-email|email-change|reset-password)(?:\/|%2f)+[^/]+/i,
    '/$1/[token]',
  )
}

/** Logs one line for each response: the request, the client's IP address, the status, the code of a refusal and the duration. */
export function logResponses(app: FastifyInstance): void {
  // These fields contain no secrets, and redaction costs as much as writing the line.
  const access = app.log.child({}, { redact: [] })
  app.addHook('onResponse', (request, reply, done) => {
    const { id: reqId, log } = request
    if (log.level !== 'warn')
      access.info(
        {
          reqId,
          req: request,
          status: reply.statusCode,
          ...(reply.errorCode && { code: reply.errorCode }),
          ms: Math.round(reply.elapsedTime),
        },
        'request completed',
      )
    done()
  })
}
