import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Beyond this, the rest of a refused body is not waited for; up to it, the client gets to read the error response. */
const DISCARDED_MAX = 50_000_000
const DISCARDING_MS = 60_000

/** Leaves bodies of every type as streams to the handlers of this scope. */
export function takeBytes(scope: FastifyInstance): FastifyInstance {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  return scope
}

/** Reads the rest of a body that was refused, and cuts the connection where it is long or slow. */
export async function discardBytes({ raw }: FastifyRequest): Promise<void> {
  if (raw.readableEnded || raw.destroyed) return
  let discarded = 0
  raw.unpipe()
  raw.removeAllListeners('readable') // of a reader that has given up
  const late = setTimeout(() => raw.destroy(), DISCARDING_MS).unref()
  raw.once('close', () => clearTimeout(late))
  raw.on('data', (chunk: Buffer) => {
    discarded += chunk.length
    if (discarded > DISCARDED_MAX) raw.destroy()
  })
  raw.resume()
}
