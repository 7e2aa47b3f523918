import { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { CannotStart } from './cannot-start.ts'

/** How long requests that run may take to finish once the server stops. */
const DRAIN_MS = 10_000

const PROBLEMS: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (_, port) =>
    `Port ${port} is in use by another program: stop that one, or set PORT to another.`,
  EACCES: (_, port) => `Listening on port ${port} needs more rights: set PORT to one above 1023.`,
  EADDRNOTAVAIL: (host) =>
    `HOST is ${host}, which is no address of this machine: set it to one, or to 0.0.0.0 for all.`,
  ENOTFOUND: (host) =>
    `HOST is ${host}, which is no address and no known name: set it to an address of this machine.`,
}

/** Listens, or says in a sentence why not. */
export async function listen(
  app: FastifyInstance,
  { host, port }: { host: string; port: number },
): Promise<void> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const sentence = PROBLEMS[code]?.(host, port)
    throw sentence ? new CannotStart(sentence, { cause: error }) : error
  }
}

/** Stops accepting, lets the requests that run finish for a while, then cuts what is left. */
export async function drain(app: FastifyInstance, { seconds }: { seconds: number }): Promise<void> {
  if (seconds > 0) await turnAway(app, seconds * 1_000)
  // A connection kept alive after its last answer would hold the end up until it times out.
  const sweep = setInterval(() => app.server.closeIdleConnections(), 100)
  const cut = setTimeout(() => {
    app.log.warn(`requests still ran ${DRAIN_MS / 1000} s after the stop; cutting them off`)
    app.server.closeAllConnections()
  }, DRAIN_MS)
  try {
    await app.close()
  } finally {
    clearInterval(sweep)
    clearTimeout(cut)
  }
}

/**
 * Has the balancers in front turn away, without failing anything that they still send. Those that ask `/readyz` hear of
 * the end in time. The others find nobody listening and go elsewhere, having sent nothing; the connections that they
 * keep are served until they give them up, since a request that meets the closing of its connection is lost.
 */
async function turnAway(app: FastifyInstance, ms: number): Promise<void> {
  app.health.leaving = true
  await pause(ms)
  app.server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
  const gone = new Promise<void>((resolve) => {
    // The server of http would close its idle connections along with it.
    Server.prototype.close.call(app.server, () => resolve())
  })
  await Promise.race([gone, pause(ms)])
}
