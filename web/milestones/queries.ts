import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { request } from '#web/api/client.ts'
import { refresh } from '#web/api/query-client.ts'
import { refreshProjects } from '#web/projects/queries.ts'

/** The milestones of a project, oldest first. */
export const milestonesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['milestones', projectId],
    queryFn: ({ signal }) => request('listMilestones', { params: { projectId } }, { signal }),
  })

/** The milestones of a project; an empty list until they are fetched. */
export function useMilestones(projectId: string) {
  const query = useQuery(milestonesQuery(projectId))
  const { data = [], isPending, isError, isRefetchError, isFetching, isFetchedAfterMount, refetch } = query
  return { milestones: data, isPending, isError, isRefetchError, isFetching, isFetchedAfterMount, refetch }
}

/** Invalidates the milestones of a project and its progress. */
export function refreshMilestones(client: QueryClient, projectId: string): void {
  refresh(client, milestonesQuery(projectId).queryKey)
  refreshProjects(client)
}

/** Invalidates the milestones of all projects, after an entry was moved between projects. */
export function refreshAllMilestones(client: QueryClient): void {
  refresh(client, ['milestones'])
}
