import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { Event } from '#contract/events.ts'
import { activityQuery } from '#web/activity/queries.ts'
import { calendarKey } from '#web/calendar/queries.ts'
import { myCollaborationsKey, projectCollaboratorsQuery } from '#web/collaborators/queries.ts'
import { draftsKey } from '#web/drafts/queries.ts'
import { editorsKey, entriesKey } from '#web/entries/keys.ts'
import { milestonesQuery } from '#web/milestones/queries.ts'
import { notificationsKey } from '#web/notifications/queries.ts'
import {
  cachedProjects,
  isNotFound,
  myProjectsQuery,
  permissionsQuery,
  projectQuery,
} from '#web/projects/queries.ts'
import { trashKey } from '#web/trash/queries.ts'

/** Creates an object that refreshes cached queries after server events, and removes data that the user may no longer see. */
export function createCacheRefresher(client: QueryClient, signal: AbortSignal) {
  const running = new Map<string, 'once' | 'again'>()

  /** Runs one task per key at a time; events during a run cause one more run, so that a stream of events cannot starve it. */
  async function coalesced(key: string, work: () => Promise<unknown>) {
    if (running.has(key)) {
      running.set(key, 'again')
      return
    }
    do {
      running.set(key, 'once')
      await work()
    } while (running.get(key) === 'again' && !signal.aborted)
    running.delete(key)
  }

  const refreshProject = (projectId: string) =>
    coalesced(projectId, async () => {
      if ((await canStillView(client, projectId)) === false) await resetProject(client, projectId)
      else
        await Promise.all(keysOf(client, projectId).map((key) => client.invalidateQueries({ queryKey: key })))
    })

  const refreshLists = () =>
    coalesced('lists', () =>
      Promise.all(
        [myProjectsQuery.queryKey, myCollaborationsKey, trashKey, calendarKey].map((key) =>
          client.invalidateQueries({ queryKey: key }),
        ),
      ),
    )

  const refreshNotifications = () =>
    coalesced('notifications', () => client.invalidateQueries({ queryKey: notificationsKey }))

  const refreshDrafts = () => coalesced('drafts', () => client.invalidateQueries({ queryKey: draftsKey }))

  return {
    /** Refreshes the queries that an event concerns. */
    async refresh(event: Event): Promise<void> {
      if (event.type === 'notifications') return refreshNotifications()
      if (event.type === 'drafts') return refreshDrafts()
      if (event.type === 'editors') return client.invalidateQueries({ queryKey: editorsKey(event.entryId) })
      const projects = event.type === 'project' ? [event.projectId] : cachedProjects(client)
      await Promise.all([
        ...projects.map(refreshProject),
        refreshLists(),
        ...(event.type === 'ready' ? [refreshNotifications(), refreshDrafts()] : []),
      ])
    },

    /** Marks all queries as stale without refetching: each is refetched when a screen next uses it. */
    markStale(): void {
      void client.invalidateQueries({ refetchType: 'none' })
    },
  }
}

/** Returns whether the user may still view a cached project; false if it was deleted, undefined if that is unknown. */
async function canStillView(client: QueryClient, projectId: string): Promise<boolean | undefined> {
  const query = permissionsQuery(projectId)
  if (!client.getQueryState(query.queryKey)) return undefined
  await client.invalidateQueries({ queryKey: query.queryKey, refetchType: 'none' })
  try {
    return (await client.fetchQuery({ ...query, staleTime: 0 })).canView
  } catch (error) {
    if (isNotFound(error)) return false
    return undefined // the screen's own query reports the failure
  }
}

/** Returns the keys of all queries of a project except its permissions. */
function keysOf(client: QueryClient, projectId: string): QueryKey[] {
  const milestonesOptions = milestonesQuery(projectId)
  const milestones = client.getQueryData(milestonesOptions.queryKey) ?? []
  return [
    projectQuery(projectId).queryKey,
    milestonesOptions.queryKey,
    projectCollaboratorsQuery(projectId).queryKey,
    activityQuery(projectId).queryKey,
    entriesKey(projectId),
    ...milestones.map(({ _id }) => entriesKey(_id)),
  ]
}

/** Removes a project's content from the cache; screens that still show it refetch and are refused. */
async function resetProject(client: QueryClient, projectId: string): Promise<void> {
  await Promise.all(keysOf(client, projectId).map((queryKey) => client.resetQueries({ queryKey })))
}
