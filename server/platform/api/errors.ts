// Not from `errors.ts`: child processes should not load zod.
import { type ErrorBody, type ErrorCode, errorStatus, type Issue } from '#contract/parts/errors.ts'

/** An error that a user sees: its code decides the status, and its message is shown. */
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

/** For something that is absent or not visible to the caller; a response never distinguishes the two. */
export const notFound = (thing: string) => new AppError('not_found', `${thing} not found`)

export const UNKNOWN_PATH = 'There is nothing at this address'

/** The error for a malformed path parameter: a `projectId` that is not a valid id is reported as a missing Project. */
export function absent(parameter: PropertyKey = ''): AppError {
  const [, first, rest] = /^([a-z])([a-z]*)Id$/.exec(String(parameter)) ?? []
  return first === undefined ? new AppError('not_found', UNKNOWN_PATH) : notFound(first.toUpperCase() + rest)
}

export const notSignedIn = () => new AppError('not_signed_in', 'Please sign in to continue')

export const forbidden = (message = 'You do not have permission to do this') =>
  new AppError('forbidden', message)

/** The call conflicts with the current state: it has already been done, or something else is required first. */
export const conflict = (message: string) => new AppError('conflict', message)

/** The maximum number of issues in an error response. */
const ISSUES_MAX = 50

export const invalid = (issues: Issue[]) =>
  new AppError('invalid', issues[0]?.message ?? 'The request is not valid', {
    issues: issues.slice(0, ISSUES_MAX),
  })

/** The database is unavailable or overloaded for a while. */
export const databaseUnavailable = () =>
  new AppError('unavailable', 'The server is busy right now. Please try again in a moment.', {
    retryAfter: 5,
  })

/** Nothing can be saved, because a disk of the server is full. */
export const storageFull = () =>
  new AppError(
    'storage_full',
    'The disk of the server is full, so nothing can be saved right now. Please tell the people who run this server.',
    { retryAfter: 60 },
  )

/** The database did not respond to a COMMIT, so it is unknown whether the change was saved. */
export const outcomeUnknown = () =>
  new AppError('outcome_unknown', 'We cannot tell whether this was saved. Look before you send it again.', {
    retryAfter: 5,
  })

/** This process is overloaded. */
export const overloaded = (
  message = 'The server is busy right now. Please try again in a moment.',
  retryAfter = 2,
) => new AppError('unavailable', message, { retryAfter })

/** An image cannot be stored at the moment. */
export const imageNotStored = () =>
  new AppError('unavailable', 'The image could not be stored right now. Please try again in a moment.', {
    retryAfter: 10,
  })

/**
 * Throws `stale` with the presented `current` resource if its version is not `ifMatch`. Without `ifMatch` every version
 * matches.
 */
export function refuseStale(ifMatch: number | undefined, current: { version: number }): void {
  if (ifMatch === undefined || ifMatch === current.version) return
  throw new AppError('stale', 'This was changed in the meantime', { current })
}
