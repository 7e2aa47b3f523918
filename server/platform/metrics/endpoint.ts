import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { BaseLogger } from 'pino'
import { CannotStart } from '#server/cannot-start.ts'
import { bearerOf } from '#server/platform/calls.ts'
import { notSignedIn } from '#server/platform/errors.ts'
import type { Metrics } from './metrics.ts'

/** Counts what the app answers and, where there is a token, shows the figures at `/metrics` to who has it. */
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

/** Shows the figures at an address of their own, `/metrics`, to everybody who reaches it. */
export function createMetricsServer(metrics: Metrics, log: Pick<BaseLogger, 'error'>): Server {
  return createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    metrics.text().then(
      ({ type, body }) => response.writeHead(200, { 'content-type': type }).end(body),
      (error: unknown) => {
        log.error({ err: error }, 'the metrics could not be gathered')
        response.writeHead(500).end()
      },
    )
  })
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Listens there; where that is not possible, says so in a sentence. Throws CannotStart. */
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
