import {
  type MutationKey,
  type UseMutationOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'

type MutationOnce<Output, Input> = UseMutationResult<Output, Error, Input> & {
  /** Whether a mutation with the same key is in flight, in any component. */
  isRunning: () => boolean
}

/**
 * Like `useMutation`, but `mutate` does nothing while a mutation with the same key is in flight. A disabled or busy button is too
 * late for that: a second press may come before the first one has been rendered.
 */
export function useMutationOnce<Output, Input = void>(
  options: UseMutationOptions<Output, Error, Input> & { mutationKey: MutationKey },
): MutationOnce<Output, Input> {
  const mutation = useMutation(options)
  const isRunning = useIsRunning(options.mutationKey)
  return {
    ...mutation,
    isRunning,
    mutate: (...call) => {
      if (!isRunning()) mutation.mutate(...call)
    },
  }
}

/** Returns a function that returns whether a mutation with this key is in flight, even if that has not been rendered yet. */
export function useIsRunning(mutationKey: MutationKey): () => boolean {
  const client = useQueryClient()
  return () => client.isMutating({ mutationKey, exact: true }) > 0
}
