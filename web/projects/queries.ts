import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Permissions } from '#contract/permissions.ts'
import { ApiError } from '#web/api/api-error.ts'
import { request } from '#web/api/client.ts'
import { useFailureToast } from '#web/api/failure-toast.ts'
import { isTransient } from '#web/api/query-client.ts'
import { useShownQuery } from '#web/saving/overlay.ts'
import { showingInList, showingInProject } from './overlay.ts'

/** The key prefix of all cached data about projects, and of their mutations. */
export const projectsKey = ['projects']

/** The caller's own projects, newest first. */
export const myProjectsQuery = queryOptions({
  queryKey: [...projectsKey, 'mine'],
  queryFn: ({ signal }) => request('listProjects', {}, { signal }),
  meta: showingInList,
})

/** One project. */
export const projectQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...projectsKey, 'one', projectId],
    queryFn: ({ signal }) => request('readProject', { params: { projectId } }, { signal }),
    meta: showingInProject,
  })

const permissionsKey = [...projectsKey, 'permissions']

/** The caller's rights in a project. */
export const permissionsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...permissionsKey, projectId],
    queryFn: ({ signal }) => request('readPermissions', { params: { projectId } }, { signal }),
  })

/** The projects in which the caller may write, with their last entries: the caller's own, and those as an admin or editor. */
export const writableProjectsQuery = queryOptions({
  queryKey: [...projectsKey, 'writable'],
  queryFn: async ({ client, signal }) => {
    const [own, { collaborations }] = await Promise.all([
      client.fetchQuery(myProjectsQuery),
      request('listMyCollaborations', { query: { status: 'accepted', limit: 100 } }, { signal }),
    ])
    const shared = collaborations
      .filter(({ role }) => role !== 'viewer')
      .map(({ project }) => ({ ...project, lastEntry: project.state?.lastEntry ?? null }))
    return [...own, ...shared].map(({ _id, title, lastEntry }) => ({ _id, title, lastEntry }))
  },
})

export function useMyProjects() {
  const query = useShownQuery(myProjectsQuery)
  useFailureToast(query.error, 'Failed to fetch projects')
  return query
}

/** Whether the server responded that a resource does not exist or is hidden from the caller. */
export const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404

/** A project, or its copy from the cached list until it has been fetched. */
export function useProject(projectId: string) {
  const client = useQueryClient()
  const copy = () => client.getQueryData(myProjectsQuery.queryKey)?.find(({ _id }) => _id === projectId)
  const query = useShownQuery({ ...projectQuery(projectId), placeholderData: copy })
  const isAbsent = isNotFound(query.error)
  useFailureToast(isAbsent ? null : query.error, 'Failed to fetch project')
  // The placeholder disappears when the first fetch fails, which would close an open form.
  const placeholder = query.isLoadingError && isTransient(query.error) ? copy() : undefined
  return placeholder
    ? { ...query, data: placeholder, isPlaceholderData: true, isRefetchError: true, isAbsent }
    : { ...query, isAbsent }
}

/** Returns the ids of all projects with cached data. */
export function cachedProjects(client: QueryClient): string[] {
  return client
    .getQueryCache()
    .findAll({ queryKey: permissionsKey })
    .map(({ queryKey }) => String(queryKey.at(-1)))
}

const NO_RIGHTS: Permissions = {
  canView: false,
  canEdit: false,
  canManageCollaborators: false,
  isOwner: false,
  role: null,
}

/**
 * The caller's rights in a project; none until they are fetched, or if that fails. `isAbsent`: the project does not exist.
 * `isUnknown`: the server could not determine them, but may later.
 */
export function usePermissions(projectId: string) {
  const { data, isPending, error, refetch } = useQuery(permissionsQuery(projectId))
  const isAbsent = isNotFound(error)
  useEffect(() => {
    // oxlint-disable-next-line no-console -- specified: this failure is logged, not shown
    if (error) console.error(error)
  }, [error])
  return {
    permissions: isAbsent ? NO_RIGHTS : (data ?? NO_RIGHTS),
    isPending,
    isAbsent,
    isKnown: data !== undefined,
    isUnknown: data === undefined && isTransient(error),
    refetch,
  }
}

/** Invalidates all data that shows a project or its progress. */
export function refreshProjects(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: projectsKey })
}

/** Invalidates the caller's rights in a project. */
export function refreshPermissions(client: QueryClient, projectId: string): void {
  void client.invalidateQueries({ queryKey: permissionsQuery(projectId).queryKey })
}

/** Removes a project and the caller's rights in it from the cache, because the caller's role has changed. */
export function removeCachedProject(client: QueryClient, projectId: string): void {
  for (const { queryKey } of [projectQuery(projectId), permissionsQuery(projectId)]) {
    client.removeQueries({ queryKey })
  }
}
