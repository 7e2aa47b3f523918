import type { ErrorBody, ErrorCode, Issue } from '#contract/errors.ts'

/** `unreachable`: no answer came at all. It is known to the front end alone. */
export type ApiErrorCode = ErrorCode | 'unreachable'

type Details = {
  issues?: Issue[] | undefined
  current?: unknown
  requestId?: string | undefined
  isAnswer?: boolean
}

/** A call that was refused or failed: `message` is a sentence for the person at the screen. */
export class ApiError extends Error {
  override name = 'ApiError'
  /** The HTTP status; 0 when no answer came. */
  readonly status: number
  readonly code: ApiErrorCode
  /** With 400: what is wrong, field by field. */
  readonly issues: Issue[]
  /** With 412: the resource as it is now. */
  readonly current: unknown
  /** With 500: the id to name to whoever runs the server. */
  readonly requestId: string | undefined
  /** Whether the server said the message; otherwise it is the front end's own. */
  readonly isAnswer: boolean

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
    this.isAnswer = details.isAnswer ?? false
  }
}

/** What the server itself said of a failure; undefined where it said nothing. */
export function serverMessage(error: unknown): string | undefined {
  return error instanceof ApiError && error.isAnswer ? error.message : undefined
}

/** With a refused stale update: the resource as somebody else left it, by its type in the contract. Else null. */
export function overtakenBy(error: unknown): unknown {
  return error instanceof ApiError && error.code === 'stale' ? (error.current ?? null) : null
}

/** The server could not be reached, or the connection broke off. */
export function unreachable(cause: unknown): ApiError {
  return new ApiError(
    0,
    'unreachable',
    'The server cannot be reached. Check your connection and try again.',
    {},
    { cause },
  )
}

/** Reads the error of an answer; one that is not ours (a proxy's page) keeps its status. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null)
  if (isErrorBody(body)) {
    return new ApiError(response.status, body.code, body.message, { ...body, isAnswer: true })
  }
  return response.status < 500
    ? new ApiError(response.status, 'invalid', 'The server did not understand the request.')
    : new ApiError(response.status, 'unavailable', 'The server is not available right now. Please try again.')
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null || !('code' in body) || !('message' in body)) return false
  return typeof body.message === 'string' && typeof body.code === 'string' && /^[a-z_]+$/.test(body.code)
}
