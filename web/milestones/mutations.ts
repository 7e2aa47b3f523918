import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Milestone, MilestoneFields } from '#contract/milestones.ts'
import { overtakenBy } from '#web/api/api-error.ts'
import { request } from '#web/api/client.ts'
import { changeOptimistically, unsavedId } from '#web/api/optimistic.ts'
import { toast } from '#web/ui/toast.ts'
import { milestonesQuery, refreshMilestones } from './queries.ts'

/** Adds a milestone; it stands at the end of the trail before the server has answered. */
export function useCreateMilestone(projectId: string) {
  const client = useQueryClient()
  const { queryKey } = milestonesQuery(projectId)
  return useMutation({
    mutationKey: queryKey,
    mutationFn: (fields: MilestoneFields) =>
      request('createMilestone', { params: { projectId }, body: fields }),
    onMutate: async (fields) => {
      const unsaved = unsavedMilestone(projectId, fields)
      return {
        unsaved,
        undo: await changeOptimistically(client, queryKey, (list: Milestone[]) => [...list, unsaved]),
      }
    },
    onSuccess: (created, _fields, { unsaved }) => {
      client.setQueryData(queryKey, (list) => list?.map(replacing(unsaved._id, created)))
      toast.success('Milestone created successfully')
    },
    onError: (_error, _fields, shown) => {
      shown?.undo()
      toast.error('Failed to create milestone')
    },
    onSettled: () => refreshMilestones(client, projectId),
  })
}

type Update = { fields: MilestoneFields; version: number }

/** Changes a milestone, unless somebody else did since `version`. */
export function useUpdateMilestone({ _id: milestoneId, project: projectId }: Milestone) {
  const client = useQueryClient()
  const { queryKey } = milestonesQuery(projectId)
  return useMutation({
    mutationKey: queryKey,
    scope: { id: `milestone ${milestoneId}` },
    mutationFn: ({ fields, version }: Update) =>
      request('updateMilestone', { params: { projectId, milestoneId }, body: fields }, { ifMatch: version }),
    onMutate: ({ fields, version }) =>
      changeOptimistically(client, queryKey, (list: Milestone[]) =>
        list.map((other) =>
          other._id === milestoneId ? { ...other, ...fields, version: version + 1 } : other,
        ),
      ),
    onSuccess: (updated) => {
      client.setQueryData(queryKey, (list) => list?.map(replacing(milestoneId, updated)))
      toast.success('Milestone updated successfully')
    },
    onError: (error, _update, undo) => {
      undo?.()
      const current = overtakenBy(error) as Milestone | null
      if (current) client.setQueryData(queryKey, (list) => list?.map(replacing(milestoneId, current)))
      toast.error('Failed to update milestone')
    },
    onSettled: () => refreshMilestones(client, projectId),
  })
}

/** Deletes a milestone with its entries; it leaves the trail at once. */
export function useDeleteMilestone(projectId: string) {
  const client = useQueryClient()
  const { queryKey } = milestonesQuery(projectId)
  return useMutation({
    mutationKey: queryKey,
    mutationFn: ({ _id }: Milestone) =>
      request('deleteMilestone', { params: { projectId, milestoneId: _id } }),
    onMutate: ({ _id }) =>
      changeOptimistically(client, queryKey, (list: Milestone[]) =>
        list.filter((other) => other._id !== _id),
      ),
    onSuccess: () => toast.success('Milestone deleted successfully'),
    onError: (_error, _milestone, undo) => {
      undo?.()
      toast.error('Failed to delete milestone')
    },
    onSettled: () => refreshMilestones(client, projectId),
  })
}

const replacing = (id: string, by: Milestone) => (other: Milestone) => (other._id === id ? by : other)

function unsavedMilestone(projectId: string, fields: MilestoneFields): Milestone {
  const now = new Date().toISOString()
  return {
    ...fields,
    _id: unsavedId(),
    createdAt: now,
    updatedAt: now,
    version: 1,
    project: projectId,
    entryCount: 0,
  }
}
