import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import type { Milestone, MilestoneFields, MilestonePlace } from '#contract/milestones.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { changeCached, useOptimisticMutation } from '#web/api/optimistic.ts'
import { change } from '#web/saving/change.ts'
import { type FormChanges, idOf, saveForm } from '#web/saving/form-changes.ts'
import { UNSAVED } from '#web/saving/unsaved.ts'
import { deleting, useUndoOffer } from '#web/trash/undo.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { atPlace } from './order/place.ts'
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
  const { queryKey } = milestonesQuery(projectId)
  return useOptimisticMutation({
    mutationKey: queryKey,
    mutationFn: ({ fields, version, form }: Saving) =>
      saveForm(form, {
        version,
        create: (_id) => ({ call: 'createMilestone', params: { projectId }, body: { ...fields, _id } }),
        update: updating(projectId, fields),
      }),
    changes: ({ fields, form }) => [
      changeCached(queryKey, (list: Milestone[]) => {
        const _id = idOf(form)
        const isListed = list.some((other) => other._id === _id)
        return isListed ? list : [...list, unsavedMilestone(_id, projectId, fields)]
      }),
    ],
    onSuccess: (created) =>
      client.setQueryData(queryKey, (list) => list?.map(replacing(created._id, created))),
    successText: 'Milestone created successfully',
    onFailure: 'Failed to create milestone',
    onSettled: () => refreshMilestones(client, projectId),
  })
}

/** Changes a milestone, unless somebody else has changed it since `version`. */
export function useUpdateMilestone({ _id: milestoneId, project: projectId }: Milestone) {
  const client = useQueryClient()
  const { queryKey } = milestonesQuery(projectId)
  const store = (milestone: Milestone) =>
    client.setQueryData(queryKey, (list) => list?.map(replacing(milestoneId, milestone)))
  return useOptimisticMutation({
    mutationKey: queryKey,
    scope: { id: `milestone ${milestoneId}` },
    mutationFn: ({ fields, version, form }: Saving) =>
      saveForm(form, { version, update: () => updating(projectId, fields)(milestoneId) }),
    // The version stays the server's, because this may fail while the milestone is being edited again.
    changes: ({ fields }) => [
      changeCached(queryKey, (list: Milestone[]) =>
        list.map((other) => (other._id === milestoneId ? { ...other, ...fields } : other)),
      ),
    ],
    store,
    successText: 'Milestone updated successfully',
    onFailure: 'Failed to update milestone',
    onSettled: () => refreshMilestones(client, projectId),
  })
}

/** Returns a function that completes or reopens a milestone. Completing one offers to write about it, by `onWrite`. */
export function useCompleteMilestone(
  { _id: milestoneId, project: projectId }: Milestone,
  onWrite: () => void,
): (completed: boolean) => void {
  const client = useQueryClient()
  const { queryKey } = milestonesQuery(projectId)
  const changing = (changed: (milestone: Milestone) => Milestone) => (list: Milestone[] | undefined) =>
    list?.map((other) => (other._id === milestoneId ? changed(other) : other))
  const mutationKey = [...queryKey, 'complete', milestoneId]
  const { mutate } = useOptimisticMutation({
    mutationKey,
    scope: { id: `milestone ${milestoneId}` },
    mutationFn: (completed: boolean) =>
      change('updateMilestone', { params: { projectId, milestoneId }, body: { completed } }),
    // The version stays the server's here too.
    changes: (completed) => [
      changeCached(queryKey, (list: Milestone[]) => {
        const reachedAt = completed ? new Date().toISOString() : null
        return changing((old) => ({ ...old, completed, reachedAt }))(list) ?? list
      }),
    ],
    store: (milestone) =>
      client.setQueryData(
        queryKey,
        changing(() => milestone),
      ),
    onSuccess(_milestone, completed) {
      toast.success(
        'Milestone updated successfully',
        completed ? { label: 'Write what you learned', run: onWrite } : undefined,
      )
    },
    onFailure: 'Failed to update milestone',
    onSettled: () => refreshMilestones(client, projectId),
  })
  // A second press may come before the first one has been rendered.
  return (completed) => {
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
  const { queryKey } = milestonesQuery(projectId)
  return useOptimisticMutation({
    mutationKey: queryKey,
    scope: { id: `order ${projectId}` },
    mutationFn: ({ id: milestoneId, place }: Move) =>
      change('moveMilestone', { params: { milestoneId }, body: place }),
    changes: ({ id, place, to }) => [
      changeCached(queryKey, (list: Milestone[]) => {
        if (to) return list.filter(({ _id }) => _id !== id)
        const last = list.findLast(({ _id }) => _id !== id)?._id ?? null
        return [...atPlace(list, { id, after: place.after === undefined ? last : place.after })]
      }),
    ],
    onSuccess(_milestone, { id, to }) {
      if (to)
        toast.success(`Milestone moved to “${to.title}”`, {
          label: 'Open it there',
          run: () => void navigate(`/projects/${to._id}?selected=${id}`),
        })
    },
    onFailure: (error) => toastError(error, 'Failed to move milestone'),
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
  const { queryKey } = milestonesQuery(projectId)
  return useOptimisticMutation({
    mutationKey: queryKey,
    mutationFn: ({ _id }: Milestone) =>
      deleting('deleteMilestone', { params: { projectId, milestoneId: _id } }),
    changes: ({ _id }) => [
      changeCached(queryKey, (list: Milestone[]) => list.filter((other) => other._id !== _id)),
    ],
    onSuccess: (deletionId) => offerUndo('Milestone deleted successfully', deletionId),
    onFailure: 'Failed to delete milestone',
    onSettled: () => refreshMilestones(client, projectId),
  })
}

const replacing = (id: string, by: Milestone) => (other: Milestone) => (other._id === id ? by : other)

function unsavedMilestone(_id: string, projectId: string, fields: MilestoneFields): Milestone {
  const now = new Date().toISOString()
  return {
    ...fields,
    _id,
    startsOn: fields.startsOn ?? null,
    dueOn: fields.dueOn ?? null,
    reachedAt: fields.completed ? now : null,
    createdAt: now,
    updatedAt: now,
    version: UNSAVED,
    project: projectId,
    entryCount: 0,
  }
}
