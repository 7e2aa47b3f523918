import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CallAnswer, CallParts } from '#contract/call.ts'
import { type Call, successStatus } from '#contract/call.ts'
import { type CallName, type Calls, calls } from '#contract/calls.ts'
import type { Answer } from '#contract/rendering.ts'
import { isOutage } from '#server/database/outage.ts'
import { databaseUnavailable, invalid, notFound, notSignedIn } from './errors.ts'
import { dropFile, readMultipart } from './multipart.ts'
import type { Upload } from './uploads.ts'

/** Who sends a call: a person and the sign-in they act under. */
export type Caller = { userId: string; sessionId: string }

type CallerOf<C extends Call> = C['who'] extends 'signed-in' ? Caller : Caller | null

/** What a handler is given: validated parts, the caller as the contract promises, the version that was read, a file. */
export type CallRequest<C extends Call> = CallParts<C> & {
  caller: CallerOf<C>
  ifMatch: number | undefined
  upload: Upload | null
}

type Handler<N extends CallName> = (request: CallRequest<Calls[N]>) => Promise<CallAnswer<Calls[N]>>

/** Mounts the handler of a call of the contract. */
export type Serve = <N extends CallName>(name: N, handler: Handler<N>) => void

/** Resolves a bearer token to its caller; throws `not_signed_in`. */
export type Authenticate = (token: string) => Promise<Caller>

type AnyHandler = (request: object) => Promise<unknown>

/** The two ways into the API: over HTTP through `serve`, and from our own pages through `answer`. */
export function createCalls(
  app: FastifyInstance,
  authenticate: Authenticate,
): { serve: Serve; answer: Answer } {
  const handlers = new Map<CallName, AnyHandler>()

  const serve: Serve = (name, handler) => {
    handlers.set(name, handler as unknown as AnyHandler)
    mount(app, name, handler as unknown as AnyHandler, authenticate)
  }

  const answer: Answer = async (name, input) => {
    const call: Call = calls[name]
    const handler = handlers.get(name)
    const params = call.params?.safeParse('params' in input ? input.params : {})
    const query = call.query?.safeParse('query' in input ? input.query : {})
    if (!handler || params?.success === false || query?.success === false) throw notFound('Page')
    try {
      return (await handler({
        ...input,
        params: params?.data,
        query: query?.data,
        caller: null,
        ifMatch: undefined,
        upload: null,
      })) as never
    } catch (error) {
      if (!isOutage(error)) throw error
      app.log.warn({ err: error }, 'the database is not available')
      throw databaseUnavailable()
    }
  }

  return { serve, answer }
}

function mount(app: FastifyInstance, name: CallName, handler: AnyHandler, authenticate: Authenticate): void {
  const call: Call = calls[name]
  const { params, query, body, answers } = call
  app.route({
    method: call.method,
    url: call.path,
    schema: {
      operationId: name,
      summary: call.summary,
      tags: [call.path.split('/')[2] ?? 'api'],
      ...(call.who === 'anyone' ? { security: [] } : {}),
      ...(call.multipart ? { consumes: ['multipart/form-data'] } : {}),
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && { body }),
      response: Object.fromEntries(Object.entries(answers).filter(([, schema]) => schema)),
    },
    onRequest: async (request) => {
      request.caller = await callerOf(request, call, authenticate)
    },
    ...(call.multipart && { preValidation: readMultipart, onError: dropFile }),
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const result = await handler({
        params: request.params,
        query: request.query,
        body: request.body,
        caller: request.caller,
        ifMatch: ifMatchOf(request),
        upload: request.upload,
      })
      if (call.multipart) await dropFile(request)
      return reply.code(successStatus(call)).send(result)
    },
  })
}

async function callerOf(
  request: FastifyRequest,
  call: Call,
  authenticate: Authenticate,
): Promise<Caller | null> {
  if (call.who === 'anyone') return null
  if (call.who === 'either' && request.headers.authorization === undefined) return null
  return authenticate(bearerOf(request))
}

/** The bearer token of a request; throws `not_signed_in` where it has none. */
export function bearerOf({ headers }: FastifyRequest): string {
  const token = /^Bearer ([\w.~+/=-]+)$/i.exec(headers.authorization ?? '')?.[1]
  if (token === undefined) throw notSignedIn()
  return token
}

function ifMatchOf(request: FastifyRequest): number | undefined {
  const header = request.headers['if-match']
  if (header === undefined || header === '*') return undefined
  const version = /^(?:W\/)?"(\d{1,9})"$/.exec(header)?.[1]
  if (version === undefined)
    throw invalid([{ path: 'If-Match', message: 'The If-Match header must be a quoted version' }])
  return Number(version)
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
}
