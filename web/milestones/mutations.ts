import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { useNavigate } from 'react-router'
import type { Milestone, MilestoneFields, MilestonePlace } from '#contract/milestones.ts'
import { toastError, toastFailure } from '#web/api/failure-toast.ts'
import { change } from '#web/saving/change.ts'
import { type FormChanges, saveForm } from '#web/saving/form-changes.ts'
import { deleting, useUndoOffer } from '#web/saving/undo.ts'
import { notFoundMessage, useChange } from '#web/saving/use-change.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { Arrival } from './arrival.tsx'
import { milestonesQuery, refreshAllMilestones, refreshMilestones } from './queries.ts'

/** `version`: on which the fields are based; 0 for a new milestone. */
type Saving = { fields: MilestoneFields; version: number; form: FormChanges }

const updating = (projectId: string, fields: MilestoneFields) => (milestoneId: string) => ({
  call: 'updateMilestone' as const,
  params: { projectId, milestoneId },
  body: fields,
})

/** Adds a milestone. */
export function useCreateMilestone(projectId: string) {
  const client = useQueryClient()
  return useChange({
    mutationFn: ({ fields, version, form }: Saving) =>
      saveForm(form, {
        version,
        create: (_id) => ({ call: 'createMilestone', params: { projectId }, body: { ...fields, _id } }),
        update: updating(projectId, fields),
      }),
    done: 'Milestone created successfully',
    failed: 'Failed to create milestone',
    onSettled: () => refreshMilestones(client, projectId),
  })
}

/** Changes a milestone, unless somebody else has changed it since `version`. */
export function useUpdateMilestone({ _id: milestoneId, project: projectId }: Milestone) {
  const client = useQueryClient()
  return useChange({
    mutationFn: ({ fields, version, form }: Saving) =>
      saveForm(form, { version, update: () => updating(projectId, fields)(milestoneId) }),
    done: 'Milestone updated successfully',
    failed: 'Failed to update milestone',
    onSettled: () => refreshMilestones(client, projectId),
  })
}

/** Returns a function that completes or reopens a milestone. Completing one tells what it was, and offers to write about it, by `onWrite`. */
export function useCompleteMilestone(
  { _id: milestoneId, project: projectId, title }: Milestone,
  onWrite: () => void,
): (completed: boolean) => void {
  const client = useQueryClient()
  const mutationKey = [...milestonesQuery(projectId).queryKey, 'complete', milestoneId]
  const { mutate } = useMutation({
    mutationKey,
    mutationFn: (completed: boolean) =>
      change('updateMilestone', { params: { projectId, milestoneId }, body: { completed } }),
    onSuccess(_milestone, completed) {
      const undo = { label: 'Undo', run: () => save(!completed) }
      if (!completed) return toast.success('Milestone updated successfully', undo)
      const details = createElement(Arrival, { milestone: { _id: milestoneId, project: projectId, title } })
      toast.success(
        'Milestone updated successfully',
        { label: 'What did you learn?', run: onWrite },
        { action: undo, details },
      )
    },
    onError: (error) => toastFailure(error, notFoundMessage(error) ?? 'Failed to update milestone'),
    onSettled: () => refreshMilestones(client, projectId),
  })
  return save

  /** Only the opposite is another change: a second press may come before the first one has been rendered. */
  function save(completed: boolean): void {
    const running = client.getMutationCache().findAll({ mutationKey, status: 'pending' })
    if (running.at(-1)?.state.variables !== completed) mutate(completed)
  }
}

type Move = {
  id: string
  place: MilestonePlace
  /** The other project to which it moves. */
  to?: { _id: string; title: string } | undefined
}

/** Moves a milestone to another place, or with its entries to another project. */
export function useMoveMilestone(projectId: string) {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useChange({
    mutationFn: ({ id: milestoneId, place }: Move) =>
      change('moveMilestone', { params: { milestoneId }, body: place }),
    onSuccess(_milestone, { id, to }) {
      if (to)
        toast.success(`Milestone moved to “${to.title}”`, {
          label: 'Open it there',
          run: () => void navigate(`/projects/${to._id}?selected=${id}`),
        })
    },
    onError: (error) => toastError(error, 'Failed to move milestone'),
    // Events of both projects refresh what else they show.
    onSettled() {
      refreshMilestones(client, projectId)
      refreshAllMilestones(client)
    },
  })
}

/** Moves a milestone and its entries to the trash. */
export function useDeleteMilestone(projectId: string) {
  const client = useQueryClient()
  const offerUndo = useUndoOffer()
  return useChange({
    mutationFn: ({ _id }: Milestone) =>
      deleting('deleteMilestone', { params: { projectId, milestoneId: _id } }),
    onSuccess: (deletionId) => offerUndo('Milestone deleted successfully', deletionId),
    failed: 'Failed to delete milestone',
    onSettled: () => refreshMilestones(client, projectId),
  })
}
