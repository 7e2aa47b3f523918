import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Permissions } from '#contract/permissions.ts'
import type { Project } from '#contract/projects.ts'
import { ApiError } from '#web/api/api-error.ts'
import { request } from '#web/api/client.ts'
import { useFailureToast } from '#web/api/failure-toast.ts'
import { refresh } from '#web/api/optimistic.ts'

/** Of everything about projects, also of what changes them. */
export const projectsKey = ['projects']

/** The projects that I own, newest first. */
export const myProjectsQuery = queryOptions({
  queryKey: [...projectsKey, 'mine'],
  queryFn: ({ signal }) => request('listProjects', {}, { signal }),
})

/** One project. */
export const projectQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...projectsKey, 'one', projectId],
    queryFn: ({ signal }) => request('readProject', { params: { projectId } }, { signal }),
  })

const permissionsKey = [...projectsKey, 'permissions']

/** What I may do in a project. */
export const permissionsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...permissionsKey, projectId],
    queryFn: ({ signal }) => request('readPermissions', { params: { projectId } }, { signal }),
  })

export function useMyProjects() {
  const query = useQuery(myProjectsQuery)
  useFailureToast(query.error, 'Failed to fetch projects')
  return query
}

/** Whether the server answered that there is no such thing, or none that the person may see. */
export const isAbsence = (error: unknown) => error instanceof ApiError && error.status === 404

/** One project; until it is read, as the list knows it. */
export function useProject(projectId: string) {
  const client = useQueryClient()
  const query = useQuery({
    ...projectQuery(projectId),
    placeholderData: () =>
      client.getQueryData(myProjectsQuery.queryKey)?.find(({ _id }) => _id === projectId),
  })
  const isAbsent = isAbsence(query.error)
  useFailureToast(isAbsent ? null : query.error, 'Failed to fetch project')
  return { ...query, isAbsent }
}

/** The projects of which something is cached, whether it is shown or not. */
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
 * What I may do in a project; nothing while that is unknown, and nothing where it cannot be found out. `isAbsent`: there
 * is no such project.
 */
export function usePermissions(projectId: string) {
  const { data, isPending, error } = useQuery(permissionsQuery(projectId))
  const isAbsent = isAbsence(error)
  useEffect(() => {
    // oxlint-disable-next-line no-console -- specified: this failure is logged, not shown
    if (error) console.error(error)
  }, [error])
  return {
    permissions: isAbsent ? NO_RIGHTS : (data ?? NO_RIGHTS),
    isPending,
    isAbsent,
    isKnown: data !== undefined,
  }
}

/** Has everything that shows a project or its progress read again. */
export function refreshProjects(client: QueryClient): void {
  refresh(client, projectsKey)
}

/** Puts a project as the server answered it wherever it is shown. */
export function storeProject(client: QueryClient, project: Project): void {
  client.setQueryData(projectQuery(project._id).queryKey, project)
  client.setQueryData(myProjectsQuery.queryKey, (list) =>
    list?.map((other) => (other._id === project._id ? project : other)),
  )
}

/** Has what I may do in a project read again. */
export function refreshPermissions(client: QueryClient, projectId: string): void {
  void client.invalidateQueries({ queryKey: permissionsQuery(projectId).queryKey })
}

/** Drops a project and my rights in it: they were read as somebody with another role, or with none. */
export function forgetProject(client: QueryClient, projectId: string): void {
  for (const { queryKey } of [projectQuery(projectId), permissionsQuery(projectId)]) {
    client.removeQueries({ queryKey })
  }
}
