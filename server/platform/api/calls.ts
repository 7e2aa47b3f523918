import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { OWN_AUTHORIZATION } from '#contract/authorization-header.ts'
import { type CallName, type Calls, calls } from '#contract/calls.ts'
import {
  type Action,
  type Call,
  type CallParts,
  type CallResponse,
  CHANGE_APPLIED,
  isChanging,
  isCreating,
  type Scope,
  successStatus,
} from '#contract/parts/call.ts'
import type { RunCall } from '#contract/rendering.ts'
import { PROOF_MINUTES } from '#contract/sign-in.ts'
import { DELETION_ID } from '#contract/trash.ts'
import { isOutage } from '#server/database/outage.ts'
import { type Change, changeOf, changingHeaders, unrepeated } from '#server/platform/changes/changes.ts'
import { type Client, clientNamed, FairQueue } from '#server/platform/limits/fair-queue.ts'
import { networkOf } from '#server/platform/network.ts'
import { acceptByteStreams, discardBytes } from './bodies.ts'
import { AppError, absent, databaseUnavailable, invalid, notFound, notSignedIn } from './errors.ts'
import { inPieces, isJsonStream, type JsonStream, sendJsonStream } from './json-stream.ts'
import { dropFile, readMultipart, type Upload } from './uploads.ts'

/** The person who sends a call, and their session; or the access token by which a program acts for them, and its id. */
export type Caller = {
  userId: string
  sessionId: string
  grant?: Grant
  /** The network from which the request came; absent in tests that call a service directly. */
  network?: string
}

/** The caller as a client of a fair queue. */
export const clientOf = ({ userId, network = userId }: Pick<Caller, 'userId' | 'network'>): Client => ({
  person: userId,
  network,
})

/** The rights of an access token, as a subset of those of its owner. */
export type Grant = {
  scopes: readonly Scope[]
  /** Null: in every project. */
  projectIds: readonly string[] | null
  expiresAt: Date | null
}

type CallerOf<C extends Call> = C['who'] extends 'signed-in' | 'administrator' ? Caller : Caller | null

/**
 * The limits of streamed responses, each of which uses a database connection: a reader who does not read gives way to one who
 * waits after ten seconds, one who reads 100 kB a second after a minute.
 */
const STREAMS = { waiting: 20, each: 2, waitMs: 20_000, hold: { ms: 10_000, pace: 100_000 } }

/** The validated request of a call, with the caller, the version of `If-Match` and an uploaded file. */
export type CallRequest<C extends Call> = CallParts<C> & {
  caller: CallerOf<C>
  /** The user, or the network of a visitor, and the network, for fair queues. */
  client: Client
  ifMatch: number | undefined
  upload: Upload | null
  /** Adds a header to the response if the call succeeds. */
  setHeader: (name: string, value: string) => void
  /** The ids with which the change was sent. */
  change: Change
} & (C['bytes'] extends true ? { bytes: Readable } : unknown)

/** Returns the result, or its JSON text as a stream if it may be of any size. */
type Handler<N extends CallName> = (
  request: CallRequest<Calls[N]>,
) => Promise<CallResponse<Calls[N]>> | JsonStream<CallResponse<Calls[N]>>

/** Mounts the handler of a call of the contract. */
export type Serve = <N extends CallName>(name: N, handler: Handler<N>) => void

/** Resolves a bearer token to its caller; throws `not_signed_in`. */
export type Authenticate = (token: string) => Promise<Caller>

/** Throws `not_found` or `forbidden` unless the caller may do the action in the project that the path parameters name. */
export type Authorize = (caller: Caller | null, action: Action, params: PathParams) => Promise<unknown>

type PathParams = { readonly [name: string]: unknown }

