import {
  type Mutation,
  matchMutation,
  type Query,
  type QueryClient,
  useMutation,
  useMutationState,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { isolated } from '#contract/characters.ts'
import type {
  Acceptance,
  Collaboration,
  Collaborator,
  InvitedCollaborator,
  InviteFields,
} from '#contract/collaborators.ts'
import type { Pagination } from '#contract/pagination.ts'
import type { CollaboratorRole } from '#contract/permissions.ts'
import { ApiError } from '#web/api/api-error.ts'
import { change } from '#web/api/change.ts'
import { request } from '#web/api/client.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { changeCached, useOptimisticMutation } from '#web/api/optimistic.ts'
import { refresh } from '#web/api/query-client.ts'
import { create, type SendingForm } from '#web/api/saving.ts'
import { forgetProject, refreshPermissions } from '#web/projects/queries.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { myCollaborationsKey, projectCollaboratorsQuery } from './queries.ts'

/** The mutation key of inviting to a project. */
export const invitingKey = (projectId: string) => [
  ...projectCollaboratorsQuery(projectId).queryKey,
  'inviting',
]

/** What was sent to invite somebody, by project and email: there is one invitation for each. */
const forms = new Map<string, SendingForm>()

function formOf(projectId: string, email: string): SendingForm {
  const id = `${projectId} ${email}`
  const form = forms.get(id) ?? { calls: { updates: [] }, keep() {} }
  forms.set(id, form)
  return form
}

/** Invites somebody, or invites them again with a new link after they declined or the invitation expired. */
export function useInvite(projectId: string) {
  const client = useQueryClient()
  const { queryKey } = projectCollaboratorsQuery(projectId)
  return useMutation({
    mutationKey: invitingKey(projectId),
    mutationFn(body: InviteFields) {
      const params = { projectId }
      const before = client.getQueryData(queryKey)
      return create(
        'inviteCollaborator',
        { params, body },
        {
          form: formOf(projectId, body.email),
          amend: (invited) => withRole(invited, body.role),
          find: async () => invitationAmong(await request('listCollaborators', { params }), body, before),
        },
      )
    },
    onSuccess: async (invited, { email }) => {
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, (list) => list && [...list.filter(notThe(invited)), invited])
      toast.success(`Invitation sent to ${email}`)
    },
    onError: (error) => toastError(error, 'Failed to send invitation'),
    onSettled: () => refetch(client, projectId),
  })
}

/** Invites somebody again with the same role, once at a time: a second press may come before the first one has been rendered. */
export function useInviteAgain(projectId: string, fields: InviteFields) {
  const client = useQueryClient()
  const { mutate } = useInvite(projectId)
  const isSending = useInviting(projectId).includes(fields.email)
  return {
    isSending,
    inviteAgain: () => {
      const predicate = ({ state }: Mutation) => (state.variables as InviteFields).email === fields.email
      if (client.isMutating({ mutationKey: invitingKey(projectId), predicate }) === 0) mutate(fields)
    },
  }
}

/** Returns the open invitation by these fields that is new in a list since it was as `before`. */
export function invitationAmong(
  list: readonly Collaborator[],
  { email, role }: InviteFields,
  before: readonly Collaborator[] = [],
): Collaborator | undefined {
  const known = new Set(before.map(({ inviteToken }) => inviteToken))
  return list.find(
    (other) =>
      other.status === 'pending' &&
      other.email.toLowerCase() === email.toLowerCase() &&
      other.role === role &&
      !known.has(other.inviteToken),
  )
}

/** Gives an invitation that an earlier try made the role that was chosen since. */
async function withRole(invited: InvitedCollaborator, role: CollaboratorRole) {
  const params = { projectId: invited.project, collaboratorId: invited._id }
  return { ...invited, ...(await change('updateCollaborator', { params, body: { role } })) }
}

/** Returns the emails of the invitations to a project that are being sent in this tab, by whichever form. */
export const useInviting = (projectId: string): string[] =>
  useMutationState({
    filters: { mutationKey: invitingKey(projectId), status: 'pending' },
    select: ({ state }) => (state.variables as InviteFields).email,
  })

/** Calls back with the email of each invitation to a project that was sent in this tab, by whichever form. */
export function useOnInvited(projectId: string, onInvited: (email: string) => void): void {
  const client = useQueryClient()
  const report = useEffectEvent(onInvited)
  useEffect(() => {
    const filters = { mutationKey: invitingKey(projectId) }
    return client.getMutationCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'success') return
      const { mutation } = event
      if (matchMutation(filters, mutation)) report((mutation.state.variables as InviteFields).email)
    })
  }, [client, projectId])
}

type RoleChange = { collaborator: Collaborator; role: CollaboratorRole }

/** Changes the role of a member or an invitation, optimistically. */
export function useUpdateRole(projectId: string) {
  const client = useQueryClient()
  const { queryKey } = projectCollaboratorsQuery(projectId)
  return useOptimisticMutation({
    mutationKey: queryKey,
    scope: { id: `roles ${projectId}` },
    mutationFn: ({ collaborator: { _id: collaboratorId }, role }: RoleChange) =>
      change('updateCollaborator', { params: { projectId, collaboratorId }, body: { role } }),
    changes: ({ collaborator, role }) => [
      changeCached(queryKey, (list: Collaborator[]) =>
        list.map((other) => (other._id === collaborator._id ? { ...other, role } : other)),
      ),
    ],
    onSuccess: (updated) =>
      client.setQueryData(queryKey, (list) =>
        list?.map((other) => (other._id === updated._id ? updated : other)),
      ),
    successText: 'Collaborator role updated',
    onFailure: (error) => toastError(error, 'Failed to update role'),
    onSettled: () => refetch(client, projectId),
  })
}

