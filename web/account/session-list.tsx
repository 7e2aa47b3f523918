import { MonitorSmartphone } from 'lucide-react'
import type { Session } from '#contract/account.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { TryAgain } from '#web/ui/controls/try-again.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { Badge } from '#web/ui/layout/badge.tsx'
import { RelativeTime, Time, useNow } from '#web/ui/layout/time.tsx'
import { useSessions } from './queries.ts'
import { useEndOtherSessions, useEndSession } from './sign-in-mutations.ts'

/** The user's sessions, each with a button that signs it out. `isHosted`: the identity provider manages the sessions. */
export function SessionList({ isHosted }: { isHosted: boolean }) {
  if (isHosted)
    return (
      <p className="text-muted">
        This server signs people in with Firebase, which keeps your sessions. They cannot be ended here.
      </p>
    )
  return <Sessions />
}

function Sessions() {
  const query = useSessions()
  const endOthers = useEndOtherSessions()
  const sessions = query.data ?? []

  if (query.isPending)
    return (
      <output className="block">
        <VisuallyHidden>Loading your sessions</VisuallyHidden>
        <Skeleton className="h-16 rounded-md" />
      </output>
    )
  if (!query.data)
    return (
      <div className="flex flex-col items-start gap-3">
        <p className="text-muted">Your sessions could not be fetched.</p>
        <TryAgain busy={query.isFetching} onClick={() => void query.refetch()} />
      </div>
    )
  return (
    <>
      <ul tabIndex={-1} aria-label="Sessions" className="-my-4 divide-y divide-line outline-none">
        {sessions.map((session) => (
          <li key={session._id}>
            <SessionRow session={session} />
          </li>
        ))}
      </ul>
      {sessions.some(({ isCurrent }) => !isCurrent) && (
        <div className="mt-4 border-t border-line pt-5">
          <Button busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
            Sign out everywhere else
          </Button>
        </div>
      )}
    </>
  )
}

function SessionRow({ session }: { session: Session }) {
  const { device, createdAt, lastUsedAt, isCurrent } = session
  const end = useEndSession()
  const now = useNow()
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 py-4">
      <MonitorSmartphone className="size-5 shrink-0 text-muted" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium">
          {device}
          {isCurrent && <Badge tone="success">This browser</Badge>}
        </p>
        <p className="flex flex-wrap gap-x-3 text-sm text-muted">
          {!isCurrent && (
            <span>
              Last used: <RelativeTime at={lastUsedAt} now={now} className="" />
            </span>
          )}
          <span>
            Signed in: <Time iso={createdAt} />
          </span>
        </p>
      </div>
      {!isCurrent && (
        <Button
          size="sm"
          aria-label={`Sign out ${device}`}
          busy={end.isPending}
          onClick={() => end.mutate(session)}
        >
          Sign out
        </Button>
      )}
    </div>
  )
}