type Access = {
  authenticate: Authenticate
  authorize: Authorize
  /** Throws `not_found` unless the caller is an administrator of this server. */
  requireAdministrator: (caller: Caller) => Promise<void>
  /** Throws `proof_required` unless the caller has proved lately who they are. */
  requireProof: (caller: Caller) => Promise<void>
  /** Returns whether the caller has made this deletion of what the path names, which therefore is not there any more. */
  hasDeleted: (caller: Caller, deletionId: string, params: PathParams) => Promise<boolean>
  /** Returns whether the caller was the last to end their membership in the project of the path: by leaving it. */
  hasLeft: (caller: Caller, params: PathParams) => Promise<boolean>
}

/** `maxStreams`: the maximum number of concurrent streamed responses, each of which uses a database connection. */
type CallOptions = Access & { maxStreams: number }

type AnyHandler = (request: object) => Promise<unknown> | JsonStream<unknown>

/** The two ways to call the API: over HTTP (`serve`), and from the server-rendered pages in this process (`runCall`). */
export function createCalls(
  app: FastifyInstance,
  { maxStreams, ...shared }: CallOptions,
): { serve: Serve; runCall: RunCall } {
  const handlers = new Map<CallName, AnyHandler>()
  const streams = new FairQueue({ ...STREAMS, atOnce: maxStreams })

  const serve: Serve = (name, handler) => {
    // TypeScript cannot follow a request from the row of a call to its handler; both are typed where they are written.
    const served = handler as unknown as AnyHandler
    handlers.set(name, served)
    mount(app, name, served, { ...shared, streams })
  }

  const runCall: RunCall = async (name, input) => {
    const call: Call = calls[name]
    const handler = handlers.get(name)
    const params = call.params?.safeParse('params' in input ? input.params : {})
    const query = call.query?.safeParse('query' in input ? input.query : {})
    if (!handler || params?.success === false || query?.success === false) throw notFound('Page')
    try {
      const result = handler({
        ...input,
        params: params?.data,
        query: query?.data,
        caller: null,
        client: clientNamed('pages'),
        ifMatch: undefined,
        upload: null,
        setHeader() {},
        change: unrepeated,
      })
      if (isJsonStream(result)) throw new Error(`${name} has no bound: a page reads a bounded call instead`)
      return (await result) as never
    } catch (error) {
      if (!isOutage(error)) throw error
      app.log.warn({ err: error }, 'the database is not available')
      throw databaseUnavailable()
    }
  }

  return { serve, runCall }
}

type Mounting = Omit<CallOptions, 'maxStreams'> & { streams: FairQueue }

/** The security schemes of the API's description. */
export const SESSION = 'session'
export const ACCESS_TOKEN = 'accessToken'

/** Returns the options of the Fastify route for a call of the contract. */
export function routeOf(name: string, call: Call) {
  const { method, path, summary, params, query, body, responses } = call
  const { multipart, bytes, bodyBytes } = call
  return {
    method,
    url: path,
    schema: {
      operationId: name,
      summary,
      tags: [path.split('/')[2] ?? 'api'],
      ...securityOf(call),
      ...(multipart ? { consumes: ['multipart/form-data'] } : {}),
      ...(bytes ? { consumes: ['application/octet-stream'] } : {}),
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && { body }),
      ...(isChanging(call) && { headers: changingHeaders }),
      response: Object.fromEntries(
        Object.entries({ ...repeatedResponse(call), ...responses }).filter(([, schema]) => schema),
      ),
    },
    ...(bytes && { config: { takesFiles: true } }),
    ...(bodyBytes !== undefined && { bodyLimit: bodyBytes }),
  }
}

/** What a creating call responds when it is repeated. */
const repeatedResponse = ({ responses: { 201: created } }: Call) => (created ? { 200: created } : {})

type Security = { security?: { [scheme: string]: readonly string[] }[]; description?: string }

const NEEDS_PROOF = `The person must have signed in, or proved who they are by \`/api/account/proof\`, within the last ${PROOF_MINUTES} minutes; otherwise the response is 403 with the code \`proof_required\`.`

