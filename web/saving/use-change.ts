import {
  type UseMutationOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { ApiError, serverMessage } from '#web/api/api-error.ts'
import { toastFailure } from '#web/api/failure-toast.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { outbox } from './page-outbox.ts'
import { pendingChanges } from './pending.ts'

type Options<Output, Input> = UseMutationOptions<Output, Error, Input> & {
  /** The text of a toast once it is made. */
  done?: string
  /** The text of a toast if it fails; if what it changes was already deleted, the toast says so instead. */
  failed?: string
  /** The `awaitedThing` of a change that answers a question: where that is asked, it is shown that the answer is late. */
  thing?: string
}

type Change<Output, Input> = UseMutationResult<Output, Error, Input> & {
  /** Whether a change with the same key is in flight, in any component, even if that has not been rendered yet. */
  isRunning: () => boolean
  /** Whether it waits for the connection. Then `mutate` sends it at once. */
  isLate: boolean
}

/**
 * Like `useMutation`, with toasts for its outcome. `mutate` does nothing while a change with the same key is in flight: a disabled or
 * busy button is too late for that, because a second press may come before the first one has been rendered.
 */
export function useChange<Output, Input = void>(options: Options<Output, Input>): Change<Output, Input> {
  const { done, failed, mutationKey, thing } = options
  const client = useQueryClient()
  const mutation = useMutation<Output, Error, Input>({
    ...options,
    onSuccess(...outcome) {
      if (done !== undefined) toast.success(done)
      return options.onSuccess?.(...outcome)
    },
    onError(error, ...rest) {
      if (failed !== undefined) toastFailure(error, notFoundMessage(error) ?? failed)
      return options.onError?.(error, ...rest)
    },
  })
  const isRunning = () => mutationKey !== undefined && client.isMutating({ mutationKey, exact: true }) > 0
  const readLate = () =>
    pendingChanges.read().some(({ record, state }) => record.thing === thing && state === 'waiting')
  const isLate = useSyncExternalStore(pendingChanges.subscribe, readLate, () => false)
  return {
    ...mutation,
    isRunning,
    isLate,
    mutate: (...call) => {
      if (!isRunning()) mutation.mutate(...call)
      else if (thing !== undefined && isLate) outbox.retry(thing)
    },
  }
}

/** Returns the server's message if the resource was deleted elsewhere, before the event of the deletion has arrived. */
export const notFoundMessage = (error: Error): string | undefined =>
  error instanceof ApiError && error.status === 404 ? serverMessage(error) : undefined
