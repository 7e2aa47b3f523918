import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { Watch, WatchLevel } from '#contract/watching.ts'
import { exchange, request } from '#web/api/client.ts'
import { toastError } from '#web/api/failure-toast.ts'
import { usePermissions } from '#web/projects/queries.ts'
import { change } from '#web/saving/change.ts'
import { eachShown, showing, useShownQuery } from '#web/saving/overlay.ts'
import { useChange } from '#web/saving/use-change.ts'

/**
 * What the user hears of a project, and what is new since their last visit. Fetching it records the visit, so it is fetched when the
 * project is opened, and not again by events. It is no change that waits for a connection.
 */
const watchQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['watch', projectId],
    queryFn: ({ signal }) => exchange('visitProject', { params: { projectId } }, { signal }),
    meta: showing(
      eachShown((watch: Watch, change) =>
        change.call === 'changeWatch' && change.params.projectId === projectId
          ? { ...watch, level: change.body.level }
          : watch,
      ),
    ),
    staleTime: 60_000,
  })

/** Records a visit of a project of which the user is a member, and returns their watch of it. */
export function useWatch(projectId: string): Watch | undefined {
  const { permissions } = usePermissions(projectId)
  return useShownQuery({ ...watchQuery(projectId), enabled: permissions.role !== null }).data
}

/** The names of the other members of a project, whom a text can mention. */
const mentionableQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['mentionable', projectId],
    queryFn: ({ signal }) => request('listMentionable', { params: { projectId } }, { signal }),
    staleTime: 60_000,
  })

/** Returns a function that reads the names to offer after `@`; none if they cannot be fetched. */
export function useReadMentionable(projectId: string): () => Promise<string[]> {
  const client = useQueryClient()
  return async () => {
    try {
      return (await client.fetchQuery(mentionableQuery(projectId))).map(({ name }) => name)
    } catch {
      return [] // a name can still be typed
    }
  }
}

/** Changes which news of a project the user hears. */
export function useChangeWatch(projectId: string) {
  return useChange({
    mutationFn: (level: WatchLevel) => change('changeWatch', { params: { projectId }, body: { level } }),
    onError: (error) => toastError(error, 'Failed to save what you hear of this project'),
  })
}
