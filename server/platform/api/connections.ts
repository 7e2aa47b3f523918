import { STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type ErrorBody, errorStatus } from '#contract/parts/errors.ts'
import type { Timeouts } from '#server/platform/limits/settings.ts'

/** The interval of checks for overdue requests. */
const CHECK_MS = 5_000
/** The size limit of all headers of a request together. */
export const HEADERS_BYTES = 16_384

/** The maximum time to receive a file: 200 MB at 30 kB a second. */
const FILE_MS = 2 * 3_600_000

/**
 * Timeouts and size limits for connections; a client gets an error response before it is disconnected. Node has one timeout
 * for all requests: `limitBodies` enforces the shorter one of requests without a file.
 */
export function connectionOptions({ headers, request, connection }: Timeouts) {
  return {
    connectionTimeout: connection,
    requestTimeout: Math.max(request, FILE_MS),
    http: {
      headersTimeout: Math.min(headers, request),
      connectionsCheckingInterval: Math.min(CHECK_MS, headers, request),
      maxHeaderSize: HEADERS_BYTES,
    },
    clientErrorHandler: refuseBroken,
  }
}

/**
 * Disconnects a client whose body takes too long. Routes that accept files of any size (`config.takesFiles`) have this
 * limit only after they respond, when nothing reads what the client continues to send. Calls from within this process (MCP) have no
 * connection, and their body is there at once.
 */
export function limitBodies(app: FastifyInstance, { request: limit }: Pick<Timeouts, 'request'>): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    const hasBody =
      raw.headers['content-length'] !== undefined || raw.headers['transfer-encoding'] !== undefined
    const { socket } = raw
    if (!hasBody || !(socket instanceof Socket)) return done()
    let timer: NodeJS.Timeout | undefined
    const start = () => {
      timer ??= setTimeout(() => {
        if (raw.complete) return
        if (reply.raw.headersSent) socket.destroy()
        else refuseBroken({ name: '', message: '', code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket)
      }, limit)
    }
    const stop = () => clearTimeout(timer)
    if (!request.routeOptions.config.takesFiles) start()
    socket.once('close', stop)
    reply.raw.once('close', () => {
      if (raw.complete || socket.destroyed) stop()
      else start()
    })
    raw.once('end', () => {
      stop()
      socket.off('close', stop)
    })
    done()
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    takesFiles?: boolean
  }
}

const errorBodies: { [fault: string]: ErrorBody } = {
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'too_slow', message: 'The request took too long to arrive' },
  // "curl …?q=café" on Linux. Browsers encode what people type.
  HPE_INVALID_URL: {
    code: 'invalid',
    message: 'The URL contains characters that have to be percent-encoded, such as é as %C3%A9',
  },
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', message: 'The headers of the request are too large' },
}
const broken: ErrorBody = { code: 'invalid', message: 'The request could not be understood' }

/**
 * Responds to data that is not a valid request and closes the connection, because nothing that follows can be trusted.
 */
function refuseBroken(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const errorBody = errorBodies[error.code ?? ''] ?? broken
  const body = JSON.stringify(errorBody)
  const head = [
    `HTTP/1.1 ${errorStatus[errorBody.code]} ${STATUS_CODES[errorStatus[errorBody.code]]}`,
    'content-type: application/json; charset=utf-8',
    'x-content-type-options: nosniff',
    'cache-control: no-store',
    'connection: close',
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  if (socket.writable) socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroySoon()
}
