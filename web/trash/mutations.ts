import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { Deletion, Restored } from '#contract/trash.ts'
import { ApiError } from '#web/api/api-error.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { entryPath, milestonePath } from '#web/entries/paths.ts'
import { change } from '#web/saving/change.ts'
import { useChange } from '#web/saving/use-change.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { trashKey } from './queries.ts'

/** The names of the kinds at the beginning of a sentence. */
export const kindNames = { project: 'Project', milestone: 'Milestone', entry: 'Entry' } as const

/** Whether a resource can be restored only together with its parent, which was deleted later. */
export const isParentDeleted = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'parent_deleted'

/** Restores a deletion. The caller handles an error about deleted parents by asking the user. */
export function useRestore({ _id: deletionId, kind }: Deletion) {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useChange({
    mutationKey: ['restore', deletionId],
    mutationFn: (withParents: boolean) =>
      change('restoreDeletion', { params: { deletionId }, body: { withParents } }),
    onSuccess(restored) {
      toast.success(`${kindNames[kind]} restored`, {
        label: 'Open',
        run: () => void navigate(pathOf(restored)),
      })
      return client.invalidateQueries()
    },
    onError(error) {
      if (isParentDeleted(error)) return
      toastRefusal(error, 'Failed to restore')
      void client.invalidateQueries({ queryKey: trashKey })
    },
  })
}

/** Deletes the resources of a deletion permanently. */
export function useDeleteForEver({ _id: deletionId, kind }: Deletion) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => change('deleteForEver', { params: { deletionId } }),
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
