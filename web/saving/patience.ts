import { ApiError } from '#web/api/api-error.ts'

/** The statuses that say that a change was not made. */
const DEFINITE = new Set([400, 403, 404, 409, 412, 413, 415, 422])
const TEMPORARY = new Set([0, 408, 429, 502, 503, 504])

/**
 * What a failure says: `refused`, the change was not made; `signed out`, its person has to sign in first; `later`, it may have been made,
 * and is to be sent again; `unclear`, it may have been made, but sending it again soon is of no use.
 */
export type Verdict = 'refused' | 'signed out' | 'later' | 'unclear'

export function verdictOf(error: unknown): Verdict {
  if (!(error instanceof ApiError)) return 'refused'
  const { status, isFromServer } = error
  if (status === 401) return 'signed out'
  if (TEMPORARY.has(status)) return 'later'
  // A server that fails rolls back.
  return DEFINITE.has(status) || (status === 500 && isFromServer) ? 'refused' : 'unclear'
}

/**
 * How long somebody waits for the outcome: `brief`, some seconds, as a form does, which then opens again; `minute`, for what is of use
 * only now; `endless`, until the server has answered.
 */
export type Patience = 'brief' | 'minute' | 'endless'

/** The pauses while the server responds but is unavailable: a failover of the database takes 14 s. */
const BUSY_MS = [1_000, 2_000, 4_000, 8_000]
/** The pauses without any response; shorter, so that a form reports soon that there is no connection. */
const UNREACHABLE_MS = [500, 1_500]
/** The pause after all of these, and after ten more. */
export const LATER_MS = 5_000
const LATER_TIMES = 10
export const LATEST_MS = 15_000
const RETRY_AFTER_MAX_MS = 60_000

/** Whether a change has failed so often that a screen says that it waits. */
export const isLate = ({ patience, failures }: { patience: Patience; failures: number }): boolean =>
  patience !== 'brief' && failures > UNREACHABLE_MS.length

/** So many failures that a form waits no longer. */
export const BRIEF_FAILURES = BUSY_MS.length

type Failed = {
  patience: Patience
  /** How often it has failed before. */
  failures: number
  isAwaited: boolean
  /** Whether the browser had a connection when it was sent. */
  wasOnline: boolean
}

/** Returns the pause before a change that may have been made is sent again; undefined if nobody waits that long. */
export function pauseAfter(
  error: unknown,
  { patience, failures, isAwaited, wasOnline }: Failed,
): number | undefined {
  const isUnclear = verdictOf(error) === 'unclear'
  const status = error instanceof ApiError ? error.status : undefined
  const soon = status === 0 ? UNREACHABLE_MS : BUSY_MS
  const isAnswer = isUnclear || status === 429
  if (isAnswer && isAwaited && (patience !== 'endless' || isUnclear)) return undefined
  const times = patience === 'brief' ? soon.length : soon.length + LATER_TIMES
  const wasExpected = status === 0 && !wasOnline
  if (patience !== 'endless' && (wasExpected || failures >= times)) return undefined
  const pause = soon[failures] ?? (failures < soon.length + LATER_TIMES ? LATER_MS : LATEST_MS)
  const asked = patience !== 'brief' && error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0
  return Math.max(pause, Math.min(asked, RETRY_AFTER_MAX_MS))
}
