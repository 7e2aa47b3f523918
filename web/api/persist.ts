import { ApiError } from './api-error.ts'

/** The pauses before a call is sent again while the server is there and cannot serve: a database that fails over takes 14 s. */
const BUSY_MS = [1_000, 2_000, 4_000, 8_000]
/** The same without any response: a missing connection is reported soon. */
const UNREACHABLE_MS = [500, 1_500]
/** How long a call waits for a connection that was lost while the call was on its way. */
const RECONNECT_MS = 5_000
const BUSY = new Set([502, 503, 504])

/** Whether a call failed so that it may have been done: there was no response, or none from the server that did it. */
export function isUncertain(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 0 || BUSY.has(error.status))
}

/** Sends a call that may be repeated until there is a response that settles it, or patience ends. Throws ApiError. */
export async function persist<T>(send: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    const wasOnline = navigator.onLine
    try {
      return await send()
    } catch (error) {
      const pause = pausesAfter(error, wasOnline)[failures]
      if (pause === undefined) throw error
      if (!navigator.onLine) await connection()
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}

/** How long to wait after each failure; none after one that settles the call, or that was to be expected. */
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
