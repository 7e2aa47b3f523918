import { queryOptions, useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import type { AccessToken } from '#contract/access-tokens.ts'
import type { Calls } from '#contract/calls.ts'
import type { CallInput } from '#contract/parts/call.ts'
import { request } from '#web/api/client.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { myProjectsQuery, projectsKey } from '#web/projects/queries.ts'
import { change } from '#web/saving/change.ts'
import { createWithSecret } from '#web/saving/secret.ts'
import { useChange } from '#web/saving/use-change.ts'
import { toast } from '#web/ui/feedback/toast.tsx'

export const accessTokensQuery = queryOptions({
  queryKey: ['access-tokens'],
  queryFn: ({ signal }) => request('listAccessTokens', {}, { signal }),
})

/** The projects that an access token can be limited to: the user's own, and those that they collaborate on. */
export const memberProjectsQuery = queryOptions({
  queryKey: [...projectsKey, 'member'],
  queryFn: async ({ client, signal }) => {
    const [own, { collaborations }] = await Promise.all([
      client.fetchQuery(myProjectsQuery),
      request('listMyCollaborations', { query: { status: 'accepted', limit: 100 } }, { signal }),
    ])
    return [...own, ...collaborations.map(({ project }) => project)].map(({ _id, title }) => ({ _id, title }))
  },
})

type Asked = CallInput<Calls['createAccessToken']>['body']

/** Creates an access token and resolves to it; the form shows refusals. */
export function useCreateAccessToken() {
  const client = useQueryClient()
  const mutationKey = ['access-tokens', 'create']
  const { isRunning, mutateAsync } = useChange({
    mutationKey,
    mutationFn: (body: Asked) =>
      createWithSecret({
        kind: 'access token',
        make: (_id, options) => request('createAccessToken', { body: { ...body, _id } }, options),
        remove: (tokenId) => change('revokeAccessToken', { params: { tokenId } }),
      }),
    // A chosen project may have been deleted.
    onError: () => void client.invalidateQueries({ queryKey: projectsKey }),
    onSettled: () => client.invalidateQueries({ queryKey: accessTokensQuery.queryKey }),
    gcTime: 0,
  })
  return {
    isPending: useIsMutating({ mutationKey }) > 0,
    /** Resolves to undefined, without a call, while a token is being created. */
    create: async (body: Asked) => (isRunning() ? undefined : mutateAsync(body)),
  }
}

export function useRevokeAccessToken({ _id, name }: AccessToken) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (_input: void) => change('revokeAccessToken', { params: { tokenId: _id } }),
    onSuccess: () => toast.success(`${name} is revoked`),
    onError: (error) => toastError(error, 'Failed to revoke the token'),
    onSettled: () => client.invalidateQueries({ queryKey: accessTokensQuery.queryKey }),
  })
}
