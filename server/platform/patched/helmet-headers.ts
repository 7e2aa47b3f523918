import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import helmet, { type HelmetOptions } from 'helmet'

/**
 * Sets helmet's headers on every answer. They are always the same, so helmet is asked for them once: asked for each
 * answer, as its plugin does, it left what kept the request from being collected with the young.
 */
export function setSafeHeaders(app: FastifyInstance, options: HelmetOptions): void {
  const headers = safeHeaders(options)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

function safeHeaders(options: HelmetOptions) {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  helmet(options)(response.req, response, () => undefined)
  return { ...response.getHeaders() }
}
