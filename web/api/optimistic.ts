import {
  type Mutation,
  type MutationOptions,
  type Query,
  type QueryClient,
  type QueryKey,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { toast } from '#web/ui/feedback/toast.tsx'
import { ApiError, currentOf, serverMessage } from './api-error.ts'
import { toastFailure } from './failure-toast.ts'

/** An applied change of the cache, which can be rolled back until it is settled. */
export type AppliedChange = { rollback: () => void; settle: () => void }

/** Applies an optimistic change to the cache. */
export type CacheChange = (client: QueryClient) => Promise<AppliedChange>

type Layer = { before: unknown; change: (data: unknown) => unknown; isSettled: boolean }

/** The changes of a query in the order in which they were applied, until all of them are settled. */
const layersOf = new WeakMap<Query, Layer[]>()

/**
 * Changes the cached data under a key, if any, and cancels running fetches so that they do not overwrite the change. Rolling it
 * back preserves the changes that were applied after it.
 */
export function changeCached<T>(queryKey: QueryKey, change: (data: T, key: QueryKey) => T): CacheChange {
  return async (client) => {
    await client.cancelQueries({ queryKey })
    const queries = client.getQueryCache().findAll({ queryKey })
    const applied = queries
      .filter(({ state }) => state.data !== undefined)
      .map((query) => applyTo(client, query, (data) => change(data as T, query.queryKey)))
    return {
      rollback: () => applied.forEach(({ rollback }) => rollback()),
      settle: () => applied.forEach(({ settle }) => settle()),
    }
  }
}

function applyTo(client: QueryClient, query: Query, change: Layer['change']): AppliedChange {
  const layers = layersOf.get(query) ?? []
  const layer: Layer = { before: query.state.data, change, isSettled: false }
  layers.push(layer)
  layersOf.set(query, layers)
  client.setQueryData(query.queryKey, change(layer.before))
  return {
    rollback() {
      let data = layer.before
      for (const later of layers.splice(layers.indexOf(layer)).slice(1)) {
        later.before = data
        data = later.change(data)
        layers.push(later)
      }
      // The session has ended, so the data under this key now belongs to another person.
      if (client.getQueryCache().get(query.queryHash) === query) client.setQueryData(query.queryKey, data)
    },
    settle() {
      layer.isSettled = true
      if (layers.every(({ isSettled }) => isSettled)) layersOf.delete(query)
    },
  }
}

type OptimisticMutation<Input, Output> = {
  /** The key of the changed data. `refresh` waits for the last mutation with this key. */
  mutationKey: QueryKey
  /** Mutations of one scope run one after the other. */
  scope?: { id: string }
  mutationFn: (input: Input) => Promise<Output>
  /** The optimistic changes. */
  changes: (input: Input) => CacheChange[]
  /**
   * Caches the response, or the current resource if the update was refused as stale. Not called while a later mutation of the scope
   * is in flight, whose change would disappear.
   */
  store?: (output: Output) => void
  onSuccess?: (output: Output, input: Input) => void
  /** Receives the current resource if the update was refused as stale. */
  onStale?: (current: Output) => void
  successText?: string
  /** The text of a toast, or a handler of the error. If the resource was already deleted, the toast says so instead. */
  onFailure: string | ((error: Error, input: Input) => void)
  onSettled: () => unknown
}

type Optimistic = { applied: AppliedChange[] }

/** Returns the options of a mutation whose changes are shown before the server responds, and rolled back if it fails. */
export function optimisticMutation<Input, Output>(
  client: QueryClient,
  {
    changes,
    store,
    onSuccess,
    onStale,
    successText,
    onFailure,
    onSettled,
    ...options
  }: OptimisticMutation<Input, Output>,
): MutationOptions<Output, Error, Input, Optimistic> {
  const { scope } = options

  function storeIfLast(output: Output) {
    const inScope = (other: Mutation) => scope !== undefined && other.options.scope?.id === scope.id
    if (client.isMutating({ predicate: inScope }) <= 1) store?.(output)
  }

  return {
    ...options,
    async onMutate(input) {
      const applied: AppliedChange[] = []
      for (const apply of changes(input)) applied.unshift(await apply(client))
      return { applied }
    },
    onSuccess(output, input) {
      storeIfLast(output)
      onSuccess?.(output, input)
      if (successText) toast.success(successText)
    },
    onError(error, input, optimistic) {
      for (const { rollback } of optimistic?.applied ?? []) rollback()
      const current = currentOf(error) as Output | null
      if (current) {
        storeIfLast(current)
        onStale?.(current)
      }
      if (typeof onFailure === 'string') toastFailure(error, notFoundMessage(error) ?? onFailure)
      else onFailure(error, input)
    },
    onSettled(_output, _error, _input, optimistic) {
      for (const { settle } of optimistic?.applied ?? []) settle()
      return onSettled()
    },
  }
}

/** Returns the server's message if the resource was deleted elsewhere, before the event of the deletion has arrived. */
export const notFoundMessage = (error: Error) =>
  error instanceof ApiError && error.status === 404 ? serverMessage(error) : undefined

/** Runs an `optimisticMutation`. */
export function useOptimisticMutation<Input, Output>(options: OptimisticMutation<Input, Output>) {
  return useMutation(optimisticMutation(useQueryClient(), options))
}
