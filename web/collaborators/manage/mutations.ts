import {
  type Mutation,
  matchMutation,
  type QueryClient,
  useMutation,
  useMutationState,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import type { Collaborator, InvitedCollaborator, InviteFields } from '#contract/collaborators.ts'
import type { CollaboratorRole } from '#contract/permissions.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { projectCollaboratorsQuery } from '#web/collaborators/queries.ts'
import { refreshPermissions } from '#web/projects/queries.ts'
import { change } from '#web/saving/change.ts'
import { type FormChanges, saveForm } from '#web/saving/form-changes.ts'
import { useChange } from '#web/saving/use-change.ts'
import { toast } from '#web/ui/feedback/toast.tsx'

/** The mutation key of inviting to a project. */
export const invitingKey = (projectId: string) => [
  ...projectCollaboratorsQuery(projectId).queryKey,
  'inviting',
]

/** The sent invitations by project and email: there is one for each. */
const forms = new Map<string, FormChanges>()

const idOfForm = (projectId: string, email: string) => `${projectId} ${email}`

function formOf(projectId: string, email: string): FormChanges {
  const id = idOfForm(projectId, email)
  const form = forms.get(id) ?? {}
  forms.set(id, form)
  return form
}

/** Invites somebody, or invites them again with a new link after they declined or the invitation expired. */
export function useInvite(projectId: string) {
  const client = useQueryClient()
  const { queryKey } = projectCollaboratorsQuery(projectId)
  return useMutation({
    mutationKey: invitingKey(projectId),
    async mutationFn(body: InviteFields): Promise<InvitedCollaborator> {
      const invited = await saveForm(formOf(projectId, body.email), {
        version: 0,
        isStored: false,
        create: (_id) => ({ call: 'inviteCollaborator', params: { projectId }, body: { ...body, _id } }),
        update: (collaboratorId) => ({
          call: 'updateCollaborator',
          params: { projectId, collaboratorId },
          body: { role: body.role },
        }),
      })
      forms.delete(idOfForm(projectId, body.email))
      return invited
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

/** Returns a function that returns whether an invitation to an email is being sent, even if that has not been rendered yet. */
export function useIsInviting(projectId: string): (email: string) => boolean {
  const client = useQueryClient()
  return (email) => {
    const predicate = ({ state }: Mutation) => (state.variables as InviteFields).email === email
    return client.isMutating({ mutationKey: invitingKey(projectId), predicate }) > 0
  }
}

/** Invites somebody again with the same role. Ignores a second press that comes before the first one has been rendered. */
export function useInviteAgain(projectId: string, fields: InviteFields) {
  const isInviting = useIsInviting(projectId)
  const { mutate } = useInvite(projectId)
  const isSending = useInviting(projectId).includes(fields.email)
  return {
    isSending,
    inviteAgain: () => {
      if (!isInviting(fields.email)) mutate(fields)
    },
  }
}

/** Returns the emails of the invitations to a project that are being sent in this tab, by any form. */
export const useInviting = (projectId: string): string[] =>
  useMutationState({
    filters: { mutationKey: invitingKey(projectId), status: 'pending' },
    select: ({ state }) => (state.variables as InviteFields).email,
  })

/** Calls back with the email of each invitation to a project that was sent in this tab, by any form. */
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

/** Changes the role of a member or an invitation. */
export function useUpdateRole(projectId: string) {
  const client = useQueryClient()
  return useChange({
    mutationFn: ({ collaborator: { _id: collaboratorId }, role }: RoleChange) =>
      change('updateCollaborator', { params: { projectId, collaboratorId }, body: { role } }),
    done: 'Collaborator role updated',
    onError: (error) => toastError(error, 'Failed to update role'),
    onSettled: () => refetch(client, projectId),
  })
}

/** Removes a member or withdraws an invitation. */
export function useRemoveCollaborator(projectId: string) {
  const client = useQueryClient()
  return useChange({
    mutationFn: ({ _id: collaboratorId }: Collaborator) =>
      change('removeCollaborator', { params: { projectId, collaboratorId } }),
    done: 'Collaborator removed',
    onError: (error) => toastError(error, 'Failed to remove collaborator'),
    onSettled: () => refetch(client, projectId),
  })
}

const notThe =
  ({ _id }: Collaborator) =>
  (other: Collaborator) =>
    other._id !== _id

/** Refetches the permissions too: the user's own role may have changed. */
function refetch(client: QueryClient, projectId: string): void {
  void client.invalidateQueries({ queryKey: projectCollaboratorsQuery(projectId).queryKey })
  refreshPermissions(client, projectId)
}
