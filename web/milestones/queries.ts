import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { request } from '#web/api/client.ts'
import { refreshProjects } from '#web/projects/queries.ts'
import { useShownQuery } from '#web/saving/overlay.ts'
import { showingMilestones } from './overlay.ts'

/** The milestones of a project, by their position. */
export const milestonesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['milestones', projectId],
    queryFn: ({ signal }) => request('listMilestones', { params: { projectId } }, { signal }),
    meta: showingMilestones(projectId),
  })

/** The milestones of a project; an empty list until they are fetched. */
export function useMilestones(projectId: string) {
  const query = useShownQuery(milestonesQuery(projectId))
  const { data = [], isPending, isError, isRefetchError, isFetching, isFetchedAfterMount, refetch } = query
  return { milestones: data, isPending, isError, isRefetchError, isFetching, isFetchedAfterMount, refetch }
}

/** Invalidates the milestones of a project and its progress. */
export function refreshMilestones(client: QueryClient, projectId: string): void {
  void client.invalidateQueries({ queryKey: milestonesQuery(projectId).queryKey })
  refreshProjects(client)
}

/** Invalidates the milestones of all projects, after an entry was moved between projects. */
export function refreshAllMilestones(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: ['milestones'] })
}
