import { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { CannotStart } from './cannot-start.ts'

/** The maximum time for running requests to finish during a shutdown. */
const DRAIN_MS = 10_000

const PROBLEMS: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (_, port) =>
    `Port ${port} is in use by another program: stop that one, or set PORT to another.`,
  EACCES: (_, port) => `Listening on port ${port} needs more rights: set PORT to one above 1023.`,
  EADDRNOTAVAIL: (host) =>
    `HOST is ${host}, which is no address of this machine: set it to one, or to 0.0.0.0 for all.`,
  ENOTFOUND: (host) =>
    `HOST is ${host}, which is no address and no known name: set it to an address of this machine, or to 0.0.0.0 for all.`,
  EAI_AGAIN: (host) =>
    `HOST is ${host}, a name that cannot be looked up: set it to an address of this machine.`,
  EAFNOSUPPORT: (host) =>
    `HOST is ${host}, but this machine has no IPv6: set it to 0.0.0.0 for all addresses.`,
  EINVAL: (host) =>
    `HOST is ${host}, which needs the name of its network: set it to an address such as fe80::1%eth0, or to :: for all.`,
}

/** Starts listening. Throws `CannotStart` with the reason if that fails. */
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

type DrainOptions = {
  /** How long load balancers have to stop sending requests; see `leaveBalancers`. */
  seconds: number
  wait?: (ms: number) => Promise<unknown>
}

/** Stops accepting connections, waits a while for running requests, then closes the remaining connections. */
export async function drain(
  app: FastifyInstance,
  { seconds, wait = (ms) => pause(ms) }: DrainOptions,
): Promise<void> {
  if (seconds > 0) await leaveBalancers(app, () => wait(seconds * 1_000))
  // A connection kept alive after its last response would delay the end until it times out.
  const sweep = setInterval(() => app.server.closeIdleConnections(), 100)
  const cut = setTimeout(() => {
    app.log.warn(`requests still ran ${DRAIN_MS / 1000} s after the stop; closing their connections`)
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
 * Makes load balancers stop sending requests, without failing requests that they still send. Balancers that check `/readyz`
 * notice in time. Others cannot connect any more and choose another server before they have sent anything. Their keep-alive
 * connections are served until they close them, because a request that is sent while its connection is being closed is
 * lost.
 */
async function leaveBalancers(app: FastifyInstance, wait: () => Promise<unknown>): Promise<void> {
  app.health.leaving = true
  await wait()
  app.server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
  const closed = new Promise<void>((resolve) => {
    // The close method of the HTTP server would also close idle connections.
    Server.prototype.close.call(app.server, () => resolve())
  })
  await Promise.race([closed, wait()])
}
