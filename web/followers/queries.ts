import { queryOptions } from '@tanstack/react-query'
import type { Readers, ReadersChange } from '#contract/followers.ts'
import { request } from '#web/api/client.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { changeCached, useOptimisticMutation } from '#web/api/optimistic.ts'
import { change } from '#web/saving/change.ts'

/** What a project offers its readers, and how many follow it. */
export const readersQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['readers', projectId],
    queryFn: ({ signal }) => request('readReaders', { params: { projectId } }, { signal }),
  })

/** Changes what a project offers its readers. */
export function useChangeReaders(projectId: string) {
  const { queryKey } = readersQuery(projectId)
  return useOptimisticMutation({
    mutationKey: queryKey,
    scope: { id: queryKey.join('/') },
    mutationFn: (body: ReadersChange) => change('changeReaders', { params: { projectId }, body }),
    changes: (body) => [changeCached(queryKey, (readers: Readers) => ({ ...readers, ...body }))],
    onFailure: (error) => toastError(error, 'Failed to change what readers can do'),
    onSettled: () => undefined,
  })
}
