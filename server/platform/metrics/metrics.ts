import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { BaseLogger } from 'pino'
import { CannotStart } from '#server/cannot-start.ts'
import { bearerOf } from '#server/platform/api/calls.ts'
import { notSignedIn } from '#server/platform/api/errors.ts'

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
