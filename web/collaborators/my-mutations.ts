import { useMutation, useQueryClient } from '@tanstack/react-query'
import { isolated } from '#contract/characters.ts'
import type { Acceptance, Collaboration } from '#contract/collaborators.ts'
import type { Pagination } from '#contract/pagination.ts'
import { ApiError } from '#web/api/api-error.ts'
import { request } from '#web/api/client.ts'
import { toastRefusal } from '#web/api/failure-toast.ts'
import { changeCached, useOptimisticMutation } from '#web/api/optimistic.ts'
import { forgetProject } from '#web/projects/queries.ts'
import { toast } from '#web/ui/toast.ts'
import { myCollaborationsKey } from './queries.ts'

/** Accepts an invitation; refused with `not_signed_in` where nobody is. */
export function useAcceptInvitation(inviteToken: string) {
  const client = useQueryClient()
  return useMutation({
    mutationKey: myCollaborationsKey,
    mutationFn: async (): Promise<Acceptance> => {
      const answer = await request('acceptInvitation', { params: { inviteToken } })
      if ('requiresAuth' in answer) throw new ApiError(401, 'not_signed_in', 'Please sign in to continue')
      return answer
    },
    onSuccess: ({ collaborator }) => {
      forgetProject(client, collaborator.project)
      toast.success('Invitation accepted successfully!')
    },
    onError(error) {
      // Whoever is not signed in is shown the way in instead.
      if (!(error instanceof ApiError && error.code === 'not_signed_in'))
        toastRefusal(error, 'Failed to accept invitation')
    },
    // Waited for: until the card is gone, its buttons are not to be pressed again.
    onSettled: () => client.invalidateQueries({ queryKey: myCollaborationsKey }),
  })
}

/** Declines an invitation. */
export function useDeclineInvitation(inviteToken: string) {
  const client = useQueryClient()
  return useMutation({
    mutationKey: myCollaborationsKey,
    mutationFn: () => request('declineInvitation', { params: { inviteToken } }),
    onSuccess: () => toast.info('Invitation declined'),
    onError: (error) => toastRefusal(error, 'Failed to decline invitation'),
    onSettled: () => client.invalidateQueries({ queryKey: myCollaborationsKey }),
  })
}

type Page = { collaborations: Collaboration[]; pagination: Pagination }

/** Leaves a project, and removes everything cached of it. */
export function useLeaveProject() {
  const client = useQueryClient()
  return useOptimisticMutation({
    mutationKey: myCollaborationsKey,
    mutationFn: ({ project }: Collaboration) =>
      request('leaveProject', { params: { projectId: project._id } }),
    changes: (left) => [
      changeCached(myCollaborationsKey, (page: Page | number) =>
        typeof page === 'number' ? page : without(page, left),
      ),
    ],
    onSuccess(_nothing, { project }) {
      forgetProject(client, project._id)
      toast.success(`You left “${isolated(project.title)}”`)
    },
    onFailure: (error) => toastRefusal(error, 'Failed to leave the project'),
    onSettled: () => client.invalidateQueries({ queryKey: myCollaborationsKey }),
  })
}

function without({ collaborations, pagination }: Page, { _id }: Collaboration): Page {
  const rest = collaborations.filter((other) => other._id !== _id)
  const totalItems = pagination.totalItems - (collaborations.length - rest.length)
  return { collaborations: rest, pagination: { ...pagination, totalItems } }
}
