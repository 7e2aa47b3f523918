import { type ErrorBody, type ErrorCode, errorStatus, type Issue } from '#contract/errors.ts'

/** An error for a person: its code decides the status, and its message is shown to them. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: Pick<ErrorBody, 'issues' | 'current'>
  /** Seconds after which the same call may succeed. */
  readonly retryAfter: number | undefined

  constructor(
    code: ErrorCode,
    message: string,
    details: Pick<ErrorBody, 'issues' | 'current'> & { retryAfter?: number } = {},
  ) {
    super(message)
    this.code = code
    const { retryAfter, ...rest } = details
    this.details = rest
    this.retryAfter = retryAfter
  }

  get status(): number {
    return errorStatus[this.code]
  }
}

/** Absent, or not visible to the caller: the two are never distinguished. */
export const notFound = (thing: string) => new AppError('not_found', `${thing} not found`)

export const NOTHING_HERE = 'There is nothing at this address'

/** What a malformed path parameter was to name: `projectId` a Project. An id that cannot be one is absent. */
export function absent(parameter: PropertyKey = ''): AppError {
  const [, first, rest] = /^([a-z])([a-z]*)Id$/.exec(String(parameter)) ?? []
  return first === undefined ? new AppError('not_found', NOTHING_HERE) : notFound(first.toUpperCase() + rest)
}

export const notSignedIn = () => new AppError('not_signed_in', 'Please sign in to continue')

export const forbidden = (message = 'You do not have permission to do this') =>
  new AppError('forbidden', message)

/** How many issues a refusal lists at most. */
const ISSUES_MAX = 50

export const invalid = (issues: Issue[]) =>
  new AppError('invalid', issues[0]?.message ?? 'The request is not valid', {
    issues: issues.slice(0, ISSUES_MAX),
  })

/** The database is away, or has too much to do, for a while. */
export const databaseUnavailable = () =>
  new AppError('unavailable', 'The server is busy right now. Please try again in a moment.', {
    retryAfter: 5,
  })

/** This process has more to do than it can do in time. */
export const overloaded = (
  message = 'The server is busy right now. Please try again in a moment.',
  retryAfter = 2,
) => new AppError('unavailable', message, { retryAfter })

/** There is no place for an image right now. */
export const imageNotStored = () =>
  new AppError('unavailable', 'The image could not be stored right now. Please try again in a moment.', {
    retryAfter: 10,
  })

/** Refuses a write based on another version than `current`, the resource as it now goes out. No `ifMatch`: any. */
export function refuseStale(ifMatch: number | undefined, current: { version: number }): void {
  if (ifMatch === undefined || ifMatch === current.version) return
  throw new AppError('stale', 'This was changed in the meantime', { current })
}
