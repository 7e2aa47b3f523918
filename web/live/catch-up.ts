import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { Event } from '#contract/events.ts'
import { myCollaborationsKey, projectCollaboratorsQuery } from '#web/collaborators/queries.ts'
import { entriesKey } from '#web/entries/queries.ts'
import { milestonesQuery } from '#web/milestones/queries.ts'
import { notificationsKey } from '#web/notifications/queries.ts'
import {
  cachedProjects,
  isAbsence,
  myProjectsQuery,
  permissionsQuery,
  projectQuery,
} from '#web/projects/queries.ts'

/** Has read again what is shown and may have changed, and forgotten what may no longer be seen. */
export function createCatchUp(client: QueryClient, signal: AbortSignal) {
  const running = new Map<string, 'once' | 'again'>()

  /** One at a time: a reading that every further event began anew might never come to its end. */
  async function withoutHaste(name: string, work: () => Promise<unknown>) {
    if (running.has(name)) {
      running.set(name, 'again')
      return
    }
    do {
      running.set(name, 'once')
      await work()
    } while (running.get(name) === 'again' && !signal.aborted)
    running.delete(name)
  }

  const catchUpProject = (projectId: string) =>
    withoutHaste(projectId, async () => {
      if ((await rightToView(client, projectId)) === false) await forget(client, projectId)
      else await Promise.all(keysOf(client, projectId).map((key) => readAgain(client, key)))
    })

  const catchUpLists = () =>
    withoutHaste('lists', () =>
      Promise.all([readAgain(client, myProjectsQuery.queryKey), readAgain(client, myCollaborationsKey)]),
    )

  const catchUpNotifications = () => withoutHaste('notifications', () => readAgain(client, notificationsKey))

  return {
    /** Brings up to date what an event is about. */
    async with(event: Event): Promise<void> {
      if (event.type === 'notifications') return catchUpNotifications()
      const projects = event.type === 'project' ? [event.projectId] : cachedProjects(client)
      await Promise.all([
        ...projects.map(catchUpProject),
        catchUpLists(),
        ...(event.type === 'ready' ? [catchUpNotifications()] : []),
      ])
    },

    /** Lets what is shown stand, and be read again when it is next come upon. */
    later(): void {
      void client.invalidateQueries({ refetchType: 'none' })
    },
  }
}

/** Whether I may (still) view a project of which something is cached; undefined where that cannot be found out. Nobody views a deleted one. */
async function rightToView(client: QueryClient, projectId: string): Promise<boolean | undefined> {
  const query = permissionsQuery(projectId)
  if (!client.getQueryState(query.queryKey)) return undefined
  await client.invalidateQueries({ queryKey: query.queryKey, refetchType: 'none' })
  try {
    return (await client.fetchQuery({ ...query, staleTime: 0 })).canView
  } catch (error) {
    if (isAbsence(error)) return false
    return undefined // the screen's own reading of it says what is amiss
  }
}

/** Everything that is read of a project, but for the rights in it. */
function keysOf(client: QueryClient, projectId: string): QueryKey[] {
  const trail = milestonesQuery(projectId)
  const milestones = client.getQueryData(trail.queryKey) ?? []
  return [
    projectQuery(projectId).queryKey,
    trail.queryKey,
    projectCollaboratorsQuery(projectId).queryKey,
    ...milestones.map(({ _id }) => entriesKey(_id)),
  ]
}

/** Takes the content of a project out of the cache; what still shows it asks again, and is refused. */
async function forget(client: QueryClient, projectId: string): Promise<void> {
  await Promise.all(keysOf(client, projectId).map((queryKey) => client.resetQueries({ queryKey })))
}

/** What is just being changed here is read again when that is answered, and not before: the change would vanish for a moment. */
function readAgain(client: QueryClient, queryKey: QueryKey): Promise<void> {
  const isChanging = client.isMutating({
    predicate: ({ options }) =>
      options.mutationKey !== undefined && lieTogether(options.mutationKey, queryKey),
  })
  return client.invalidateQueries({ queryKey, refetchType: isChanging > 0 ? 'none' : 'active' })
}

/** Whether one of two keys lies under the other. */
function lieTogether(one: QueryKey, other: QueryKey): boolean {
  const depth = Math.min(one.length, other.length)
  return one.slice(0, depth).every((part, index) => part === other[index])
}