/** Removes a member or withdraws an invitation, optimistically. */
export function useRemoveCollaborator(projectId: string) {
  const client = useQueryClient()
  const { queryKey } = projectCollaboratorsQuery(projectId)
  return useOptimisticMutation({
    mutationKey: queryKey,
    mutationFn: ({ _id: collaboratorId }: Collaborator) =>
      change('removeCollaborator', { params: { projectId, collaboratorId } }),
    changes: (removed) => [changeCached(queryKey, (list: Collaborator[]) => list.filter(notThe(removed)))],
    successText: 'Collaborator removed',
    onFailure: (error) => toastError(error, 'Failed to remove collaborator'),
    onSettled: () => refetch(client, projectId),
  })
}

const notThe =
  ({ _id }: Collaborator) =>
  (other: Collaborator) =>
    other._id !== _id

/** Refetches the permissions too: the user's own role may have changed. */
function refetch(client: QueryClient, projectId: string): void {
  refresh(client, projectCollaboratorsQuery(projectId).queryKey)
  refreshPermissions(client, projectId)
}

type Answering = {
  /** Called where the invitation is not open any more, instead of a toast: shows what became of it elsewhere. */
  onClosed?: () => Promise<unknown>
}

/** Whether an invitation was answered elsewhere, withdrawn, or has expired. */
const isClosed = (error: Error) =>
  error instanceof ApiError && (error.code === 'not_found' || error.code === 'expired')

/** Accepts an invitation. Throws ApiError `not_signed_in` without a session. */
export function useAcceptInvitation(inviteToken: string, { onClosed }: Answering = {}) {
  const client = useQueryClient()
  return useMutation({
    mutationKey: myCollaborationsKey,
    mutationFn: async (): Promise<Acceptance> => {
      const answer = await change('acceptInvitation', { params: { inviteToken } })
      if ('requiresAuth' in answer) throw new ApiError(401, 'not_signed_in', 'Please sign in to continue')
      return answer
    },
    onSuccess: ({ collaborator }) => {
      forgetProject(client, collaborator.project)
      toast.success('Invitation accepted successfully!')
    },
    onError(error) {
      if (onClosed && isClosed(error)) return onClosed()
      // Without a session the caller navigates to the sign-in page instead.
      if (!(error instanceof ApiError && error.code === 'not_signed_in'))
        toastError(error, 'Failed to accept invitation')
      return undefined
    },
    onSettled: (answer) =>
      refetchMine(
        client,
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
 * Resolves once the lists of one's collaborations are fetched again, so that the buttons of a card stay busy until it is gone. A list
 * that cannot be fetched says what has become of its card.
 */
async function refetchMine(
  client: QueryClient,
  answered: ((card: Collaboration) => Collaboration) | undefined,
): Promise<void> {
  await client.invalidateQueries({ queryKey: myCollaborationsKey })
  if (!answered) return
  const failed = { queryKey: myCollaborationsKey, predicate: ({ state }: Query) => state.status === 'error' }
  client.setQueriesData<Page | boolean>(failed, (cached) =>
    typeof cached === 'object' ? { ...cached, collaborations: cached.collaborations.map(answered) } : cached,
  )
}

/** Declines an invitation. */
export function useDeclineInvitation(inviteToken: string, { onClosed }: Answering = {}) {
  const client = useQueryClient()
  return useMutation({
    mutationKey: myCollaborationsKey,
    mutationFn: () => change('declineInvitation', { params: { inviteToken } }),
    onSuccess: () => toast.info('Invitation declined'),
    onError(error) {
      if (onClosed && isClosed(error)) return onClosed()
      toastError(error, 'Failed to decline invitation')
      return undefined
    },
    onSettled: (_nothing, error) =>
      refetchMine(
        client,
        error
          ? undefined
          : (card) => (card.inviteToken === inviteToken ? { ...card, status: 'declined' } : card),
      ),
  })
}

type Page = { collaborations: Collaboration[]; pagination: Pagination }

/** Leaves a project: removes its card optimistically, and its data from the cache. */
export function useLeaveProject() {
  const client = useQueryClient()
  return useOptimisticMutation({
    mutationKey: myCollaborationsKey,
    mutationFn: ({ project }: Collaboration) =>
      change(
        'leaveProject',
        { params: { projectId: project._id } },
        {
          isDone: async () =>
            (await request('readPermissions', { params: { projectId: project._id } })).role === null,
        },
      ),
    changes: (left) => [
      changeCached(myCollaborationsKey, (cached: Page | boolean) =>
        typeof cached === 'boolean' ? cached : without(cached, left),
      ),
    ],
    onSuccess(_nothing, { project }) {
      forgetProject(client, project._id)
      toast.success(`You left “${isolated(project.title)}”`)
    },
    onFailure: (error) => toastError(error, 'Failed to leave the project'),
    onSettled: () => client.invalidateQueries({ queryKey: myCollaborationsKey }),
  })
}

function without({ collaborations, pagination }: Page, { _id }: Collaboration): Page {
  const rest = collaborations.filter((other) => other._id !== _id)
  const totalItems = pagination.totalItems - (collaborations.length - rest.length)
  return { collaborations: rest, pagination: { ...pagination, totalItems } }
}
