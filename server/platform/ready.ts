import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import proxyAddress, { compile } from '@fastify/proxy-addr'
import type { Logger } from 'pino'
import type { Answered } from './metrics/metrics.ts'

/** An answer to a GET of which nothing is left to be made. `headers`: name, value, name, value … */
export type ReadyAnswer = { status: number; headers: string[]; body?: Buffer }

/** Sends an answer that is ready to a request that came at `since`, on the clock of `performance`. */
export type AnswerReady = (exchange: Exchange, answer: ReadyAnswer) => void

export type Exchange = { request: IncomingMessage; response: ServerResponse; since: number }

type Means = {
  log: Logger
  trustProxy: boolean | string | string[]
  answered: (answer: Answered) => void
}

/** For what is answered ahead of the app: with an id, logged and counted as everything else is. */
export function createAnswerReady({ log, trustProxy, answered }: Means): AnswerReady {
  const addressOf = addressReader(trustProxy)
  // A line of these parts alone holds no secret, and looking for one costs as much as writing it.
  const access = log.child({}, { redact: [] })
  return ({ request, response, since }, { status, headers, body }) => {
    const reqId = randomUUID()
    const { method = '', url = '' } = request
    response.writeHead(status, [...headers, 'x-request-id', reqId])
    response.end(body)
    const ms = performance.now() - since
    const req = { method, url, ip: addressOf(request) }
    access.info({ reqId, req, status, ms: Math.round(ms) }, 'answered')
    answered({ method, route: '/*', status, seconds: ms / 1000 })
  }
}

/** The address of whoever sent a request, by the same trust in forwarded ones as Fastify's. */
function addressReader(trustProxy: Means['trustProxy']): (request: IncomingMessage) => string | undefined {
  if (!trustProxy) return ({ socket }) => socket.remoteAddress
  const trust = trustProxy === true ? () => true : compile(listOf(trustProxy))
  return (request) => proxyAddress(request, trust)
}

const listOf = (trusted: string | string[]) =>
  [trusted].flat().flatMap((one) => one.split(',').map((part) => part.trim()))
