import { useIsMutating } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { type ToggleEvent, useRef, useState } from 'react'
import { IconButton } from '#web/ui/controls/button.tsx'
import { Fetched, onDemand, reportFailedLoad } from '#web/ui/dialogs/on-demand.tsx'
import { useNavigationCloses } from '#web/ui/dialogs/use-history-layer.ts'
import { Spinner } from '#web/ui/feedback/loading.tsx'
import { notificationsKey, useUnreadCount } from './queries.ts'

/** Loaded when the pointer or the focus reaches the bell. */
const panel = onDemand(async () => (await import('./notification-panel.tsx')).NotificationPanel)

/** The bell with the number of unread notifications; it opens the notification panel in a native popover. */
export function NotificationBell() {
  const unread = useUnreadCount()
  const badge = badgeText(unread ?? 0)
  const announcement = useAnnouncement(unread, useIsMutating({ mutationKey: notificationsKey }) > 0)
  const [isOpen, setOpen] = useState(false)
  const popover = useRef<HTMLElement>(null)
  useNavigationCloses(popover)

  // In React, toggle events of nested popovers (tooltips) bubble.
  const isOwn = ({ target, currentTarget }: ToggleEvent) => target === currentTarget
  const openBefore = (event: ToggleEvent) => isOwn(event) && event.newState === 'open' && setOpen(true)
  // The panel is unmounted only after the popover has closed: it may contain the focus that the popover restores.
  const closeAfter = (event: ToggleEvent) => isOwn(event) && event.newState === 'closed' && setOpen(false)

  const close = () => popover.current?.hidePopover()

  function reportAndClose() {
    reportFailedLoad()
    close()
  }

  return (
    <>
      <IconButton
        label={badge === null ? 'Notifications' : `Notifications, ${badge} unread`}
        icon={<BellWithBadge badge={badge} />}
        popoverTarget="notifications"
        {...panel.preloadProps}
      />
      <output className="sr-only">{announcement}</output>
      <section
        ref={popover}
        id="notifications"
        aria-labelledby="notifications-title"
        popover="auto"
        onBeforeToggle={openBefore}
        onToggle={closeAfter}
        className="popover-menu fixed inset-x-2 top-nav mt-1 max-h-[calc(100dvh-4.5rem)] w-auto flex-col overflow-hidden rounded-lg border border-line bg-raised text-ink shadow-lg open:flex sm:right-nav-edge sm:left-auto sm:max-h-[min(36rem,calc(100dvh-4.5rem))] sm:w-96"
      >
        {isOpen && (
          <Fetched
            of={panel}
            with={{ unread: unread ?? 0, onClose: close }}
            fallback={<LoadingPanel />}
            onFailed={reportAndClose}
          />
        )}
      </section>
    </>
  )
}

function LoadingPanel() {
  return (
    <div className="grid min-h-40 place-items-center">
      <Spinner />
    </div>
  )
}

function BellWithBadge({ badge }: { badge: string | null }) {
  return (
    <span className="relative grid" aria-hidden="true">
      <Bell />
      {badge !== null && (
        <span
          data-badge
          className="absolute -top-2 left-2.5 grid h-4.5 min-w-4.5 place-items-center rounded-full border-2 border-surface bg-accent px-1 text-[0.6875rem] leading-none font-semibold text-accent-ink tabular-nums"
        >
          {badge}
        </span>
      )}
    </span>
  )
}

const MOST = 9

/** Returns the badge's text, or null without unread notifications. */
export function badgeText(unread: number): string | null {
  if (unread <= 0) return null
  return unread > MOST ? `${MOST}+` : String(unread)
}

/**
 * Returns the announcement for screen readers when the unread count has risen, else an empty string. A count that only rises
 * because the user's own failed change was rolled back is not announced.
 */
function useAnnouncement(unread: number | undefined, isChanging: boolean): string {
  const [known, setKnown] = useState(unread)
  const [text, setText] = useState('')
  if (unread !== known && !isChanging) {
    setKnown(unread)
    const hasRisen = known !== undefined && unread !== undefined && unread > known
    setText(hasRisen ? `New notification. ${unread} unread.` : '')
  }
  return text
}
