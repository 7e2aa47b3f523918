import type { ChangingCallName, ClientCallName, ClientCalls } from '#contract/calls.ts'
import type { CallInput, CallResponse } from '#contract/parts/call.ts'
import { ApiError, errorOf, foreignAnswer, hasPage, sessionEnded, unreachable } from './api-error.ts'
import { isOfProxy, withAuthorization } from './authorization.ts'
import { type CallMetadata, callMetadata } from './call-metadata.ts'
import { newId } from './ids.ts'
import { noteServerTime } from './server-clock.ts'
import { readToken } from './token.ts'

export type RequestOptions = {
  signal?: AbortSignal
  /** The time after which the server counts as unreachable. */
  timeoutMs?: number
  /** The version on which an update is based; the server refuses any other with `stale`. */
  ifMatch?: number
  /** The id of the change that a call makes, under which it can be repeated safely; by default a new one. */
  idempotencyKey?: string
  /** Sends no token, as a visitor would. */
  anonymous?: boolean
  /** Sends this token instead of the stored one. */
  token?: string
  /** Completes the request even if the page is left in the meantime. */
  keepalive?: boolean
  /** Receives the headers of a successful response. */
  onHeaders?: (headers: Headers) => void
}

type IdentifiedOptions = RequestOptions & { idempotencyKey: string }

/** What the session of this page does about its calls, as who knows sets it. */
export const session = {
  /** Ends the session everywhere in the page, because the server refused its token. */
  refused: (_token: string): void => {},
  /** Refreshes the token, if it is about to expire, before each call that sends it. */
  refreshToken: async (): Promise<void> => {},
  /** Asks the person to prove who they are; resolves to whether they did. */
  proveAgain: async (): Promise<boolean> => false,
  /** Is called at the end of each session. */
  ended: (): void => {},
}

/** The number of sessions that ended in this page: calls of one session are not repeated in the next. */
export let sessionsEnded = 0

/** Counts the end of a session. */
export function endSession(): void {
  sessionsEnded += 1
  session.ended()
}

/** Returns a function that returns whether the current session has ended by then, even if somebody has signed in again. */
export function watchSession(): () => boolean {
  const began = sessionsEnded
  return () => began !== sessionsEnded || readToken() === null
}

/** The calls that `saveForm` and `change` make and retry. `acceptInvitation` is excluded, because it is also a lookup. */
type RepeatedCallName = Exclude<ChangingCallName, 'acceptInvitation'>

/** Makes a call that reads, or that is not retried. Throws ApiError if it is refused, or the reason of the signal if it is aborted. */
export const request: <N extends Exclude<ClientCallName, RepeatedCallName>>(
  name: N,
  input: CallInput<ClientCalls[N]>,
  options?: RequestOptions,
) => Promise<CallResponse<ClientCalls[N]>> = exchange

/** Makes any call, without retries; again under the same id once the person has proved who they are, if it requires that. */
export async function exchange<N extends ClientCallName>(
  name: N,
  input: CallInput<ClientCalls[N]>,
  options: RequestOptions = {},
): Promise<CallResponse<ClientCalls[N]>> {
  const began = sessionsEnded
  const idempotencyKey = options.idempotencyKey ?? newId()
  const make = () => exchangeOnce(name, input, { ...options, idempotencyKey })
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'proof_required')) throw error
    if (!(await session.proveAgain())) throw error
    if (began !== sessionsEnded) throw sessionEnded()
    return make()
  }
}

async function exchangeOnce<N extends ClientCallName>(
  name: N,
  input: CallInput<ClientCalls[N]>,
  options: IdentifiedOptions,
): Promise<CallResponse<ClientCalls[N]>> {
  const call = callMetadata[name]
  const token = options.anonymous || call.forAnyone ? null : (options.token ?? (await ownToken()))
  const response = await withAuthorization(token, (authorization) =>
    sendOnce(call, input, authorization, options),
  )
  noteServerTime(response.headers.get('date'))
  reportRefusal(response, token)
  if (!response.ok) throw await errorOf(response)
  options.onHeaders?.(response.headers)
  if (response.status === 204) return undefined as CallResponse<ClientCalls[N]>
  try {
    return await response.json()
  } catch (error) {
    const isPage = error instanceof SyntaxError && hasPage(response)
    throw isPage ? foreignAnswer(response) : failed(error, options.signal)
  }
}

/** Opens an endless response (server-sent events) with the session's token. The caller checks the status. */
export async function openStream(path: string, signal: AbortSignal): Promise<Response> {
  const token = await freshToken()
  const response = await withAuthorization(token, (authorization) =>
    fetch(path, { headers: { accept: 'text/event-stream', ...authorization }, signal, cache: 'no-store' }),
  )
  reportRefusal(response, token)
  return response
}

