import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Collaboration, Collaborator } from '#contract/collaborators.ts'
import { COLLABORATIONS_PER_PAGE } from '#contract/parts/list-options.ts'
import type { Pagination } from '#contract/parts/pagination.ts'
import { request } from '#web/api/client.ts'
import { useServerOptions } from '#web/api/server-options.ts'
import { isEmailConfirmed } from '#web/identity/provider.ts'
import { useSession } from '#web/identity/session.tsx'
import { eachShown, showing, useShownQuery } from '#web/saving/overlay.ts'
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
    meta: showing(
      eachShown((list: Collaborator[], change) => {
        if (!list.some(({ _id }) => _id === change.thing)) return list
        if (change.call === 'removeCollaborator') return list.filter(({ _id }) => _id !== change.thing)
        if (change.call !== 'updateCollaborator') return list
        const { thing, answer, body } = change
        return list.map((other) => (other._id === thing ? (answer ?? { ...other, role: body.role }) : other))
      }),
    ),
  })

export type CollaborationPage = { collaborations: Collaboration[]; pagination: Pagination }

/** Collaborations without the projects that the user is leaving. */
const showingMine = showing(
  eachShown((page: CollaborationPage, change) => {
    if (change.call !== 'leaveProject') return page
    const rest = page.collaborations.filter(({ project }) => project._id !== change.params.projectId)
    const fewer = page.collaborations.length - rest.length
    const { totalItems } = page.pagination
    return fewer === 0
      ? page
      : { collaborations: rest, pagination: { ...page.pagination, totalItems: totalItems - fewer } }
  }),
)

/** One page of the projects that the user is or was invited to. */
const myCollaborationsQuery = ({ search, status, page }: CollaborationFilters) =>
  queryOptions({
    queryKey: [...myCollaborationsKey, { search: search.trim(), status, page }],
    queryFn: ({ signal }) => {
      const query = { page, limit: COLLABORATIONS_PER_PAGE, search: search.trim() || undefined, status }
      return request('listMyCollaborations', { query }, { signal })
    },
    meta: showingMine,
  })

/** The newest pending invitations. Unexpired ones come first, because all have the same validity period. */
const pendingInvitationsQuery = queryOptions({
  queryKey: [...myCollaborationsKey, 'pending'],
  queryFn: ({ signal }) => request('listMyCollaborations', { query: { status: 'pending' } }, { signal }),
  meta: showingMine,
})

/** The number of shared projects that the dashboard shows. */
const SHARED_SHOWN = 6

/** The newest projects of others that the user has joined. */
const sharedProjectsQuery = (search: string) =>
  queryOptions({
    queryKey: [...myCollaborationsKey, 'shared', search],
    queryFn: ({ signal }) => {
      const query = { status: 'accepted', limit: SHARED_SHOWN, search: search || undefined } as const
      return request('listMyCollaborations', { query }, { signal })
    },
    meta: showingMine,
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

const NONE: readonly Collaborator[] = []

/** Returns the members and invitees of a project; an empty list while unknown. */
export function useCollaborators(projectId: string) {
  const { status } = useSession()
  const query = useShownQuery({ ...projectCollaboratorsQuery(projectId), enabled: status === 'signed-in' })
  useLogged(query.error)
  return { ...query, collaborators: query.data ?? NONE }
}

/** Returns one page of the user's collaborations; the previous page while it loads. */
export function useMyCollaborations(filters: CollaborationFilters) {
  const { status } = useSession()
  const query = useShownQuery({
    ...myCollaborationsQuery(filters),
    enabled: status === 'signed-in',
    placeholderData: keepPreviousData,
  })
  useLogged(query.error)
  return query
}

/** Returns the open invitations among the user's newest ten, none while unknown, and whether their first fetch is under way. */
export function useOpenInvitations(): { invitations: readonly Collaboration[]; isAwaited: boolean } {
  const { status } = useSession()
  const query = useShownQuery({ ...pendingInvitationsQuery, enabled: status === 'signed-in' })
  useLogged(query.error)
  return {
    invitations:
      query.data?.collaborations.filter((one) => one.status === 'pending' && !isExpired(one)) ?? [],
    isAwaited: query.isPending && query.failureCount === 0 && query.errorUpdateCount === 0,
  }
}

/** Returns the newest matching projects of others, and whether there are more; those of the previous search while they load. */
export function useSharedProjects(search: string) {
  const { data, error } = useShownQuery({
    ...sharedProjectsQuery(search.trim()),
    placeholderData: keepPreviousData,
  })
  useLogged(error)
  const { collaborations = [], pagination } = data ?? {}
  return { collaborations, hasMore: pagination?.hasNext === true }
}

/** Returns whether this server sends invitations by email; undefined while unknown. */
export function useInvitationOptions() {
  const { data, error } = useQuery(invitationOptionsQuery)
  useLogged(error)
  return data
}

/** Returns whether invitations are hidden until the user confirms their email address, and the query that failed to tell. */
export function useHiddenInvitations() {
  const { status } = useSession()
  const isOurs = useServerOptions()?.identity.provider === 'local'
  const options = useQuery(invitationOptionsQuery)
  const isConfirmed = useQuery({
    ...emailConfirmedQuery,
    enabled: status === 'signed-in' && isOurs && options.data?.mailed === true,
  })
  useLogged(options.error ?? isConfirmed.error)
  return {
    areHidden: isConfirmed.data === false,
    failed: isOurs ? [options, isConfirmed].find(({ isLoadingError }) => isLoadingError) : undefined,
  }
}

function useLogged(error: unknown) {
  useEffect(() => {
    // oxlint-disable-next-line no-console -- specified: this failure is logged, not shown
    if (error) console.error(error)
  }, [error])
}
