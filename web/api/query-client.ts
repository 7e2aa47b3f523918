import { type Mutation, MutationCache, QueryClient } from '@tanstack/react-query'
import { ApiError, isTimeout } from './api-error.ts'

const RETRIES = 2

/** Whether an error is temporary, so that a retry may succeed: no response, or an unavailable server. */
export function isTransient(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)
}

/**
 * Creates the cache of all data from the server. It sends requests even if the browser reports that it is offline: the server may
 * run on the same machine, and an error is more useful than no response.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    mutationCache: createMutationCache(),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        networkMode: 'always',
        refetchOnReconnect: true,
        // After a timeout, the person has waited long enough for an error.
        retry: (failures, error) => failures < RETRIES && isTransient(error) && !isTimeout(error),
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

/**
 * The end of a session clears this cache, but not the mutations in flight: the next person must not see their toasts and cached data. So
 * a mutation that is not in the cache any more loses its own callbacks, which run after those of the cache.
 */
function createMutationCache(): MutationCache {
  const cache: MutationCache = new MutationCache({
    onSuccess: (_data, _input, _context, mutation) => silenceIfCleared(mutation),
    onError: (_error, _input, _context, mutation) => silenceIfCleared(mutation),
  })
  function silenceIfCleared(mutation: Mutation<unknown, unknown>) {
    const cached: readonly unknown[] = cache.getAll()
    if (!cached.includes(mutation)) mutation.setOptions({})
  }
  return cache
}
