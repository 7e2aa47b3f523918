import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSession } from '#web/identity/session.tsx'
import { showAnswersIn } from '#web/saving/overlay.ts'

/** While a person is signed in, sends their changes that earlier pages have stored. Visitors do not download the code for it. */
export function PendingChanges() {
  const client = useQueryClient()
  const { user } = useSession()
  const personId = user?._id

  useEffect(() => showAnswersIn(client), [client])

  useEffect(() => {
    if (personId === undefined) return undefined
    const over = new AbortController()
    import('./resume-changes.ts').then(
      ({ resumeChanges }) => resumeChanges(client, personId, over.signal),
      // oxlint-disable-next-line no-console -- changes of this page are sent all the same
      (error: unknown) => console.warn(error),
    )
    return () => over.abort()
  }, [client, personId])

  return null
}
