import { infiniteQueryOptions } from '@tanstack/react-query'
import { request } from '#web/api/client.ts'

/** The page of what happened in a project. */
export const activityPath = (projectId: string) => `/projects/${projectId}/activity`

/** What happened in a project, the latest first, page by page. */
export const activityQuery = (projectId: string) =>
  infiniteQueryOptions({
    queryKey: ['activity', projectId],
    queryFn: ({ pageParam, signal }) =>
      request('listActivity', { params: { projectId }, query: { before: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  })
