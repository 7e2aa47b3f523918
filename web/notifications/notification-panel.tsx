import { type RefObject, useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import { useKeepFocus } from '#web/ui/use-keep-focus.ts'
import { useMarkAllRead } from './mutations.ts'
import { NotificationList } from './notification-list.tsx'

type NotificationPanelProps = { unread: number; onClose: () => void }

/** The newest notifications, and what can be done with all of them. */
export function NotificationPanel({ unread, onClose }: NotificationPanelProps) {
  const title = useRef<HTMLHeadingElement>(null)
  return (
    <>
      <PanelHeader title={title} unread={unread} />
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
        <NotificationList title={title} onClose={onClose} />
      </div>
      <div className="border-t border-line p-1.5">
        <Button variant="quiet" size="sm" className="w-full" onClick={onClose}>
          View all notifications
        </Button>
      </div>
    </>
  )
}

type PanelHeaderProps = { title: RefObject<HTMLHeadingElement | null>; unread: number }

function PanelHeader({ title, unread }: PanelHeaderProps) {
  const { mutate: markAllRead } = useMarkAllRead()
  useKeepFocus(title, unread)
  return (
    <div className="flex min-h-12 items-center justify-between gap-3 border-b border-line py-1.5 pr-1.5 pl-4">
      <h2 ref={title} id="notifications-title" tabIndex={-1} className="rounded-sm font-semibold">
        Notifications
      </h2>
      {unread > 0 && (
        <Button variant="quiet" size="sm" onClick={() => markAllRead()}>
          Mark all read
        </Button>
      )}
    </div>
  )
}
