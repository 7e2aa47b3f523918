import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type DestinationStream, type Logger, pino } from 'pino'

const HELD_CHARACTERS = 8_192
/** How late a line may be. */
const FLUSH_MS = 100

/** Structured logs, on standard output: no token, password, cookie or query string ever reaches them. */
export function createLogger(level: string, destination: DestinationStream = buffered()): Logger {
  return pino({ level, redact, serializers: { req: loggedRequest } }, destination)
}

/**
 * Standard output, one write for many lines. What is left goes out at the end, or after something fatal. pino's own
 * buffer measures all that it holds anew with each line, which costs as much as making the line.
 */
function buffered(): DestinationStream & { flushSync: () => void } {
  const output = pino.destination({ dest: 1, sync: true })
  let held = ''
  let late: NodeJS.Timeout | undefined

  function flushSync() {
    clearTimeout(late)
    late = undefined
    const lines = held
    held = ''
    if (lines !== '') output.write(lines)
  }

  process.once('exit', () => {
    flushSync()
    output.flushSync()
  })
  return {
    write(line) {
      held += line
      if (held.length >= HELD_CHARACTERS) flushSync()
      else late ??= setTimeout(flushSync, FLUSH_MS).unref()
    },
    flushSync,
  }
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
  // A line of these parts alone holds no secret, and looking for one costs as much as writing it.
  const access = app.log.child({}, { redact: [] })
  app.addHook('onResponse', (request, reply, done) => {
    const { id: reqId, routeOptions } = request
    if (routeOptions.logLevel !== 'warn')
      access.info(
        { reqId, req: request, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
        'answered',
      )
    done()
  })
}
