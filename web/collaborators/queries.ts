import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Collaborator } from '#contract/collaborators.ts'
import { COLLABORATIONS_PER_PAGE } from '#contract/lists.ts'
import { request } from '#web/api/client.ts'
import { useServerOptions } from '#web/api/server-options.ts'
import { isEmailConfirmed } from '#web/identity/provider.ts'
import { useSession } from '#web/identity/session.tsx'
import { isExpired } from './invitations.ts'
import type { CollaborationFilters } from './my-collaborations/collaboration-filters.ts'

/** Of everything about who works on which project, also of what changes it. */
export const collaboratorsKey = ['collaborators']

/** Of the projects that I am or was invited to. */
export const myCollaborationsKey = [...collaboratorsKey, 'mine']

/** The members of a project and who is invited, in the order of invitation. */
export const projectCollaboratorsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...collaboratorsKey, 'project', projectId],
    queryFn: ({ signal }) => request('listCollaborators', { params: { projectId } }, { signal }),
  })

/** One page of the projects that I am or was invited to. */
const myCollaborationsQuery = ({ search, status, page }: CollaborationFilters) =>
  queryOptions({
    queryKey: [...myCollaborationsKey, { search: search.trim(), status, page }],
    queryFn: ({ signal }) => {
      const query = { page, limit: COLLABORATIONS_PER_PAGE, search: search.trim() || undefined, status }
      return request('listMyCollaborations', { query }, { signal })
    },
  })

/** How many invitations, of the newest hundred, wait for my answer. */
const waitingInvitationsQuery = queryOptions({
  queryKey: [...myCollaborationsKey, 'waiting'],
  queryFn: async ({ signal }) => {
    const query = { limit: 100, status: 'pending' } as const
    const { collaborations } = await request('listMyCollaborations', { query }, { signal })
    return collaborations.filter((collaboration) => !isExpired(collaboration)).length
  },
})

/** How invitations travel; it is settled when the server starts. */
const invitationOptionsQuery = queryOptions({
  queryKey: ['invitation options'],
  queryFn: ({ signal }) => request('readInvitationOptions', {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Whether my address is confirmed, so that invitations of it are mine. */
const confirmedQuery = queryOptions({
  queryKey: [...myCollaborationsKey, 'address confirmed'],
  queryFn: isEmailConfirmed,
})

/** What the link of an invitation leads to. Always asked as a visitor: with a token the same call accepts. */
export const invitationQuery = (inviteToken: string) =>
  queryOptions({
    queryKey: ['invitation', inviteToken],
    queryFn: async ({ signal }) => {
      const answer = await request(
        'acceptInvitation',
        { params: { inviteToken } },
        { signal, anonymous: true },
      )
      if (!('requiresAuth' in answer)) throw new TypeError('A look-up was answered with an acceptance')
      return answer
    },
  })

/**
 * Where the accepted invitation of a dead link leads its own collaborator; `isSettled` once that is known. Asking
 * sends the token, as accepting does: a link that the look-up did not find can be accepted by nobody, and the server
 * answers it to the one who did.
 */
export function useOwnUsedInvitation(inviteToken: string, { enabled }: { enabled: boolean }) {
  const { status } = useSession()
  const isAsking = enabled && status === 'signed-in'
  const { data, isError } = useQuery({
    queryKey: ['invitation', inviteToken, 'own'],
    queryFn: ({ signal }) => request('acceptInvitation', { params: { inviteToken } }, { signal }),
    enabled: isAsking,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const redirectTo = isAsking && data && 'redirectTo' in data ? data.redirectTo : null
  return { redirectTo, isSettled: !isAsking || isError || data !== undefined }
}

const NOBODY: readonly Collaborator[] = []

/** The members of a project and who is invited; nobody where that cannot be found out. */
export function useCollaborators(projectId: string) {
  const { status } = useSession()
  const query = useQuery({ ...projectCollaboratorsQuery(projectId), enabled: status === 'signed-in' })
  useLogged(query.error)
  return { ...query, collaborators: query.data ?? NOBODY }
}

/** One page of my collaborations; until it is read, the one that was shown before. */
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

/** How many invitations wait for my answer; 0 while that is unknown. */
export function useWaitingInvitations(): number {
  const { status } = useSession()
  const { data, error } = useQuery({ ...waitingInvitationsQuery, enabled: status === 'signed-in' })
  useLogged(error)
  return data ?? 0
}

/** How invitations travel on this server; undefined while that is unknown. */
export function useInvitationOptions() {
  const { data, error } = useQuery(invitationOptionsQuery)
  useLogged(error)
  return data
}

/** Whether invitations are hidden from me until I confirm my address; false while that is unknown. */
export function useHiddenInvitations(): boolean {
  const { status } = useSession()
  const isOurs = useServerOptions()?.identity.provider === 'local'
  const isMailed = useInvitationOptions()?.mailed === true
  const { data, error } = useQuery({
    ...confirmedQuery,
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
