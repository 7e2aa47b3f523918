import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { Entry } from '#contract/entries.ts'
import type { Milestone } from '#contract/milestones.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { allEntriesKey } from '#web/entries/keys.ts'
import { tagPath } from '#web/entries/paths.ts'
import { refreshAllMilestones } from '#web/milestones/queries.ts'
import { refreshProjects } from '#web/projects/queries.ts'
import { change } from '#web/saving/change.ts'
import { useBulkUndo } from './undo.ts'

const inEntries = (count: number) => (count === 1 ? 'in 1 entry' : `in ${count.toLocaleString()} entries`)

/** Renames a tag of a project, or merges it with the one that has the new name, and then opens the page of that. */
export function useRenameTag(projectId: string) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const offerUndo = useBulkUndo(projectId)
  const show = (tag: string) => void navigate(tagPath(projectId, tag), { replace: true })
  return useMutation({
    mutationFn: ({ tag, name }: { tag: string; name: string }) =>
      change('renameTag', { params: { projectId, tag }, body: { name } }, { isBrief: true }),
    onSuccess({ entries, merged, undo }, { tag, name }) {
      void client.invalidateQueries({ queryKey: allEntriesKey })
      const text = merged
        ? `“${tag}” is one with “${name}” now, ${inEntries(entries)}`
        : `“${tag}” is “${name}” now, ${inEntries(entries)}`
      show(name)
      offerUndo(text, undo, () => show(tag))
    },
    onError: (error) => toastError(error, 'The tag could not be renamed'),
  })
}

/** Returns how many entries, in words. */
export const countOf = (count: number) => (count === 1 ? '1 entry' : `${count} entries`)

/** Invalidates what shows entries, and how many a milestone has. */
function refresh(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: allEntriesKey })
  refreshAllMilestones(client)
  refreshProjects(client)
}

type Move = { entries: readonly Entry[]; to: Pick<Milestone, '_id' | 'title'> }

/** Moves entries of a project to another milestone, which may be in another project; all or none. */
export function useMoveEntries(projectId: string) {
  const client = useQueryClient()
  const offerUndo = useBulkUndo(projectId)
  return useMutation({
    mutationFn({ entries, to }: Move) {
      const body = { entries: entries.map(({ _id }) => _id), milestone: to._id }
      return change('moveEntries', { params: { projectId }, body }, { isBrief: true })
    },
    onSuccess: ({ moved, undo }, { to }) => offerUndo(`${countOf(moved)} moved to “${to.title}”`, undo),
    onError: (error) => toastError(error, 'The entries could not be moved'),
    onSettled: () => refresh(client),
  })
}

/** Moves entries of a project to the trash; all or none. */
export function useDeleteEntries(projectId: string) {
  const client = useQueryClient()
  const offerUndo = useBulkUndo(projectId)
  return useMutation({
    mutationFn: (entries: readonly Entry[]) =>
      change(
        'deleteEntries',
        { params: { projectId }, body: { entries: entries.map(({ _id }) => _id) } },
        { isBrief: true },
      ),
    onSuccess: ({ deleted, undo }) => offerUndo(`${countOf(deleted)} deleted`, undo),
    onError: (error) => toastError(error, 'The entries could not be deleted'),
    onSettled: () => refresh(client),
  })
}
