import { type Query, type QueryClient, useIsMutating, useQueryClient } from '@tanstack/react-query'
import type { Acceptance, Collaboration } from '#contract/collaborators.ts'
import { isolateBidi } from '#contract/parts/characters.ts'
import { ApiError } from '#web/api/api-error.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { removeCachedProject } from '#web/projects/queries.ts'
import { awaitedThing, change } from '#web/saving/change.ts'
import { useChange } from '#web/saving/use-change.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { type CollaborationPage, myCollaborationsKey } from './queries.ts'

type ResponseOptions = {
  /** Called if the invitation is no longer open, instead of a toast, to show its current status. */
  onClosed?: () => Promise<unknown>
}

const answeringKey = (inviteToken: string, answer: 'accept' | 'decline') => [
  ...myCollaborationsKey,
  'answering',
  inviteToken,
  answer,
]

/** Returns the pending answer to an invitation in this tab, from any card. */
export function usePendingResponse(inviteToken: string): 'accept' | 'decline' | null {
  const isAccepting = useIsMutating({ mutationKey: answeringKey(inviteToken, 'accept') }) > 0
  const isDeclining = useIsMutating({ mutationKey: answeringKey(inviteToken, 'decline') }) > 0
  if (isAccepting) return 'accept'
  return isDeclining ? 'decline' : null
}

/** Whether an invitation was answered elsewhere, withdrawn, or has expired. */
const isClosed = (error: Error) =>
  error instanceof ApiError && (error.code === 'not_found' || error.code === 'expired')

/** Accepts an invitation. Throws ApiError `not_signed_in` without a session. */
export function useAcceptInvitation(inviteToken: string, { onClosed }: ResponseOptions = {}) {
  const client = useQueryClient()
  const params = { inviteToken }
  return useChange({
    mutationKey: answeringKey(inviteToken, 'accept'),
    thing: awaitedThing('acceptInvitation', params),
    async mutationFn(): Promise<Acceptance> {
      const answer = await change('acceptInvitation', { params })
      if ('requiresAuth' in answer) throw new ApiError(401, 'not_signed_in', 'Please sign in to continue')
      return answer
    },
    onSuccess: ({ collaborator }) => {
      removeCachedProject(client, collaborator.project)
      toast.success('Invitation accepted successfully!')
    },
    onError(error) {
      if (onClosed && isClosed(error)) return onClosed()
      // Without a session the caller navigates to the sign-in page instead.
      if (!(error instanceof ApiError && error.code === 'not_signed_in'))
        toastError(error, 'Failed to accept invitation')
      return undefined
    },
    onSettled: (answer, error) =>
      refetchMine(
        client,
        error,
        answer && ((card) => (card._id === answer.collaborator._id ? withAnswer(card, answer) : card)),
      ),
  })
}

const withAnswer = (card: Collaboration, { collaborator }: Acceptance): Collaboration => ({
  ...card,
  ...collaborator,
  project: card.project,
})

/**
 * Resolves once the lists of the user's collaborations are refetched, so that the buttons of a card stay busy until it is removed;
 * immediately if the answer failed, so that they can be pressed again. A list that cannot be fetched shows that itself.
 */
async function refetchMine(
  client: QueryClient,
  error: Error | null,
  answered: ((card: Collaboration) => Collaboration) | undefined,
): Promise<void> {
  const fetched = client.invalidateQueries({ queryKey: myCollaborationsKey })
  if (error && !isClosed(error)) return
  await fetched
  if (error || !answered) return
  const failed = { queryKey: myCollaborationsKey, predicate: ({ state }: Query) => state.status === 'error' }
  client.setQueriesData<CollaborationPage | boolean>(failed, (cached) =>
    typeof cached === 'object' ? { ...cached, collaborations: cached.collaborations.map(answered) } : cached,
  )
}

/** Declines an invitation. */
export function useDeclineInvitation(inviteToken: string, { onClosed }: ResponseOptions = {}) {
  const client = useQueryClient()
  const params = { inviteToken }
  return useChange({
    mutationKey: answeringKey(inviteToken, 'decline'),
    thing: awaitedThing('declineInvitation', params),
    mutationFn: () => change('declineInvitation', { params }),
    onSuccess: () => toast.info('Invitation declined'),
    onError(error) {
      if (onClosed && isClosed(error)) return onClosed()
      toastError(error, 'Failed to decline invitation')
      return undefined
    },
    onSettled: (_nothing, error) =>
      refetchMine(client, error, (card) =>
        card.inviteToken === inviteToken ? { ...card, status: 'declined' } : card,
      ),
  })
}

/** Leaves a project, and removes its data from the cache. */
export function useLeaveProject() {
  const client = useQueryClient()
  return useChange({
    mutationFn: ({ project }: Collaboration) =>
      change('leaveProject', { params: { projectId: project._id } }),
    onSuccess(_nothing, { project }) {
      removeCachedProject(client, project._id)
      toast.success(`You left “${isolateBidi(project.title)}”`)
    },
    onError: (error) => toastError(error, 'Failed to leave the project'),
    onSettled: () => client.invalidateQueries({ queryKey: myCollaborationsKey }),
  })
}
