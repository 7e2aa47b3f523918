import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { Deletion, Restored } from '#contract/trash.ts'
import { ApiError } from '#web/api/api-error.ts'
import { change } from '#web/api/change.ts'
import { request } from '#web/api/client.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { entryPath, milestonePath } from '#web/entries/paths.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { trashKey } from './queries.ts'

/** What kinds of things are called at the beginning of a sentence. */
export const kindNames = { project: 'Project', milestone: 'Milestone', entry: 'Entry' } as const

/** Whether something can be restored only with what it belongs to, which was deleted later. */
export const isParentDeleted = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'parent_deleted'

/** Whether a deletion can still be restored. */
export async function isInTrash(deletionId: string): Promise<boolean> {
  for (let page = 1; ; page += 1) {
    const { deletions, pagination } = await request('listTrash', { query: { page } })
    if (deletions.some(({ _id }) => _id === deletionId)) return true
    if (!pagination.hasNext) return false
  }
}

/** Restores a deletion. An error about deleted parents is left to the caller, who asks. */
export function useRestore({ _id: deletionId, kind }: Deletion) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const mutationKey = ['restore', deletionId]
  const mutation = useMutation({
    mutationKey,
    /** Undefined if an earlier attempt has restored it, and its response was lost. */
    mutationFn: (withParents: boolean): Promise<Restored | undefined> =>
      change(
        'restoreDeletion',
        { params: { deletionId }, body: { withParents } },
        { isDone: async () => !(await isInTrash(deletionId)) },
      ),
    onSuccess(restored) {
      toast.success(
        `${kindNames[kind]} restored`,
        restored && { label: 'Open', run: () => void navigate(pathOf(restored)) },
      )
      return client.invalidateQueries()
    },
    onError(error) {
      if (isParentDeleted(error)) return
      toastRefusal(error, 'Failed to restore')
      void client.invalidateQueries({ queryKey: trashKey })
    },
  })
  return {
    ...mutation,
    /** Once at a time: a second press may come before the first one has been rendered. */
    restore: (withParents: boolean) => {
      if (client.isMutating({ mutationKey }) === 0) mutation.mutate(withParents)
    },
  }
}

/** Deletes a deletion for ever. */
export function useDeleteForEver({ _id: deletionId, kind }: Deletion) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () =>
      change(
        'deleteForEver',
        { params: { deletionId } },
        { isDone: async () => !(await isInTrash(deletionId)) },
      ),
    onSuccess: () => toast.success(`${kindNames[kind]} deleted for ever`),
    onError: (error) => toastRefusal(error, 'Failed to delete for ever'),
    onSettled: () => client.invalidateQueries({ queryKey: trashKey }),
  })
}

/** Shows why a deletion was not restored; a missing one was restored or permanently deleted elsewhere. */
function toastRefusal(error: unknown, otherwise: string) {
  if (error instanceof ApiError && error.status === 404) toast.error('This is no longer in the trash.')
  else toastError(error, otherwise)
}

function pathOf({ project, milestone, entry }: Restored): string {
  if (milestone === undefined) return `/projects/${project}`
  return entry === undefined
    ? milestonePath(project, milestone)
    : entryPath(project, { _id: entry, milestone })
}
