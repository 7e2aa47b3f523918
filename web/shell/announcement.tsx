import { Megaphone, X } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import type { IdentityOptions } from '#contract/identity.ts'
import { request } from '#web/api/client.ts'
import { useServerOptions } from '#web/api/server-options.ts'
import { useSession } from '#web/identity/session.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'

const FRESH_MS = 5 * 60_000
const KEY = 'announcementDismissed'
/** The pages on which people are about to be signed in. */
const ENTRANCES = /^\/(login|register|forgot-password|reset-password)\b/

/** What the administrators tell everybody who is signed in or about to be, until it is dismissed in this browser. */
export function Announcement() {
  const isSignedIn = useSession().status === 'signed-in'
  const { pathname } = useLocation()
  const announcement = useAnnouncement(isSignedIn)
  const dismissed = useSyncExternalStore(subscribe, readDismissed, () => null)
  if (!announcement || announcement.id === dismissed) return null
  if (!isSignedIn && !ENTRANCES.test(pathname)) return null

  function dismiss(id: string) {
    storeDismissed(id)
    // The button that had it is gone.
    document.getElementById('main')?.focus({ preventScroll: true })
  }

  return (
    <section
      aria-label="Message from the administrators"
      data-print="hidden"
      className="mx-auto max-w-wide px-4 pt-3 sm:px-6"
    >
      <div className="flex items-start gap-2.5 rounded-md border border-line bg-sunken py-1.5 pr-1.5 pl-3.5 text-sm">
        <Megaphone className="mt-1.5 size-4 shrink-0 text-accent" aria-hidden="true" />
        <p className="min-w-0 flex-1 py-1 wrap-anywhere">
          <bdi>{announcement.text}</bdi>
        </p>
        <IconButton label="Dismiss" icon={<X />} size="sm" onClick={() => dismiss(announcement.id)} />
      </div>
    </section>
  )
}

/** The announcement of the page as it was sent, and for somebody signed in as it is now, read again every five minutes. */
function useAnnouncement(isSignedIn: boolean): IdentityOptions['announcement'] {
  const sent = useServerOptions()?.identity
  const [current, setCurrent] = useState<IdentityOptions>()

  useEffect(() => {
    if (!isSignedIn) return undefined
    let readAt = Date.now()
    const read = () => {
      readAt = Date.now()
      // Without an answer, the next turn asks again.
      request('readIdentityOptions', {}).then(setCurrent, () => undefined)
    }
    const readWhereSeen = () => {
      if (!document.hidden && Date.now() - readAt >= FRESH_MS) read()
    }
    const timer = setInterval(readWhereSeen, FRESH_MS)
    addEventListener('visibilitychange', readWhereSeen)
    readers.add(read)
    return () => {
      clearInterval(timer)
      removeEventListener('visibilitychange', readWhereSeen)
      readers.delete(read)
    }
  }, [isSignedIn])

  return (current ?? sent)?.announcement
}

const readers = new Set<() => void>()

/** Reads it again now: somebody has changed it here. */
export const refreshAnnouncement = () => readers.forEach((read) => read())

const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Where the browser forbids storage, for as long as the page is open. */
let unstored: string | null = null

function readDismissed(): string | null {
  try {
    return localStorage.getItem(KEY) ?? unstored
  } catch {
    return unstored
  }
}

function storeDismissed(id: string) {
  unstored = id
  try {
    localStorage.setItem(KEY, id)
  } catch {
    // It comes back with the next page.
  }
  for (const listener of listeners) listener()
}