/** The security requirement of a call in the OpenAPI description; a session by default. */
function securityOf({ who, scope, publishes, changesPublic, needsProof }: Call): Security {
  if (who === 'anyone') return { security: [] }
  if (needsProof) return { description: NEEDS_PROOF }
  if (scope === undefined || scope === 'none') return {}
  return {
    description: [
      `An access token needs the scope \`${scope}\`${publishes ? ', and `publish` for what others will see' : ''}.`,
      ...(changesPublic ? ['In a public project it needs `publish` too for what visitors see.'] : []),
    ].join(' '),
    security: [{ [SESSION]: [] }, { [ACCESS_TOKEN]: [scope] }],
  }
}

function mount(app: FastifyInstance, name: CallName, handler: AnyHandler, mounting: Mounting): void {
  if ('bytes' in calls[name])
    void app.register(async (scope) => mountIn(acceptByteStreams(scope), name, handler, mounting))
  else mountIn(app, name, handler, mounting)
}

function mountIn(app: FastifyInstance, name: CallName, handler: AnyHandler, mounting: Mounting): void {
  const call: Call = calls[name]
  app.route({
    ...routeOf(name, call),
    onRequest: async (request) => {
      request.caller = await callerOf(request, call, mounting.authenticate)
      if (request.caller) requireScope(request.caller, call.scope ?? 'none')
      if (call.who === 'administrator' && request.caller) await mounting.requireAdministrator(request.caller)
      // The services require access again, in the transaction of the change.
      if (call.needs) {
        const params = pathParamsOf(request, call)
        const authorized = mounting.authorize(request.caller, call.needs, params)
        await orRepeated(request, name, mounting, authorized)
      }
      if (call.needsProof && request.caller) await mounting.requireProof(request.caller)
    },
    ...(call.multipart ? { preValidation: readMultipart, onError: dropFile } : { preValidation: refuseForm }),
    ...(call.bytes && { onError: discardBytes }),
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const publishes = call.publishes as ((body: unknown) => boolean) | undefined
      if (request.caller && publishes?.(request.body)) requireScope(request.caller, 'publish')
      if (request.repeatedDeletion) return sendDeleted(reply, request.repeatedDeletion)
      const client = request.caller ? clientOf(request.caller) : clientNamed(networkOf(request.ip))
      const headers: Record<string, string> = {}
      let status = successStatus(call)
      const ids = changeOf(request, call, name)
      const wasDone: Change['wasDone'] = ({ changes }) => {
        status = 200
        if (isCreating(call))
          headers[CHANGE_APPLIED] = String(ids.change !== null && changes[0] === ids.change)
      }
      const input = {
        params: request.params,
        query: request.query,
        body: request.body,
        caller: request.caller,
        client,
        ifMatch: ifMatchOf(request),
        upload: request.upload,
        bytes: request.raw,
        setHeader: (name: string, value: string) => {
          headers[name] = value
        },
        change: { ...ids, wasDone },
      }
      const returned = handler(input)
      if (isJsonStream(returned)) {
        const again = () => handler(input) as JsonStream<unknown>
        return sendJsonStream(reply, returned, again, { queue: mounting.streams, client })
      }
      const result = await orRepeated(request, name, mounting, returned)
      if (request.repeatedDeletion) return sendDeleted(reply, request.repeatedDeletion)
      if (call.multipart) await dropFile(request)
      void reply.code(status).headers(headers)
      const isOld =
        status === 200 && isCreating(call) && (request.body as { _id?: unknown })._id === undefined
      const body = isOld ? asCreated(result) : result
      return isObject(body)
        ? reply.type('application/json; charset=utf-8').send(inPieces(body))
        : reply.send(body)
    },
  })
}

