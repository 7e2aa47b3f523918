import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ShareLink, ShareLinkChange, ShareLinkFields } from '#contract/shares.ts'
import { isUncertain } from '#web/api/api-error.ts'
import { request } from '#web/api/client.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { change } from '#web/saving/change.ts'
import { createWithSecret } from '#web/saving/secret.ts'
import { useChange } from '#web/saving/use-change.ts'
import { toast } from '#web/ui/feedback/toast.tsx'

export const shareLinksQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['share links', projectId],
    queryFn: ({ signal }) => request('listShareLinks', { params: { projectId } }, { signal }),
  })

/** How many entries the form of a link offers; a search finds the others. */
const OFFERED = 24

/** The published entries that a link may show, newest first. */
export const linkableEntriesQuery = (projectId: string, search: string) =>
  queryOptions({
    queryKey: ['share links', projectId, 'entries', search],
    queryFn: async ({ signal }) => {
      const query = { limit: OFFERED, search: search || undefined } as const
      const { entries } = await request('listProjectEntries', { params: { projectId }, query }, { signal })
      return entries.filter(({ state }) => state === 'published')
    },
    placeholderData: keepPreviousData,
  })

/** Creates a link and resolves to it with its address; the form shows refusals. */
export function useCreateShareLink(projectId: string) {
  const client = useQueryClient()
  return useChange({
    mutationKey: ['share links', projectId, 'create'],
    mutationFn: (body: ShareLinkFields) =>
      createWithSecret({
        kind: `share link ${projectId}`,
        make: (_id, options) =>
          request('createShareLink', { params: { projectId }, body: { ...body, _id } }, options),
        remove: (linkId) => change('revokeShareLink', { params: { projectId, linkId } }),
      }),
    onSettled: () => client.invalidateQueries({ queryKey: shareLinksQuery(projectId).queryKey }),
    // A password is among its variables.
    gcTime: 0,
  })
}

type Update = { link: ShareLink; body: ShareLinkChange }

/** Changes a link; the form shows refusals. */
export function useUpdateShareLink(projectId: string) {
  const client = useQueryClient()
  return useChange({
    mutationKey: ['share links', projectId, 'update'],
    mutationFn: ({ link, body }: Update) =>
      change('updateShareLink', { params: { projectId, linkId: link._id }, body }),
    onSuccess: () => toast.success('Link changed'),
    onSettled: () => client.invalidateQueries({ queryKey: shareLinksQuery(projectId).queryKey }),
    gcTime: 0,
  })
}

/** Gives a link a new address, which is lost if its response is lost: then it can be renewed again. */
export function useRenewShareLink(projectId: string, { _id: linkId }: ShareLink) {
  const client = useQueryClient()
  return useChange({
    mutationKey: ['share links', projectId, 'renew', linkId],
    mutationFn: (_input: void) => request('renewShareLink', { params: { projectId, linkId } }),
    onError: (error) =>
      toastError(
        error,
        isUncertain(error)
          ? 'The link may have a new address, which cannot be shown. Make another new one.'
          : 'Failed to make a new address',
      ),
    onSettled: () => client.invalidateQueries({ queryKey: shareLinksQuery(projectId).queryKey }),
    gcTime: 0,
  })
}

export function useRevokeShareLink(projectId: string, { _id: linkId }: ShareLink, onRevoked: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (_input: void) => change('revokeShareLink', { params: { projectId, linkId } }),
    onSuccess() {
      toast.success('Link revoked')
      onRevoked()
    },
    onError: (error) => toastError(error, 'Failed to revoke the link'),
    onSettled: () => client.invalidateQueries({ queryKey: shareLinksQuery(projectId).queryKey }),
  })
}
