import { ApiError, sessionEnded } from './api-error.ts'
import { sessionsEnded } from './client.ts'

/** The delays before retries while the server responds but is unavailable: a failover of the database takes 14 s. */
const BUSY_MS = [1_000, 2_000, 4_000, 8_000]
/** The delays without any response; shorter, so that a form reports soon that there is no connection. */
const UNREACHABLE_MS = [500, 1_500]
/** How long a retry waits until the browser is online again, if the connection was lost during the call. */
const RECONNECT_MS = 5_000
const BUSY = new Set([502, 503, 504])

/** Whether a failed call may have succeeded: there was no response, or it did not come from the server that ran the call. */
export function isUncertain(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 0 || BUSY.has(error.status))
}

/**
 * Repeats a call until a response settles it or the retries are used up. Throws ApiError; `not_signed_in` if the session of the
 * caller ended in the meantime.
 */
export async function withRetries<T>(send: () => Promise<T>): Promise<T> {
  const began = sessionsEnded
  for (let failures = 0; ; failures += 1) {
    const wasOnline = navigator.onLine
    try {
      return await send()
    } catch (error) {
      const pause = pausesAfter(error, wasOnline)[failures]
      if (pause !== undefined) {
        if (!navigator.onLine) await connection()
        await new Promise((resolve) => setTimeout(resolve, pause))
      }
      if (isUncertain(error) && began !== sessionsEnded) throw sessionEnded()
      if (pause === undefined) throw error
    }
  }
}

/** Returns the delay after a failure; none if the failure settles the call or was expected. */
function pausesAfter(error: unknown, wasOnline: boolean): readonly number[] {
  if (!(error instanceof ApiError) || !isUncertain(error)) return []
  if (error.status !== 0) return BUSY_MS
  return wasOnline ? UNREACHABLE_MS : []
}

/** Resolves when the browser has a connection again, or after a while. */
function connection(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(finish, RECONNECT_MS)
    function finish() {
      clearTimeout(timer)
      removeEventListener('online', finish)
      resolve()
    }
    addEventListener('online', finish)
  })
}
