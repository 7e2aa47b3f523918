import type { ReactNode, RefObject } from 'react'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { useKeepFocus } from '#web/ui/use-keep-focus.ts'
import { NotificationItem } from './notification-item.tsx'
import { useLatestNotifications } from './queries.ts'
import { useNow } from './use-now.ts'

const LISTED = 10

type NotificationListProps = { title: RefObject<HTMLElement | null>; onClose: () => void }

/** The newest notifications; the keyboard goes to `title` when the one it was on is deleted. */
export function NotificationList({ title, onClose }: NotificationListProps) {
  const { notifications, isPending, refetch } = useLatestNotifications()
  const now = useNow()
  useKeepFocus(title, notifications?.length ?? 0)
  if (isPending) {
    return (
      <Centred>
        <Spinner />
      </Centred>
    )
  }
  if (!notifications) {
    return (
      <Centred>
        <p>Your notifications could not be loaded.</p>
        <Button size="sm" onClick={() => void refetch()}>
          Try again
        </Button>
      </Centred>
    )
  }
  if (notifications.length === 0) return <EmptyState>No notifications yet</EmptyState>
  return (
    <ul className="divide-y divide-line">
      {notifications.slice(0, LISTED).map((notification) => (
        <NotificationItem key={notification._id} notification={notification} now={now} onClose={onClose} />
      ))}
    </ul>
  )
}

function Centred({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-40 flex-col items-center justify-center gap-3 text-sm text-muted">
      {children}
    </div>
  )
}
