import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Counts a request whose client closed the connection before it had the whole response. */
export type CountDeparted = (request: FastifyRequest) => void

/**
 * Recognizes clients that close their connection early, which is no fault of the server: a request whose client has left already
 * goes no further, since it has no address, and every early end is counted.
 */
export function watchDeparted(app: FastifyInstance, count: CountDeparted | undefined): void {
  app.addHook('onRequest', (request, reply, done) => {
    // Read while the connection is open, because the system forgets the address of a connection that was reset.
    if (request.raw.socket.remoteAddress !== undefined) {
      reply.raw.on('close', () => {
        const isStream = reply.getHeader('content-type') === 'text/event-stream'
        if (!reply.raw.writableFinished && !isStream) count?.(request)
      })
      return done()
    }
    request.log.info('the client left before its request was read')
    count?.(request)
    reply.hijack()
    request.raw.socket.destroy()
    return undefined
  })
}

/** How reading from or writing to a closed connection fails. */
const CODES = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_UNABLE_TO_PIPE',
  'ABORT_ERR',
])

/** Returns whether an error only tells that the client has left. */
export function tellsDeparture({ raw }: FastifyRequest, error: Error): boolean {
  const hasLeft = raw.socket.destroyed || (raw.destroyed && !raw.complete)
  const code = 'code' in error ? String(error.code) : ''
  return hasLeft && (CODES.has(code) || error.message === 'aborted' || error.name === 'AbortError')
}
