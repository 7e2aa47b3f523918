import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { useSession } from '#web/identity/session.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { TryAgain } from '#web/ui/controls/try-again.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Skeleton } from '#web/ui/feedback/loading.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { DateContext, useNow } from '#web/ui/layout/time.tsx'
import { useMarkAllRead } from './mutations.ts'
import { NotificationItem } from './notification-item.tsx'
import { useLatestNotifications } from './queries.ts'

type NotificationPanelProps = { unread: number; onClose: () => void }

/** The notification panel: the newest notifications, and the actions for all. */
export function NotificationPanel({ unread, onClose }: NotificationPanelProps) {
  const title = useRef<HTMLHeadingElement>(null)
  const { user } = useSession()
  return (
    // The panel is shown above public pages too, whose dates use the browser's defaults.
    <DateContext value={user ?? {}}>
      <PanelHeader title={title} unread={unread} />
      <div tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto overscroll-contain outline-none">
        <NotificationList title={title} onClose={onClose} />
      </div>
      <div className="border-t border-line p-1.5">
        <Button variant="quiet" size="sm" className="w-full" onClick={onClose}>
          View all notifications
        </Button>
      </div>
    </DateContext>
  )
}

type PanelHeaderProps = { title: RefObject<HTMLHeadingElement | null>; unread: number }

function PanelHeader({ title, unread }: PanelHeaderProps) {
  const markAllRead = useMarkAllRead()
  useKeepFocus(title, unread)
  return (
    <div className="flex min-h-12 items-center justify-between gap-3 border-b border-line py-1.5 pr-1.5 pl-4">
      <h2 ref={title} id="notifications-title" tabIndex={-1} className="rounded-sm font-semibold">
        Notifications
      </h2>
      {unread > 0 && (
        <Button variant="quiet" size="sm" onClick={markAllRead}>
          Mark all read
        </Button>
      )}
    </div>
  )
}

const LISTED = 10

type NotificationListProps = { title: RefObject<HTMLElement | null>; onClose: () => void }

/** The newest notifications. The focus moves to `title` when the focused one is deleted. */
function NotificationList({ title, onClose }: NotificationListProps) {
  const { notifications, isPending, refetch } = useLatestNotifications()
  const now = useNow()
  useKeepFocus(title, notifications?.length ?? 0)
  if (isPending) {
    return <NotificationsSkeleton />
  }
  if (!notifications) {
    return (
      <Centred>
        <p>Your notifications could not be loaded.</p>
        <TryAgain size="sm" onClick={() => void refetch()} />
      </Centred>
    )
  }
  if (notifications.length === 0) return <EmptyState drawing="bell">No notifications yet</EmptyState>
  return (
    <ul className="divide-y divide-line">
      {notifications.slice(0, LISTED).map((notification) => (
        <NotificationItem key={notification._id} notification={notification} now={now} onClose={onClose} />
      ))}
    </ul>
  )
}

function NotificationsSkeleton() {
  return (
    <output className="block divide-y divide-line">
      <VisuallyHidden>Loading</VisuallyHidden>
      {Array.from({ length: 3 }, (_, index) => (
        <div key={index} className="flex flex-col gap-2 py-3.5 pr-12 pl-9">
          <Skeleton className="h-4 w-7/12" />
          <Skeleton className="h-4 w-full" />
          <Skeleton className="h-3 w-14" />
        </div>
      ))}
    </output>
  )
}

function Centred({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-40 flex-col items-center justify-center gap-3 text-sm text-muted">
      {children}
    </div>
  )
}

/**
 * Moves the focus to `fallback` when the focused item has been removed from a list of `count` items; to the page's content if the
 * list disappeared with its last item.
 */
function useKeepFocus(fallback: RefObject<HTMLElement | null>, count: number): void {
  const previous = useRef(count)

  useEffect(() => {
    const shrunk = count < previous.current
    previous.current = count
    if (!shrunk) return
    // Deferred until a closing dialog has tried to restore the focus to a removed button. Also applies if the item was restored
    // by then, because removing it failed immediately: it is another element.
    setTimeout(() => {
      const target = fallback.current ?? document.querySelector('main')
      if (document.activeElement === document.body) target?.focus({ preventScroll: true })
    })
  }, [count, fallback])
}
