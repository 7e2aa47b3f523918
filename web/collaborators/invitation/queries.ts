import { queryOptions, useQuery } from '@tanstack/react-query'
import { request } from '#web/api/client.ts'
import { useSession } from '#web/identity/session.tsx'

/** The details of an invitation. Always sent without a token: with one, the same call accepts it. */
export const invitationQuery = (inviteToken: string) =>
  queryOptions({
    queryKey: ['invitation', inviteToken],
    queryFn: async ({ signal }) => {
      const answer = await request(
        'acceptInvitation',
        { params: { inviteToken } },
        { signal, anonymous: true },
      )
      if (!('requiresAuth' in answer))
        throw new TypeError('A request without a token accepted the invitation')
      return answer
    },
  })

/**
 * Returns where an invitation that the user has accepted before leads; `isSettled` once that is known. The request sends
 * the token, as accepting does: an invitation that was not found without one cannot be accepted any more, and for the
 * user who accepted it the server returns its project.
 */
export function useOwnUsedInvitation(inviteToken: string, { enabled }: { enabled: boolean }) {
  const { status } = useSession()
  const isEnabled = enabled && status === 'signed-in'
  const { data, isError } = useQuery({
    queryKey: ['invitation', inviteToken, 'own'],
    queryFn: ({ signal }) => request('acceptInvitation', { params: { inviteToken } }, { signal }),
    enabled: isEnabled,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const redirectTo = isEnabled && data && 'redirectTo' in data ? data.redirectTo : null
  return { redirectTo, isSettled: !isEnabled || isError || data !== undefined }
}
