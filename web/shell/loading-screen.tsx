import { useEffect } from 'react'
import { useSession } from '#web/identity/session.tsx'
import { Ring } from '#web/ui/feedback/loading.tsx'
import { Logo } from '#web/ui/layout/logo.tsx'

/**
 * Covers the app while a stored session is being restored. It is part of every page but visible only where the script in
 * the head found a session, even before hydration, and never to a visitor. It goes away when the server is unreachable,
 * so that a public page can still be read.
 */
export function LoadingScreen() {
  const { status, isUnreachable } = useSession()
  const isOver = status !== 'loading' || isUnreachable

  useEffect(() => {
    if (isOver) delete document.documentElement.dataset.session
  }, [isOver])

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
