import { queryOptions, useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Webhook } from '#contract/webhooks.ts'
import { isUncertain } from '#web/api/api-error.ts'
import { request } from '#web/api/client.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { change } from '#web/saving/change.ts'
import { createWithSecret } from '#web/saving/secret.ts'
import { useChange } from '#web/saving/use-change.ts'
import { toast } from '#web/ui/feedback/toast.tsx'

export const webhooksQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['webhooks', projectId],
    queryFn: ({ signal }) => request('listWebhooks', { params: { projectId } }, { signal }),
  })

export const deliveriesQuery = (projectId: string, webhookId: string) =>
  queryOptions({
    queryKey: ['webhooks', projectId, webhookId],
    queryFn: ({ signal }) => request('listDeliveries', { params: { projectId, webhookId } }, { signal }),
  })

/** Creates a webhook and resolves to it with its secret; the form shows refusals. */
export function useCreateWebhook(projectId: string) {
  const client = useQueryClient()
  const mutationKey = ['webhooks', projectId, 'create']
  const { isRunning, mutateAsync } = useChange({
    mutationKey,
    mutationFn: (url: string) =>
      createWithSecret({
        kind: `webhook ${projectId}`,
        make: (_id, options) =>
          request('createWebhook', { params: { projectId }, body: { _id, url } }, options),
        remove: (webhookId) => change('deleteWebhook', { params: { projectId, webhookId } }),
      }),
    onSettled: () => client.invalidateQueries({ queryKey: webhooksQuery(projectId).queryKey }),
    gcTime: 0,
  })
  return {
    isPending: useIsMutating({ mutationKey }) > 0,
    /** Resolves to undefined, without a call, while a webhook is being created. */
    create: async (url: string) => (isRunning() ? undefined : mutateAsync(url)),
  }
}

export function useSwitchWebhook(projectId: string, { _id }: Webhook) {
  const client = useQueryClient()
  return useChange({
    mutationKey: ['switch webhook', _id],
    mutationFn: (isOn: boolean) =>
      change('switchWebhook', { params: { projectId, webhookId: _id }, body: { isOn } }),
    onSuccess: (_result, isOn) => toast.success(isOn ? 'Webhook switched on' : 'Webhook switched off'),
    onError: (error) => toastError(error, 'Failed to switch the webhook'),
    onSettled: () => client.invalidateQueries({ queryKey: webhooksQuery(projectId).queryKey }),
  })
}

const MAY_BE_ROTATED =
  'A new secret may have been made, which cannot be shown. If you make another one, the secret that you use ends at once.'

/**
 * Creates a new secret, which is lost if its response is lost. Creating another one then invalidates the secret that
 * receivers use.
 */
export function useRotateSecret(projectId: string, { _id }: Webhook) {
  const client = useQueryClient()
  const mutationKey = ['webhooks', projectId, _id, 'rotate']
  const { mutate } = useChange({
    mutationKey,
    mutationFn: (_input: void) => request('rotateWebhookSecret', { params: { projectId, webhookId: _id } }),
    onError: (error) =>
      toastError(error, isUncertain(error) ? MAY_BE_ROTATED : 'Failed to make a new secret'),
    onSettled: () => client.invalidateQueries({ queryKey: webhooksQuery(projectId).queryKey }),
    gcTime: 0,
  })
  return {
    isPending: useIsMutating({ mutationKey }) > 0,
    rotate: (onRotated: (secret: string) => void) =>
      mutate(undefined, { onSuccess: ({ secret }) => onRotated(secret) }),
  }
}

export function useTestWebhook(projectId: string, { _id }: Webhook) {
  const client = useQueryClient()
  return useChange({
    mutationKey: ['test webhook', _id],
    mutationFn: (_input: void) => request('testWebhook', { params: { projectId, webhookId: _id } }),
    onError: (error) => toastError(error, 'Failed to send a test message'),
    onSettled: () => client.invalidateQueries({ queryKey: deliveriesQuery(projectId, _id).queryKey }),
  })
}

export function useDeleteWebhook(
  projectId: string,
  { _id }: Webhook,
  onDeleted: (webhookId: string) => void,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (_input: void) => change('deleteWebhook', { params: { projectId, webhookId: _id } }),
    onSuccess() {
      toast.success('Webhook deleted')
      onDeleted(_id)
    },
    onError: (error) => toastError(error, 'Failed to delete the webhook'),
    onSettled: () => client.invalidateQueries({ queryKey: webhooksQuery(projectId).queryKey }),
  })
}
