import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorBody, errorStatus } from '#contract/errors.ts'
import type { Timeouts } from '#server/platform/settings.ts'

/** The interval at which overdue requests are searched for. */
const CHECK_MS = 5_000
/** The size limit of all headers of a request together. */
const HEADERS_BYTES = 16_384

/** Timeouts and size limits for connections; a client gets an error response before it is cut off. */
export function connectionOptions({ headers, request, connection }: Timeouts) {
  return {
    connectionTimeout: connection,
    requestTimeout: request,
    http: {
      headersTimeout: Math.min(headers, request),
      connectionsCheckingInterval: Math.min(CHECK_MS, headers, request),
      maxHeaderSize: HEADERS_BYTES,
    },
    clientErrorHandler: refuseBroken,
  }
}

const refusals: { [fault: string]: ErrorBody } = {
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'too_slow', message: 'The request took too long to arrive' },
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', message: 'The headers of the request are too large' },
}
const broken: ErrorBody = { code: 'invalid', message: 'The request could not be understood' }

/**
 * Responds to data that is not a valid request and closes the connection, because nothing that follows can be trusted.
 */
function refuseBroken(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const refusal = refusals[error.code ?? ''] ?? broken
  const body = JSON.stringify(refusal)
  const head = [
    `HTTP/1.1 ${errorStatus[refusal.code]} ${STATUS_CODES[errorStatus[refusal.code]]}`,
    'content-type: application/json; charset=utf-8',
    'x-content-type-options: nosniff',
    'cache-control: no-store',
    'connection: close',
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  if (socket.writable) socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroySoon()
}
