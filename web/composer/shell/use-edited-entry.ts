import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isTransient } from '#web/api/query-client.ts'
import { rememberMove } from '#web/entries/paths.ts'
import { entryQuery, refreshEntryPages } from '#web/entries/queries.ts'
import { refreshMilestones } from '#web/milestones/queries.ts'
import { isNotFound } from '#web/projects/queries.ts'
import type { MilestoneRef } from './composer-settings.ts'
import { findMovedMilestone } from './moved-entry.tsx'

/**
 * The entry to edit. It is always refetched first, so that editing starts from its current version. Of a new entry (without an id)
 * there is nothing to fetch.
 */
export function useEditedEntry(entryId: string | undefined, { projectId, milestoneId }: MilestoneRef) {
  const client = useQueryClient()
  const query = useQuery({
    ...entryQuery(milestoneId, entryId ?? ''),
    enabled: entryId !== undefined,
    staleTime: 0,
  })
  const { isFetchedAfterMount, error, refetch } = query
  // Losing access to the project removes it from the cache, but closes no open form.
  const [lastData, setLastData] = useState(query.data)
  if (query.data && query.data !== lastData) setLastData(query.data)
  const data = query.data ?? (lastData?.milestone === milestoneId ? lastData : undefined)
  const movedTo = useQuery({
    queryKey: ['moved entry', entryId, milestoneId],
    queryFn:
      entryId !== undefined && error && !isTransient(error) ? () => lookFor(entryId, milestoneId) : skipToken,
    gcTime: 0,
    retry: false,
  })
  // A cached copy of a deleted entry is not edited; an open form is not closed by a later response.
  const [openedIn, setOpenedIn] = useState<string>()
  const mayOpen = query.data !== undefined && isFetchedAfterMount && (!error || isTransient(error))
  if (mayOpen && openedIn !== milestoneId) setOpenedIn(milestoneId)
  const isGone = isNotFound(error)

  // Without events from the server, the lists still contain it.
  useEffect(() => {
    if (!isGone) return
    refreshEntryPages(client)
    refreshMilestones(client, projectId)
  }, [client, isGone, projectId])

  return {
    original: entryId === undefined ? undefined : data,
    isFetched: entryId === undefined || (data !== undefined && openedIn === milestoneId),
    error,
    retry: () => void refetch(),
    /** Where it is, if it was moved to another milestone. */
    moved: movedTo.data ?? null,
  }
}

async function lookFor(entryId: string, milestoneId: string) {
  const moved = await findMovedMilestone(entryId, milestoneId)
  if (moved) rememberMove(entryId, moved)
  return moved
}
