import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Collaborator } from '#contract/collaborators.ts'
import { COLLABORATIONS_PER_PAGE } from '#contract/lists.ts'
import { request } from '#web/api/client.ts'
import { useServerOptions } from '#web/api/server-options.ts'
import { isEmailConfirmed } from '#web/identity/provider.ts'
import { useSession } from '#web/identity/session.tsx'
import { isExpired } from './invitations.tsx'
import type { CollaborationFilters } from './my-collaborations/collaboration-filters.ts'

/** The key of all queries and mutations of collaborators. */
export const collaboratorsKey = ['collaborators']

/** The key of the queries of the projects that the user is or was invited to. */
export const myCollaborationsKey = [...collaboratorsKey, 'mine']

/** The members and invitees of a project, in the order of invitation. */
export const projectCollaboratorsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...collaboratorsKey, 'project', projectId],
    queryFn: ({ signal }) => request('listCollaborators', { params: { projectId } }, { signal }),
  })

/** One page of the projects that the user is or was invited to. */
const myCollaborationsQuery = ({ search, status, page }: CollaborationFilters) =>
  queryOptions({
    queryKey: [...myCollaborationsKey, { search: search.trim(), status, page }],
    queryFn: ({ signal }) => {
      const query = { page, limit: COLLABORATIONS_PER_PAGE, search: search.trim() || undefined, status }
      return request('listMyCollaborations', { query }, { signal })
    },
  })

/** The number of pending invitations, among the newest hundred. */
const pendingInvitationsQuery = queryOptions({
  queryKey: [...myCollaborationsKey, 'pending count'],
  queryFn: async ({ signal }) => {
    const query = { limit: 100, status: 'pending' } as const
    const { collaborations } = await request('listMyCollaborations', { query }, { signal })
    return collaborations.filter((collaboration) => !isExpired(collaboration)).length
  },
})

/** Whether the server sends invitations by email; it does not change while the server runs. */
const invitationOptionsQuery = queryOptions({
  queryKey: ['invitation options'],
  queryFn: ({ signal }) => request('readInvitationOptions', {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Whether the user's email address is confirmed; only then are invitations to it shown. */
const emailConfirmedQuery = queryOptions({
  queryKey: [...myCollaborationsKey, 'email confirmed'],
  queryFn: isEmailConfirmed,
})

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

const NONE: readonly Collaborator[] = []

/** Returns the members and invitees of a project; an empty list while unknown. */
export function useCollaborators(projectId: string) {
  const { status } = useSession()
  const query = useQuery({ ...projectCollaboratorsQuery(projectId), enabled: status === 'signed-in' })
  useLogged(query.error)
  return { ...query, collaborators: query.data ?? NONE }
}

/** Returns one page of the user's collaborations; the previous page while it loads. */
export function useMyCollaborations(filters: CollaborationFilters) {
  const { status } = useSession()
  const query = useQuery({
    ...myCollaborationsQuery(filters),
    enabled: status === 'signed-in',
    placeholderData: keepPreviousData,
  })
  useLogged(query.error)
  return query
}

/** Returns the number of pending invitations; 0 while unknown. */
export function usePendingInvitations(): number {
  const { status } = useSession()
  const { data, error } = useQuery({ ...pendingInvitationsQuery, enabled: status === 'signed-in' })
  useLogged(error)
  return data ?? 0
}

/** Returns whether this server sends invitations by email; undefined while unknown. */
export function useInvitationOptions() {
  const { data, error } = useQuery(invitationOptionsQuery)
  useLogged(error)
  return data
}

/** Returns whether invitations are hidden until the user confirms their email address; false while unknown. */
export function useHiddenInvitations(): boolean {
  const { status } = useSession()
  const isOurs = useServerOptions()?.identity.provider === 'local'
  const isMailed = useInvitationOptions()?.mailed === true
  const { data, error } = useQuery({
    ...emailConfirmedQuery,
    enabled: status === 'signed-in' && isOurs && isMailed,
  })
  useLogged(error)
  return data === false
}

function useLogged(error: unknown) {
  useEffect(() => {
    // oxlint-disable-next-line no-console -- specified: this failure is logged, not shown
    if (error) console.error(error)
  }, [error])
}
