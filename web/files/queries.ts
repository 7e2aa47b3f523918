import { queryOptions } from '@tanstack/react-query'
import { FILES_MAX } from '#contract/files.ts'
import { request } from '#web/api/client.ts'

/** Fetches those of the given files of a project that the person may see. */
export const filesQuery = (projectId: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: ['files', projectId, ids],
    queryFn: async ({ signal }) => {
      const parts: Promise<Awaited<ReturnType<typeof list>>>[] = []
      for (let from = 0; from < ids.length; from += FILES_MAX)
        parts.push(list(projectId, ids.slice(from, from + FILES_MAX), signal))
      return (await Promise.all(parts)).flat()
    },
    enabled: ids.length > 0,
    // Signed URLs are valid for about an hour.
    staleTime: 20 * 60_000,
  })

const list = (projectId: string, ids: readonly string[], signal: AbortSignal) =>
  request('listFiles', { params: { projectId }, query: { ids: ids.join(',') } }, { signal })
