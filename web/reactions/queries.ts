import { queryOptions } from '@tanstack/react-query'
import { request } from '#web/api/client.ts'

/** How many readers reacted to a published entry. */
export const reactionsQuery = (milestoneId: string, entryId: string) =>
  queryOptions({
    queryKey: ['reactions', entryId],
    queryFn: ({ signal }) => request('readReactions', { params: { milestoneId, entryId } }, { signal }),
  })