/** A form that is sent to a call without files would be taken for no body. */
async function refuseForm({ headers }: FastifyRequest): Promise<void> {
  if (/^multipart\//i.test(headers['content-type'] ?? ''))
    throw new AppError(
      'unsupported_media',
      'Send the body as JSON, with the header Content-Type: application/json',
    )
}

/** Waits for a call. One that deletes what the same deletion has deleted before is repeated: `repeatedDeletion` is set. */
async function orRepeated<T>(
  request: FastifyRequest,
  name: CallName,
  { hasDeleted, hasLeft }: Pick<Access, 'hasDeleted' | 'hasLeft'>,
  running: Promise<T>,
): Promise<T | undefined> {
  try {
    return await running
  } catch (error) {
    const call: Call = calls[name]
    const { caller } = request
    const { change } = changeOf(request, call, name)
    const isMissing = error instanceof AppError && (error.code === 'not_found' || error.code === 'forbidden')
    if (!isMissing || call.method !== 'DELETE' || !caller || change === null) throw error
    const params = pathParamsOf(request, call)
    const wasDone = name === 'leaveProject' ? hasLeft(caller, params) : hasDeleted(caller, change, params)
    if (!(await wasDone)) throw error
    request.repeatedDeletion = change
    return undefined
  }
}

/**
 * A repetition under a key alone got the first response in former releases. Tabs of those base their next change on its version, which
 * therefore remains the first one, so that no change that was made since is overwritten unseen.
 */
const asCreated = (result: unknown) =>
  isObject(result) && 'version' in result ? { ...result, version: 1 } : result

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const sendDeleted = (reply: FastifyReply, id: string) => reply.code(204).header(DELETION_ID, id).send()

async function callerOf(
  request: FastifyRequest,
  call: Call,
  authenticate: Authenticate,
): Promise<Caller | null> {
  if (call.who === 'anyone') return null
  if (call.who === 'either' && !hasToken(request)) return null
  return { ...(await authenticate(bearerOf(request))), network: networkOf(request.ip) }
}

/** Throws `insufficient_scope` if the caller is an access token without this scope. */
export function requireScope({ grant }: Caller, scope: Scope | 'none'): void {
  if (!grant) return
  if (scope === 'none')
    throw new AppError('insufficient_scope', 'Access tokens cannot do this: sign in to do it yourself')
  if (!grant.scopes.includes(scope))
    throw new AppError('insufficient_scope', `This access token lacks the scope “${scope}”`)
}

/** Returns the validated parameters of the path. Throws `not_found` if one is not a possible id. */
function pathParamsOf(request: FastifyRequest, call: Call): PathParams {
  const params = call.params?.safeParse(request.params)
  if (!params?.success) throw absent(params?.error.issues[0]?.path[0])
  return params.data
}

/**
 * Returns the bearer token of a request, from Milepost's own header or else from `Authorization`, which a proxy in front of this
 * server may use for its own password. Throws `not_signed_in` if it has none.
 */
export function bearerOf(request: FastifyRequest): string {
  const { headers } = request
  const sent = headers[OWN_AUTHORIZATION] ?? headers.authorization
  const token = /^Bearer +([\w.~+/=-]+) *$/i.exec(String(sent ?? ''))?.[1]
  if (token !== undefined) return token
  throw hasToken(request) ? notBearer() : notSignedIn()
}

const notBearer = () =>
  new AppError(
    'not_signed_in',
    'Send the token in the form “Authorization: Bearer” and the token, without quotes',
  )

/** Whether `Authorization` is that of a proxy with a password, which some proxies pass on. */
export function isAuthorizationOfProxy({ headers }: FastifyRequest): boolean {
  return /^(Basic|Digest|Negotiate|NTLM)(\s|$)/i.test(headers.authorization ?? '')
}

function hasToken(request: FastifyRequest): boolean {
  const { headers } = request
  if (headers[OWN_AUTHORIZATION] !== undefined) return true
  return headers.authorization !== undefined && !isAuthorizationOfProxy(request)
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
    /** The deletion that the request repeats. */
    repeatedDeletion?: string
  }
}
