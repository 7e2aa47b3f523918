import {
  type MutationOptions,
  type QueryClient,
  type QueryKey,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { toast } from '#web/ui/feedback/toast.tsx'
import { currentOf } from './api-error.ts'

const TEMPORARY = 'unsaved-'
let lastTemporary = 0

function nextTemporaryId(): string {
  lastTemporary += 1
  return TEMPORARY + lastTemporary
}

/** Whether this is shown optimistically under a temporary id, so that no request can be made about it yet. */
export function isTemporary({ _id }: { _id: string }): boolean {
  return _id.startsWith(TEMPORARY)
}

/** Applies an optimistic change to the cache and returns the function that rolls it back. */
export type CacheChange = (client: QueryClient) => Promise<() => void>

/**
 * Changes whatever is cached under a key, if anything is, and cancels running fetches so that they do not overwrite the
 * change.
 */
export function changeCached<T>(queryKey: QueryKey, change: (data: T, key: QueryKey) => T): CacheChange {
  return async (client) => {
    await client.cancelQueries({ queryKey })
    const before = client.getQueriesData<T>({ queryKey })
    for (const [key, data] of before) {
      if (data !== undefined) client.setQueryData<T>(key, change(data, key))
    }
    return () => {
      for (const [key, data] of before) client.setQueryData<T>(key, data)
    }
  }
}

type OptimisticMutation<Input, Output> = {
  /** The key of what the mutation changes. `refresh` waits for the last mutation of its key. */
  mutationKey: QueryKey
  /** Mutations of one scope run one after the other. */
  scope?: { id: string }
  mutationFn: (input: Input) => Promise<Output>
  /** The optimistic changes. Something new is shown under the temporary id until the server has given it an id. */
  changes: (input: Input, temporaryId: string) => CacheChange[]
  onSuccess?: (output: Output, input: Input, temporaryId: string) => void
  /** Receives the current resource if the update was refused as stale. */
  onStale?: (current: Output) => void
  successText?: string
  /** A text for a toast, or what to do with the error instead. */
  onFailure: string | ((error: Error) => void)
  onSettled: () => unknown
}

type Optimistic = { temporaryId: string; rollback: () => void }

/** Returns the options of a mutation whose changes show before the server has responded, and are rolled back if it fails. */
export function optimisticMutation<Input, Output>(
  client: QueryClient,
  { changes, onSuccess, onStale, successText, onFailure, ...options }: OptimisticMutation<Input, Output>,
): MutationOptions<Output, Error, Input, Optimistic> {
  return {
    ...options,
    async onMutate(input) {
      const temporaryId = nextTemporaryId()
      const rollbacks: (() => void)[] = []
      for (const apply of changes(input, temporaryId)) rollbacks.unshift(await apply(client))
      return { temporaryId, rollback: () => rollbacks.forEach((rollback) => rollback()) }
    },
    onSuccess(output, input, { temporaryId }) {
      onSuccess?.(output, input, temporaryId)
      if (successText) toast.success(successText)
    },
    onError(error, _input, optimistic) {
      optimistic?.rollback()
      const current = currentOf(error) as Output | null
      if (current) onStale?.(current)
      if (typeof onFailure === 'string') toast.error(onFailure)
      else onFailure(error)
    },
  }
}

/** Runs an `optimisticMutation`. */
export function useOptimisticMutation<Input, Output>(options: OptimisticMutation<Input, Output>) {
  return useMutation(optimisticMutation(useQueryClient(), options))
}

/**
 * Invalidates a key once its last mutation has settled. Earlier, the response would not contain the changes whose requests
 * are still pending and would take them off the screen.
 */
export function refresh(client: QueryClient, key: QueryKey): void {
  if (client.isMutating({ mutationKey: key }) <= 1) void client.invalidateQueries({ queryKey: key })
}
