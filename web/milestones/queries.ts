import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { request } from '#web/api/client.ts'
import { refresh } from '#web/api/optimistic.ts'
import { refreshProjects } from '#web/projects/queries.ts'

/** The milestones of a project, oldest first. */
export const milestonesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['milestones', projectId],
    queryFn: ({ signal }) => request('listMilestones', { params: { projectId } }, { signal }),
  })

/** The milestones of a project; none where they cannot be fetched. */
export function useMilestones(projectId: string) {
  const { data = [], isPending, isError, refetch } = useQuery(milestonesQuery(projectId))
  return { milestones: data, isPending, isError, refetch }
}

/** Has the milestones of a project, and the progress made of them, read again. */
export function refreshMilestones(client: QueryClient, projectId: string): void {
  refresh(client, milestonesQuery(projectId).queryKey)
  refreshProjects(client)
}
