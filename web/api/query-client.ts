import { type Mutation, MutationCache, QueryClient } from '@tanstack/react-query'
import { ApiError, isTimeout, sessionEnded } from './api-error.ts'

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
    mutationCache: new SessionMutationCache(),
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
 * The end of a session clears this cache, but not the mutations in flight: the next person must not see their toasts and
 * cached data. Mutations that wait for another one of their scope fail, because nothing would start them any more. It is a class because the
 * query client offers no other moment between clearing and the callbacks of a mutation.
 */
class SessionMutationCache extends MutationCache {
  constructor() {
    super({
      onSuccess: (_data, _input, _context, mutation) => this.#silenceIfCleared(mutation),
      onError: (_error, _input, _context, mutation) => this.#silenceIfCleared(mutation),
    })
  }

  override clear(): void {
    const waiting = this.getAll().filter(({ state }) => state.isPaused)
    super.clear()
    for (const mutation of waiting) {
      mutation.setOptions({ mutationFn: () => Promise.reject(sessionEnded()) })
      void mutation.continue()
    }
  }

  /** Removes the mutation's own callbacks, which run after those of the cache. */
  #silenceIfCleared(mutation: Mutation<unknown, unknown>) {
    const cached: readonly unknown[] = this.getAll()
    if (!cached.includes(mutation)) mutation.setOptions({})
  }
}
