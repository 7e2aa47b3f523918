import '#web/ui/styles/styles.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, Links, Outlet, Scripts, ScrollRestoration, useLocation } from 'react-router'
import { createQueryClient } from '#web/api/query-client.ts'
import { runCallForVisitor } from '#web/api/run-call.server.ts'
import type { ServerOptions } from '#web/api/server-options.ts'
import { Uploads } from '#web/files/uploads.tsx'
import { PendingChanges } from '#web/forms/pending-changes.tsx'
import { SessionProvider, useSession } from '#web/identity/session.tsx'
import { LiveUpdates } from '#web/live/live-updates.tsx'
import { Announcement } from '#web/shell/announcement.tsx'
import { useAppListeners } from '#web/shell/app-listeners.ts'
import { ErrorScreen } from '#web/shell/error-screen.tsx'
import { announceHydrated } from '#web/shell/hydration.ts'
import { InlineScript } from '#web/shell/inline-scripts.tsx'
import { NavigationBar } from '#web/shell/navigation/navigation-bar.tsx'
import { OpeningScreen } from '#web/shell/opening-screen.tsx'
import { LinkContext } from '#web/ui/controls/link.tsx'
import { Ring } from '#web/ui/feedback/loading.tsx'
import { Toaster } from '#web/ui/feedback/toast.tsx'
import { SkipLink } from '#web/ui/layout/accessibility.tsx'
import { Logo } from '#web/ui/layout/logo.tsx'
import sans from '#web/ui/styles/fonts/sans-latin.woff2?url'
import type { Route } from './+types/root'

export const links: Route.LinksFunction = () => [
  { rel: 'preload', href: sans, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' },
  // For browsers that show no SVG, and for those that ask for it without a link.
  { rel: 'icon', href: '/favicon.ico', sizes: '48x48' },
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
]

/** Loads the server settings that any screen may need. */
export async function loader({ context }: Route.LoaderArgs): Promise<ServerOptions> {
  const [identity, entries] = await Promise.all([
    runCallForVisitor(context, 'readIdentityOptions', {}),
    runCallForVisitor(context, 'readEntryOptions', {}),
  ])
  return { identity, entries }
}

/** The settings are fixed when the server starts; no navigation fetches them again. */
export const shouldRevalidate = () => false

/** The document around every screen, including the error screen. */
export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1, interactive-widget=resizes-content"
        />
        <meta name="theme-color" content="#f9f7f1" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#121820" media="(prefers-color-scheme: dark)" />
        <InlineScript run="applyTheme" />
        <InlineScript run="markStoredSession" />
        <InlineScript run="loadFonts" />
        <InlineScript run="forbidEval" />
        <InlineScript run="reportMissingScripts" />
        <Links />
      </head>
      <body>
        <App>{children}</App>
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  )
}

function App({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient)
  useEffect(announceHydrated, [])
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
                {children}
              </main>
            </div>
          </OpeningScreen>
          <LoadingScreen />
          <RouteAnnouncer />
          <LiveUpdates />
          <PendingChanges />
          <Uploads />
          <Toaster />
        </SessionProvider>
      </LinkContext>
    </QueryClientProvider>
  )
}

export default function Root() {
  return <Outlet />
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorScreen error={error} />
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
