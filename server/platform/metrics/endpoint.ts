import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { BaseLogger } from 'pino'
import { CannotStart } from '#server/cannot-start.ts'
import { bearerOf } from '#server/platform/calls.ts'
import { notSignedIn } from '#server/platform/errors.ts'
import type { Metrics } from './metrics.ts'

/** Counts the responses of the app and, where a token is set, serves the metrics at `/metrics` to clients that send it. */
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

/** Serves the metrics at `/metrics` on a port of their own, to every client that reaches it. */
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

/** Starts listening. Throws `CannotStart` where that is not possible. */
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
