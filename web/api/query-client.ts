import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'

const RETRIES = 2

/** Whether an error is temporary, so that a retry makes sense: no response, or an unavailable server. */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)
}

/**
 * Creates the cache of everything fetched from the server. It sends requests even if the browser reports to be offline:
 * the server may run on the same machine, and a failure tells the user more than silence.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: (failures, error) => failures < RETRIES && isPassing(error),
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
