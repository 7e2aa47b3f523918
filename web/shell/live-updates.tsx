import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSession } from '#web/identity/session.tsx'

/**
 * While somebody is signed in, fetches their projects, whichever screen is the first, and keeps up to date what the page
 * shows. Visitors do not download what that takes.
 */
export function LiveUpdates() {
  const client = useQueryClient()
  const { user } = useSession()
  const personId = user?._id

  useEffect(() => {
    if (personId === undefined) return undefined
    const ending = new AbortController()
    import('#web/live/live.ts').then(
      ({ startLive }) => startLive(client, ending.signal),
      // oxlint-disable-next-line no-console -- nothing is amiss on the screen: it is brought up to date later
      (error: unknown) => console.warn(error),
    )
    import('#web/projects/queries.ts').then(
      ({ myProjectsQuery }) => client.prefetchQuery(myProjectsQuery),
      // oxlint-disable-next-line no-console -- the dashboard fetches them by itself
      (error: unknown) => console.warn(error),
    )
    return () => ending.abort()
  }, [client, personId])

  return null
}
