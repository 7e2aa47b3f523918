import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type DestinationStream, type Logger, pino } from 'pino'

const BUFFER_BYTES = 8_192
/** How late a line may be. */
const FLUSH_MS = 100

/** Structured logs, on standard output: no token, password, cookie or query string ever reaches them. */
export function createLogger(level: string, destination: DestinationStream = buffered()): Logger {
  return pino({ level, redact, serializers: { req: loggedRequest } }, destination)
}

/** Standard output, one write for many lines. What is left goes out at the end, or before something fatal. */
function buffered(): DestinationStream {
  const destination = pino.destination({
    dest: 1,
    sync: true,
    minLength: BUFFER_BYTES,
    periodicFlush: FLUSH_MS,
  })
  process.once('exit', () => destination.flushSync())
  return destination
}

const redact = ['req.headers.authorization', 'req.headers.cookie', 'password', 'token', 'idToken']

function loggedRequest({ method, url, ip }: FastifyRequest) {
  return { method, path: loggedPath(url), address: ip }
}

/** The path without its query, the tokens of mailed links blanked, however they are spelt. */
export function loggedPath(url: string): string {
  const path = url.split('?', 1)[0] ?? ''
  return path.replace(/\/(invite|accept|decline|verify-email)(?:\/|%2f)+[^/]+/i, '/$1/[token]')
}

/** One line for each answer: what was asked, by which address, what came and how long it took. */
export function logAnswers(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      { req: request, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    )
    done()
  })
}
