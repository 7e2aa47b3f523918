import { useEffect, useEffectEvent } from 'react'
import { ApiError } from './api-error.ts'
import { request } from './client.ts'

const EVERY_MS = 4_000

/**
 * Calls `onBack` whenever the server can be reached and takes requests again, as long as something waits for that. A browser knows that its
 * network is back, but not that a server was started again.
 */
export function useConnectionBack(isWaiting: boolean, onBack: () => void): void {
  const report = useEffectEvent(onBack)

  useEffect(() => {
    if (!isWaiting) return undefined
    const over = new AbortController()
    const ask = () =>
      void request('readEntryOptions', {}, { anonymous: true, timeoutMs: EVERY_MS }).then(
        () => over.signal.aborted || report(),
        () => undefined,
      )
    const timer = setInterval(ask, EVERY_MS)
    addEventListener('online', ask, { signal: over.signal })
    return () => {
      clearInterval(timer)
      over.abort()
    }
  }, [isWaiting])
}

/** Whether a request failed because the server could not be reached, or cannot take requests at the moment. */
export const isOutOfReach = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 502)
