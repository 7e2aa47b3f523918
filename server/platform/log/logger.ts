import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
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
  const write = accessLog(app.log as Logger)
  app.addHook('onResponse', (request, reply, done) => {
    if (request.log.level !== 'warn') write(request, reply)
    done()
  })
}

/**
 * Returns a function that writes the line of a response as pino would, which takes a third of the time: it redacts nothing, because
 * these fields contain no secrets, and looks up nothing, because it knows them.
 */
function accessLog(log: Logger): (request: FastifyRequest, reply: FastifyReply) => void {
  const { info } = log.levels.values
  const output = Reflect.get(log, pino.symbols.streamSym) as DestinationStream
  const bindings: string = Reflect.get(log, pino.symbols.chindingsSym)
  return (request, reply) => {
    if (!log.isLevelEnabled('info')) return
    const code = reply.errorCode === null ? '' : `,"code":"${reply.errorCode}"`
    const { method, path, ip } = loggedRequest(request)
    const req = `{"method":"${method}","path":${JSON.stringify(path)},"ip":${JSON.stringify(ip)}}`
    const outcome = `"status":${reply.statusCode}${code},"ms":${Math.round(reply.elapsedTime)}`
    output.write(
      `{"level":${info},"time":${Date.now()}${bindings},"reqId":"${request.id}","req":${req},${outcome},"msg":"request completed"}\n`,
    )
  }
}
