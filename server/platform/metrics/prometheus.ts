import type { FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { PoolCounts } from '#server/platform/limits/overload.ts'
import type { Metrics } from './metrics.ts'

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

const routeOf = (request: FastifyRequest) => (request.is404 ? 'none' : (request.routeOptions.url ?? 'none'))
