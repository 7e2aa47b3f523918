import { useEffect, useEffectEvent } from 'react'
import { ApiError } from './api-error.ts'
import { Backoff } from './backoff.ts'
import { request } from './client.ts'

const STEPS_MS = [2_000, 4_000, 8_000]
const LONGEST_MS = 15_000
/** A server that answers later is not back yet. */
const TIMEOUT_MS = 5_000

/**
 * Calls `onBack` once the server can be reached and takes requests again. A browser knows that its network is back, but not that a
 * server was started again.
 */
export function useConnectionBack(isWaiting: boolean, onBack: () => void): void {
  const report = useEffectEvent(onBack)

  useEffect(() => {
    if (!isWaiting) return undefined
    const backoff = new Backoff({ steps: STEPS_MS, longest: LONGEST_MS })
    const over = new AbortController()
    const wake = () => backoff.wake()

    async function watch() {
      for (let failures = 0; !over.signal.aborted; failures += 1) {
        await backoff.wait(failures)
        if (!over.signal.aborted && (await isReady())) break
      }
      if (!over.signal.aborted) report()
    }

    addEventListener('online', wake)
    void watch()
    return () => {
      over.abort()
      removeEventListener('online', wake)
      wake()
    }
  }, [isWaiting])
}

/** Whether a request failed because the server could not be reached, or cannot take requests at the moment. */
export const isOutOfReach = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 502)

async function isReady(): Promise<boolean> {
  try {
    await request('readEntryOptions', {}, { anonymous: true, timeoutMs: TIMEOUT_MS })
    return true
  } catch {
    return false
  }
}
