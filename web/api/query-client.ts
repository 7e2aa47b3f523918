import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'

const RETRIES = 2

/** Waits that are worth repeating: no answer, or a server that is not well. A refusal stays a refusal. */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)
}

/**
 * The cache of everything read from the server, one for each page that is open. It asks also while the browser thinks
 * itself offline: the server may be this very machine, and a person is better served by a failure than by silence.
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
