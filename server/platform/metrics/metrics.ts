import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { BaseLogger } from 'pino'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { CannotStart } from '#server/cannot-start.ts'
import { bearerOf } from '#server/platform/api/calls.ts'
import { notSignedIn } from '#server/platform/api/errors.ts'
import type { PoolCounts } from '#server/platform/limits/overload.ts'

/** The Prometheus metrics of this process. No label contains an id, an email or anything else that a client sends. */
export type Metrics = {
  /** Counts a response, by the pattern of its route. */
  answered(request: FastifyRequest, reply: FastifyReply): void
  /** Counts a request whose client closed the connection before it had the whole response. */
  departed: (request: FastifyRequest) => void
  /** Counts a job of a queue. */
  onJobDone: (queue: string, outcome: 'done' | 'failed') => void
  /** Adds a gauge whose value is read for each scrape. */
  reads(name: string, help: string, read: () => number | Promise<number>): void
  /** Returns all metrics in the Prometheus text format. */
  text(): Promise<{ type: string; body: string }>
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Starts measuring the process and the connection pool, in addition to what the methods report. */
export function createMetrics(pool: PoolCounts): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'milepost_http_request_duration_seconds',
    help: 'Duration of HTTP requests by method, route and status class',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: SECONDS,
    registers,
  })
  const departures = new Counter({
    name: 'milepost_http_departed_total',
    help: 'Requests whose client closed the connection before it had the whole response, by method and route',
    labelNames: ['method', 'route'] as const,
    registers,
  })
  const jobs = new Counter({
    name: 'milepost_jobs_total',
    help: 'Jobs of a queue that were done, or failed and will be retried',
    labelNames: ['queue', 'outcome'] as const,
    registers,
  })
  const connections = new Gauge({
    name: 'milepost_database_connections',
    help: 'Database connections in use and idle, and queries that wait for one',
    labelNames: ['state'] as const,
    registers: [],
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
  registry.registerMetric(connections)

  return {
    answered(request, reply) {
      // Excluded, because the duration of an event stream only shows how long a page was open.
      if (reply.getHeader('content-type') === 'text/event-stream') return
      const route = routeOf(request)
      const status = `${Math.floor(reply.statusCode / 100)}xx`
      durations.observe({ method: request.method, route, status }, reply.elapsedTime / 1000)
    },
    departed: (request) => departures.inc({ method: request.method, route: routeOf(request) }),
    onJobDone: (queue, outcome) => jobs.inc({ queue, outcome }),
    reads(name, help, read) {
      const gauge = new Gauge({
        name,
        help,
        registers: [],
        async collect() {
          this.set(await read())
        },
      })
      registry.registerMetric(gauge)
    },
    text: async () => ({ type: registry.contentType, body: await registry.metrics() }),
  }
}

/** Counts the responses of the app and, if a token is set, serves the metrics at `/metrics` to clients that send it. */
export function mountMetrics(app: FastifyInstance, metrics: Metrics, token: string | undefined): void {
  app.addHook('onResponse', async (request, reply) => metrics.answered(request, reply))
  if (token === undefined) return
  const expected = digest(token)
  app.get('/metrics', { logLevel: 'warn' }, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (!timingSafeEqual(digest(bearerOf(request)), expected)) throw notSignedIn()
    const { type, body } = await metrics.text()
    return reply.type(type).send(body)
  })
}

/** Serves the metrics at `/metrics` on a separate port, to every client that reaches it. */
export function createMetricsServer(metrics: Metrics, log: Pick<BaseLogger, 'error'>): Server {
  return createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    metrics.text().then(
      ({ type, body }) => response.writeHead(200, { 'content-type': type }).end(body),
      (error: unknown) => {
        log.error({ err: error }, 'the metrics could not be collected')
        response.writeHead(500).end()
      },
    )
  })
}

const routeOf = (request: FastifyRequest) => (request.is404 ? 'none' : (request.routeOptions.url ?? 'none'))

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Starts listening. Throws `CannotStart` if that fails. */
export async function openMetricsServer(server: Server, { host, port }: { host: string; port: number }) {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new CannotStart(
      `Metrics cannot be shown at ${host}, port ${port}: set METRICS_PORT to a free one.`,
      {
        cause: error,
      },
    )
  }
}

export async function closeMetricsServer(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
