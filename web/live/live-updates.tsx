import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSession } from '#web/identity/session.tsx'

/**
 * While a user is signed in, prefetches their projects and refreshes the shown data after server events. Visitors do not download
 * the code for it.
 */
export function LiveUpdates() {
  const client = useQueryClient()
  const { user } = useSession()
  const userId = user?._id

  useEffect(() => {
    if (userId === undefined) return undefined
    const ended = new AbortController()
    import('./live.ts').then(
      ({ startLive }) => startLive(client, ended.signal),
      // oxlint-disable-next-line no-console -- the screen works without it and is refreshed later
      (error: unknown) => console.warn(error),
    )
    import('#web/projects/queries.ts').then(
      ({ myProjectsQuery }) => client.prefetchQuery(myProjectsQuery),
      // oxlint-disable-next-line no-console -- the dashboard fetches them itself
      (error: unknown) => console.warn(error),
    )
    return () => ended.abort()
  }, [client, userId])

  return null
}
