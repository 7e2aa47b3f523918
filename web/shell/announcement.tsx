import { useQuery } from '@tanstack/react-query'
import { Info, X } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import type { IdentityOptions } from '#contract/identity.ts'
import { readStored, store } from '#web/api/browser-storage.ts'
import { request } from '#web/api/client.ts'
import { useServerOptions } from '#web/api/server-options.ts'
import { useSession } from '#web/identity/session.tsx'
import { IconButton } from '#web/ui/controls/button.tsx'

const FRESH_MS = 5 * 60_000
const KEY = 'announcementDismissed'
/** The pages for signing in. */
const AUTH_PATHS = /^\/(login|register|forgot-password|reset-password)\b/

/**
 * The announcement of the administrators, for signed-in users and on the pages for signing in, until it is dismissed in this
 * browser.
 */
export function Announcement() {
  const isSignedIn = useSession().status === 'signed-in'
  const { pathname } = useLocation()
  const announcement = useAnnouncement(isSignedIn)
  const [dismissed, setDismissed] = useState('')
  const stored = useSyncExternalStore(noChanges, readDismissed, () => null)
  if (!announcement || [dismissed, stored].includes(announcement.id)) return null
  if (!isSignedIn && !AUTH_PATHS.test(pathname)) return null

  function dismiss(id: string) {
    storeDismissed(id)
    setDismissed(id)
  }

  return (
    <section
      aria-label="Message from the administrators"
      data-print="hidden"
      className="mx-auto max-w-wide px-4 pt-3 sm:px-6"
    >
      <div className="flex items-start gap-2.5 rounded-md border border-line bg-sunken py-1.5 pr-1.5 pl-3.5 text-sm">
        <Info className="mt-1.5 size-4 shrink-0 text-accent" aria-hidden="true" />
        <p className="min-w-0 flex-1 py-1 wrap-anywhere">
          <bdi>{announcement.text}</bdi>
        </p>
        <IconButton label="Dismiss" icon={<X />} size="sm" onClick={() => dismiss(announcement.id)} />
      </div>
    </section>
  )
}

/** Invalidate this key after changing the announcement. */
export const announcementKey = ['identity-options']

/** Returns the announcement that was sent with the page; for a signed-in user it is refetched every five minutes. */
function useAnnouncement(isSignedIn: boolean): IdentityOptions['announcement'] {
  const sent = useServerOptions()?.identity
  const { data = sent } = useQuery({
    queryKey: announcementKey,
    queryFn: () => request('readIdentityOptions', {}),
    initialData: sent,
    enabled: isSignedIn,
    staleTime: FRESH_MS,
    refetchInterval: FRESH_MS,
  })
  return data?.announcement
}

const readDismissed = () => readStored(KEY)

const storeDismissed = (id: string) => void store(KEY, id)

const noChanges = () => () => undefined
