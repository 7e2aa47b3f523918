import { Bell } from 'lucide-react'
import { type ToggleEvent, useRef, useState } from 'react'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Fetched, notFetched, onDemand } from '#web/ui/on-demand.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { toast } from '#web/ui/toast.ts'
import { useNavigationCloses } from '#web/ui/use-navigation-closes.ts'
import { useUnreadCount } from './queries.ts'

/** Nobody downloads it before they come near the bell. */
const panel = onDemand(async () => (await import('./notification-panel.tsx')).NotificationPanel)

/** The bell with the number of unread notifications, and the list of them in a native popover under it. */
export function NotificationBell() {
  const unread = useUnreadCount()
  const badge = badgeText(unread ?? 0)
  const announcement = useAnnouncement(unread)
  const [isOpen, setOpen] = useState(false)
  const popover = useRef<HTMLElement>(null)
  useNavigationCloses(popover)

  // React has the events of popovers within this one, its tooltips, bubble up to it.
  const isOwn = ({ target, currentTarget }: ToggleEvent) => target === currentTarget
  const openBefore = (event: ToggleEvent) => isOwn(event) && event.newState === 'open' && setOpen(true)
  // The list leaves the page only once the popover is closed: until then it may hold the focus to be given back.
  const closeAfter = (event: ToggleEvent) => isOwn(event) && event.newState === 'closed' && setOpen(false)

  const close = () => popover.current?.hidePopover()

  function giveUp() {
    toast.error(notFetched)
    close()
  }

  return (
    <>
      <IconButton
        label={badge === null ? 'Notifications' : `Notifications, ${badge} unread`}
        icon={<BellWithBadge badge={badge} />}
        popoverTarget="notifications"
        {...panel.near}
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
            coming={<ComingPanel />}
            onFailed={giveUp}
          />
        )}
      </section>
    </>
  )
}

function ComingPanel() {
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

/** What the bell's badge says of so many unread notifications; null: there is no badge. */
export function badgeText(unread: number): string | null {
  if (unread <= 0) return null
  return unread > MOST ? `${MOST}+` : String(unread)
}

/** What to tell, once, when there are more unread notifications than a moment ago; empty when there is nothing to tell. */
function useAnnouncement(unread: number | undefined): string {
  const [known, setKnown] = useState(unread)
  const [text, setText] = useState('')
  if (unread !== known) {
    setKnown(unread)
    const isNews = known !== undefined && unread !== undefined && unread > known
    setText(isNews ? `New notification. ${unread} unread.` : '')
  }
  return text
}
