import type { ErrorBody, ErrorCode, Issue } from '#contract/parts/errors.ts'
import { isOfProxy } from './authorization.ts'

/** `unreachable`: there was no response. Only the front end uses this code. */
export type ApiErrorCode = ErrorCode | 'unreachable'

/** The status of errors that something in front of the server caused (511: network authentication required). */
const OUTSIDE = 511

type Details = {
  issues?: Issue[] | undefined
  current?: unknown
  requestId?: string | undefined
  isFromServer?: boolean
  retryAfterMs?: number | undefined
}

/** A call that was refused or failed; `message` is a sentence for the user. */
export class ApiError extends Error {
  override name = 'ApiError'
  /** The HTTP status; 0 without a response. */
  readonly status: number
  readonly code: ApiErrorCode
  /** With 400: the errors of the fields. */
  readonly issues: Issue[]
  /** With 412: the current resource. */
  readonly current: unknown
  /** With 500: the id to report to the operator. */
  readonly requestId: string | undefined
  /** Whether the message came from the server; otherwise it is the front end's own. */
  readonly isFromServer: boolean
  /** How long the server asks to wait before the next attempt. */
  readonly retryAfterMs: number | undefined

  constructor(
    status: number,
    code: ApiErrorCode,
    message: string,
    details: Details = {},
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.status = status
    this.code = code
    this.issues = details.issues ?? []
    this.current = details.current
    this.requestId = details.requestId
    this.isFromServer = details.isFromServer ?? false
    this.retryAfterMs = details.retryAfterMs
  }
}

/** Whether a failed call may have succeeded: there was no response, or it did not come from the server that ran the call. */
export function isUncertain(error: unknown): error is ApiError {
  return error instanceof ApiError && [0, 502, 503, 504].includes(error.status)
}

/** Returns the server's message for an error, or undefined if the server sent none. */
export function serverMessage(error: unknown): string | undefined {
  return error instanceof ApiError && error.isFromServer ? error.message : undefined
}

/**
 * Returns a specified sentence, followed by what is really the matter: no connection, a page under an address that the server
 * does not accept, a server that is busy. A refusal without a sentence of the server adds nothing.
 */
export function withCause(sentence: string, error: unknown): string {
  const isOutside = error instanceof ApiError && (error.code === 'unreachable' || error.status === OUTSIDE)
  const cause = isOutside ? error.message : serverMessage(error)
  return cause === undefined ? sentence : `${sentence} ${/[.?!]$/.test(cause) ? cause : `${cause}.`}`
}

/** Returns the current resource if the error refuses a stale update, else null. */
export function currentOf(error: unknown): unknown {
  return error instanceof ApiError && error.code === 'stale' ? (error.current ?? null) : null
}

/** Returns the error of a request without a complete response. */
export function unreachable(cause: unknown): ApiError {
  return new ApiError(
    0,
    'unreachable',
    'The server cannot be reached. Check your connection and try again.',
    {},
    { cause },
  )
}

/** Whether an error reports that the server did not respond in time. */
export function isTimeout(error: unknown): boolean {
  return (
    error instanceof ApiError && error.cause instanceof DOMException && error.cause.name === 'TimeoutError'
  )
}

/** Returns the error of a call that is not made because the session of its caller has ended. */
export function sessionEnded(): ApiError {
  return new ApiError(401, 'not_signed_in', 'Please sign in to continue')
}

/** Reads the error from a response. */
export async function errorOf(response: Response): Promise<ApiError> {
  if (isOfProxy(response)) return refusedByProxy()
  const body: unknown = await response.json().catch(() => null)
  const { status } = response
  const retryAfterMs = retryAfterOf(response)
  if (isErrorBody(body))
    return new ApiError(status, body.code, body.message, { ...body, isFromServer: true, retryAfterMs })
  if (status === 413)
    return new ApiError(
      status,
      'too_large',
      'This is larger than a proxy in front of Milepost lets through. Its operator can raise that limit.',
    )
  if (status >= 500 || status === 429) {
    const message =
      status === 429
        ? 'A proxy in front of this server asks you to wait. Please try again in a moment.'
        : 'The server is not available right now. Please try again.'
    return new ApiError(status, 'unavailable', message, { retryAfterMs })
  }
  return response.type === 'opaqueredirect' || hasPage(response)
    ? foreignAnswer(response)
    : new ApiError(status, 'invalid', 'The server did not understand the request.')
}

function retryAfterOf({ headers }: Response): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1_000 : undefined
}

/** Whether a response to a call is a page, which Milepost never sends as one. */
export const hasPage = ({ headers }: Pick<Response, 'headers'>): boolean =>
  /\btext\/html\b/i.test(headers.get('content-type') ?? '')

/**
 * The error of an answer that is not the server's: the sign-in page of a proxy, the refusal of a firewall. It says nothing about
 * the call, so its status, which may be 200 or 404, does not count.
 */
export function foreignAnswer({ status, type }: Pick<Response, 'status' | 'type'>): ApiError {
  const answer = type === 'opaqueredirect' ? 'a redirect' : status
  return new ApiError(
    OUTSIDE,
    'unavailable',
    `Something in front of this server answered in its place (${answer}). If it wants you to sign in, reload the page.`,
  )
}

/** The error of a call that a proxy with its own password refused: as temporary as a server that is not available. */
function refusedByProxy(): ApiError {
  const message =
    'The proxy in front of this server asks for its own name and password. Reload the page to enter them.'
  return new ApiError(OUTSIDE, 'unavailable', message)
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null || !('code' in body) || !('message' in body)) return false
  return typeof body.message === 'string' && typeof body.code === 'string' && /^[a-z_]+$/.test(body.code)
}
