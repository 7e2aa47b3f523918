import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link, Outlet, type RouteObject, ScrollRestoration, useLocation, useRouteError } from 'react-router'
import { createQueryClient } from '#web/api/query-client.ts'
import { Uploads } from '#web/files/uploads.tsx'
import { PendingChanges } from '#web/forms/pending-changes.tsx'
import { ProofGate } from '#web/identity/proof/proof-gate.tsx'
import { SessionProvider, useSession } from '#web/identity/session.tsx'
import { LiveUpdates } from '#web/live/live-updates.tsx'
import { Announcement } from '#web/shell/announcement.tsx'
import { useAppListeners } from '#web/shell/app-listeners.ts'
import { ErrorScreen } from '#web/shell/error-screen.tsx'
import { NavigationBar } from '#web/shell/navigation/navigation-bar.tsx'
import { LinkContext } from '#web/ui/controls/link.tsx'
import { Ring } from '#web/ui/feedback/loading.tsx'
import { Toaster } from '#web/ui/feedback/toast.tsx'
import { SkipLink } from '#web/ui/layout/accessibility.tsx'
import { Logo } from '#web/ui/layout/logo.tsx'
import { announceHydrated } from './hydration.ts'
import { scrollWhenLoaded } from './late-scroll.ts'
import { OpeningScreen } from './opening-screen.tsx'
import { screens } from './screens.ts'

/** The app: a screen that fails is replaced, not what is around it. */
export const routes: RouteObject[] = [
  {
    id: 'app',
    Component: App,
    ErrorBoundary: Failed,
    children: [{ id: 'screen', ErrorBoundary: Failed, children: screens }],
  },
]

function Failed() {
  return <ErrorScreen error={useRouteError()} />
}

function App() {
  const [queryClient] = useState(createQueryClient)
  useEffect(announceHydrated, [])
  useEffect(scrollWhenLoaded, [])
  useAppListeners()
  return (
    <QueryClientProvider client={queryClient}>
      <LinkContext value={Link}>
        <SessionProvider>
          <OpeningScreen>
            <div className="in-data-[session=stored]:invisible">
              <SkipLink />
              <NavigationBar />
              <main id="main" tabIndex={-1} className="pt-nav outline-none print:pt-0">
                <Announcement />
                <Outlet />
              </main>
            </div>
          </OpeningScreen>
          <LoadingScreen />
          <RouteAnnouncer />
          <LiveUpdates />
          <PendingChanges />
          <Uploads />
          <ProofGate />
          <Toaster />
          <ScrollRestoration />
        </SessionProvider>
      </LinkContext>
    </QueryClientProvider>
  )
}

/**
 * Covers the app while a stored session is being restored. It is part of every page, but visible only if the script in the head
 * found a session, even before hydration, and never to a visitor. It is hidden if the server is unreachable, so that a public
 * page can still be read.
 */
function LoadingScreen() {
  const { status, isUnreachable } = useSession()

  useEffect(() => {
    if (status !== 'loading' || isUnreachable) delete document.documentElement.dataset.session
  }, [status, isUnreachable])

  return (
    <output className="fixed inset-0 z-40 hidden place-content-center justify-items-center gap-4 bg-surface text-ink in-data-[session=stored]:grid">
      <Logo className="size-12" />
      <span className="flex animate-appear items-center gap-2 text-muted">
        <Ring className="text-accent" />
        Loading
      </span>
    </output>
  )
}

/**
 * Does on a client-side navigation what a browser does on a full page load: moves the focus to the main content, unless the new
 * page has restored it to the link that was followed from there, or put it into its search box, and makes screen readers announce the title.
 */
function RouteAnnouncer() {
  const { pathname } = useLocation()
  const previous = useRef(pathname)
  const [title, setTitle] = useState('')

  useEffect(() => {
    if (previous.current === pathname) return
    previous.current = pathname
    if (!document.activeElement?.matches('[data-focus-returns], [data-takes-focus]'))
      document.getElementById('main')?.focus({ preventScroll: true })
    setTitle(document.title)
  }, [pathname])

  return (
    <div aria-live="polite" aria-atomic="true" className="sr-only">
      {title}
    </div>
  )
}
