import { infiniteQueryOptions } from '@tanstack/react-query'
import { request } from '#web/api/client.ts'

/** Returns the path of the activity screen of a project. */
export const activityPath = (projectId: string) => `/projects/${projectId}/activity`

/** The activity of a project, latest first, page by page. */
export const activityQuery = (projectId: string) =>
  infiniteQueryOptions({
    queryKey: ['activity', projectId],
    queryFn: ({ pageParam, signal }) =>
      request('listActivity', { params: { projectId }, query: { before: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  })
