import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSession } from '#web/identity/session.tsx'

/** Keeps up to date what the page shows while somebody is signed in. Visitors do not download what that takes. */
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
    return () => ending.abort()
  }, [client, personId])

  return null
}