/** Ends the session if the server refused its token. The 401 of a proxy in front of the server says nothing about it. */
function reportRefusal(response: Pick<Response, 'status' | 'headers'>, token: string | null): void {
  if (response.status === 401 && token !== null && !isOfProxy(response)) session.refused(token)
}

/**
 * Sends a call that `request` cannot send (an upload by XMLHttpRequest) with the session's token; its status shows whether the
 * token was refused.
 */
export async function withToken<T extends Pick<Response, 'status' | 'headers'>>(
  exchange: (authorization: Record<string, string>) => Promise<T>,
): Promise<T> {
  const token = await ownToken()
  const response = await withAuthorization(token, exchange)
  reportRefusal(response, token)
  return response
}

async function freshToken(): Promise<string | null> {
  await session.refreshToken()
  return readToken()
}

/** Returns the token of the current session. Throws ApiError if that ends meanwhile. */
async function ownToken(): Promise<string | null> {
  const began = sessionsEnded
  const token = await freshToken()
  if (began !== sessionsEnded) throw sessionEnded()
  return token
}

type Input = { params?: object; query?: object; body?: object }

async function sendOnce(
  call: CallMetadata,
  input: Input,
  authorization: Record<string, string>,
  options: IdentifiedOptions,
): Promise<Response> {
  const { signal, timeoutMs, ifMatch, idempotencyKey, keepalive = false } = options
  const headers = new Headers({ accept: 'application/json', ...authorization })
  if (ifMatch !== undefined) headers.set('if-match', `"${ifMatch}"`)
  if (call.method !== 'GET' && !call.forAnyone) headers.set('idempotency-key', idempotencyKey)
  const multipart = call.multipart === true && input.body !== undefined
  if (input.body !== undefined && !multipart) headers.set('content-type', 'application/json')
  const url = urlOf(call, input)
  const init = {
    method: call.method,
    headers,
    body: multipart ? toFormData(input.body ?? {}) : (JSON.stringify(input.body) ?? null),
    keepalive,
    // No call redirects; a proxy in front of the server does, to its sign-in page, which another origin hides.
    redirect: 'manual',
  } as const
  try {
    return await fetchInTime(url, init, { signal, timeoutMs })
  } catch (error) {
    throw failed(error, signal)
  }
}

/** How long a read waits for a response. Changes and uploads have their own limits, because the server may still be at work. */
const READ_TIMEOUT_MS = 30_000

/** Fetches, and aborts if no response begins in time, or is complete within `timeoutMs`: a lost connection may never report an error. */
async function fetchInTime(
  url: string,
  init: RequestInit,
  { signal, timeoutMs }: Pick<RequestOptions, 'signal' | 'timeoutMs'>,
): Promise<Response> {
  const over = new AbortController()
  const follow = (other: AbortSignal) => {
    const abort = () => over.abort(other.reason)
    if (other.aborted) abort()
    other.addEventListener('abort', abort, { once: true })
    return () => other.removeEventListener('abort', abort)
  }
  // Not AbortSignal.any, which not all supported browsers have.
  if (signal) follow(signal)
  if (timeoutMs !== undefined) follow(AbortSignal.timeout(timeoutMs))
  const begun = init.method === 'GET' ? follow(AbortSignal.timeout(READ_TIMEOUT_MS)) : undefined
  try {
    return await fetch(url, { ...init, signal: over.signal })
  } finally {
    // A long response may arrive slowly.
    begun?.()
  }
}

function failed(error: unknown, signal: AbortSignal | undefined): unknown {
  return signal?.aborted ? error : unreachable(error)
}

/** Returns the URL of a call: its path with the parameters filled in, and the query params that are set. */
export function urlOf(call: Pick<CallMetadata, 'path'>, { params = {}, query = {} }: Input): string {
  const values: Record<string, unknown> = { ...params }
  const path = call.path.replaceAll(/:(\w+)/g, (_match, name: string) =>
    encodeURIComponent(String(values[name])),
  )
  const set = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  const search = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString()
  return search === '' ? path : `${path}?${search}`
}

/** Returns a call's body as multipart/form-data: files unchanged, lists as JSON, null as empty text, absent fields omitted. */
export function toFormData(body: object): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(body) as [string, unknown][]) {
    if (value === undefined) continue
    if (value instanceof Blob) form.append(name, value)
    else form.append(name, typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value))
  }
  return form
}
