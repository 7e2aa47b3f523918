import '#web/ui/styles/styles.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, type LoaderFunctionArgs } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { createQueryClient } from '#web/api/query-client.ts'
import { type ServerOptions, ServerOptionsContext } from '#web/api/server-options.ts'
import { followTranslations } from '#web/boot/follow-translations.ts'
import { Uploads } from '#web/files/uploads.tsx'
import { PendingChanges } from '#web/forms/pending-changes.tsx'
import { SessionProvider, useSession } from '#web/identity/session.tsx'
import { LiveUpdates } from '#web/live/live-updates.tsx'
import { Announcement } from '#web/shell/announcement.tsx'
import { useAppListeners } from '#web/shell/app-listeners.ts'
import { loadDocument } from '#web/shell/load-document.ts'
import { takeFailedSignOut } from '#web/shell/navigation/failed-sign-out.ts'
import { NavigationBar } from '#web/shell/navigation/navigation-bar.tsx'
import { Toaster, toast } from '#web/ui/feedback/toast.tsx'

/** Mounts the app's navigation bar on a public page, in place of that for visitors. Its links load documents. */
export function mountBar(): void {
  const bar = document.getElementById('bar')
  const options = document.getElementById('server-options')?.textContent
  if (!bar || !options) throw new Error('This is no public page')
  const page = window.location.pathname + window.location.search
  const router = createBrowserRouter(
    [
      {
        id: 'root',
        path: '*',
        element: (
          <ServerOptionsContext value={JSON.parse(options) as ServerOptions}>
            <Member />
          </ServerOptionsContext>
        ),
        loader: ({ request }: LoaderFunctionArgs) => leave(request.url, page),
      },
    ],
    { hydrationData: { loaderData: { root: null } } },
  )
  followTranslations()
  createRoot(bar).render(<RouterProvider router={router} />)
  if (takeFailedSignOut()) toast.error('Logout failed')
}

function leave(url: string, page: string) {
  const { pathname, search } = new URL(url)
  return pathname + search === page ? null : loadDocument(url)
}

function Member() {
  const [queryClient] = useState(createQueryClient)
  useAppListeners()
  return (
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        <SessionMark />
        <NavigationBar />
        {createPortal(<Announcement />, document.getElementById('announcement') ?? document.body)}
        <LiveUpdates />
        <PendingChanges />
        <Uploads />
        <Toaster />
      </SessionProvider>
    </QueryClientProvider>
  )
}

/**
 * The mark of the session on the document: while it is `stored`, the Loading screen covers the page; `signed-in` shows what is for
 * members. If the server is unreachable, the page can be read as a visitor.
 */
function SessionMark() {
  const { status, isUnreachable } = useSession()

  useEffect(() => {
    const { dataset } = document.documentElement
    if (status === 'signed-in') dataset.session = 'signed-in'
    else if (status === 'signed-out' || isUnreachable) delete dataset.session
  }, [status, isUnreachable])

  return null
}
