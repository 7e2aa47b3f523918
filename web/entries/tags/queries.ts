import { queryOptions } from '@tanstack/react-query'
import { request } from '#web/api/client.ts'
import { entriesKey } from '#web/entries/keys.ts'

/** The tags of a project, and how many entries have each. */
export const tagsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...entriesKey(projectId), 'tag list'],
    queryFn: ({ signal }) => request('listTags', { params: { projectId } }, { signal }),
  })
