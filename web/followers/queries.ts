import { queryOptions } from '@tanstack/react-query'
import type { Readers, ReadersChange } from '#contract/followers.ts'
import { request } from '#web/api/client.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { change } from '#web/saving/change.ts'
import { eachShown, showing } from '#web/saving/overlay.ts'
import { useChange } from '#web/saving/use-change.ts'

/** What a project offers its readers, and how many follow it. */
export const readersQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['readers', projectId],
    queryFn: ({ signal }) => request('readReaders', { params: { projectId } }, { signal }),
    meta: showing(
      eachShown((readers: Readers, change) =>
        change.call === 'changeReaders' && change.params.projectId === projectId
          ? { ...readers, ...change.body }
          : readers,
      ),
    ),
  })

/** Changes what a project offers its readers. */
export const useChangeReaders = (projectId: string) =>
  useChange({
    mutationFn: (body: ReadersChange) => change('changeReaders', { params: { projectId }, body }),
    onError: (error) => toastError(error, 'Failed to change what readers can do'),
  })
