import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Webhook } from '#contract/webhooks.ts'
import { change } from '#web/api/change.ts'
import { request } from '#web/api/client.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { makeSecret } from '#web/api/secrets.ts'
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

/** Makes a webhook; its secret is in the result, and refusals are shown by the form. */
export function useCreateWebhook(projectId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (url: string) =>
      makeSecret({
        id: `webhook ${projectId}`,
        list: () => request('listWebhooks', { params: { projectId } }),
        make: () => request('createWebhook', { params: { projectId }, body: { url } }),
        remove: ({ _id: webhookId }) => change('deleteWebhook', { params: { projectId, webhookId } }),
        isAsked: (webhook) => webhook.url === url,
      }),
    onSettled: () => client.invalidateQueries({ queryKey: webhooksQuery(projectId).queryKey }),
    gcTime: 0,
  })
}

export function useSwitchWebhook(projectId: string, { _id }: Webhook) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (isOn: boolean) =>
      change('switchWebhook', { params: { projectId, webhookId: _id }, body: { isOn } }),
    onSuccess: (_result, isOn) => toast.success(isOn ? 'Webhook switched on' : 'Webhook switched off'),
    onError: (error) => toastError(error, 'Failed to switch the webhook'),
    onSettled: () => client.invalidateQueries({ queryKey: webhooksQuery(projectId).queryKey }),
  })
}

/** Makes a new secret, which is in the result. */
export function useRotateSecret(projectId: string, { _id }: Webhook) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (_input: void) => request('rotateWebhookSecret', { params: { projectId, webhookId: _id } }),
    onError: (error) => toastError(error, 'Failed to make a new secret'),
    onSettled: () => client.invalidateQueries({ queryKey: webhooksQuery(projectId).queryKey }),
    gcTime: 0,
  })
}

export function useTestWebhook(projectId: string, { _id }: Webhook) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (_input: void) => request('testWebhook', { params: { projectId, webhookId: _id } }),
    onError: (error) => toastError(error, 'Failed to send a test message'),
    onSettled: () => client.invalidateQueries({ queryKey: deliveriesQuery(projectId, _id).queryKey }),
  })
}

export function useDeleteWebhook(projectId: string, { _id }: Webhook) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (_input: void) => change('deleteWebhook', { params: { projectId, webhookId: _id } }),
    onSuccess: () => toast.success('Webhook deleted'),
    onError: (error) => toastError(error, 'Failed to delete the webhook'),
    onSettled: () => client.invalidateQueries({ queryKey: webhooksQuery(projectId).queryKey }),
  })
}
