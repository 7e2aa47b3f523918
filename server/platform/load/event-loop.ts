import type { FastifyInstance, FastifyRequest } from 'fastify'

const LOOK_MS = 100
/** How late the event loop may be before the log says so. */
const LATE_MS = 500
/** How many different calls a line of the log names. */
const NAMED_MAX = 20

/**
 * Logs when the event loop was blocked, and which requests were in hand since it last was not: one of them is most
 * likely the cause. Of a request it says the method and the pattern of its route, which hold nothing that people sent.
 * It looks from when the server listens; `look` is what the timer does, for tests with a clock of their own.
 */
export function watchEventLoop(
  app: FastifyInstance,
  now: () => number = () => performance.now(),
): { look: () => void } {
  const inHand = new Set<FastifyRequest>()
  /** Those that ended since the last look, as the request that blocked the loop may well have. */
  let ended: FastifyRequest[] = []
  let last = now()
  let timer: NodeJS.Timeout | undefined

  function look() {
    const late = now() - last - LOOK_MS
    if (late > LATE_MS)
      app.log.warn(
        { ms: Math.round(late), requests: named([...ended, ...inHand]) },
        'the event loop was blocked; these requests were in hand',
      )
    ended = []
    last = now()
  }

  app.addHook('onRequest', (request, reply, done) => {
    inHand.add(request)
    // Unlike Fastify's hooks, it comes for every response: sent, broken off or taken over.
    reply.raw.once('close', () => {
      inHand.delete(request)
      ended.push(request)
    })
    done()
  })
  app.addHook('onListen', (done) => {
    last = now()
    timer = setInterval(look, LOOK_MS).unref()
    done()
  })
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer)
    done()
  })
  return { look }
}

/** How many there were of each call, the newest first. */
function named(requests: FastifyRequest[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const request of requests.toReversed()) {
    const call = `${request.method} ${request.is404 ? 'none' : (request.routeOptions.url ?? 'none')}`
    counts.set(call, (counts.get(call) ?? 0) + 1)
  }
  return Object.fromEntries([...counts].slice(0, NAMED_MAX))
}
