import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { NavigationType, useBlocker, useNavigate, useNavigation } from 'react-router'
import { useSession } from '#web/identity/session.tsx'
import { NextLocation } from '#web/shell/next-location.ts'
import { historyLayers } from '#web/ui/dialogs/history-layers.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { fetchCode, MissingCode, missingCode, prefetchScreens, savesData } from './screen-code.ts'

/**
 * Blocks a navigation until the code of the next screen is in the browser's cache. A screen
 * whose import fails would replace the one that is shown, and some browsers do not repeat a failed import. Also shows that a screen is being
 * opened, and prefetches the code of the signed-in screens.
 */
export function OpeningScreen({ children }: { children: ReactNode }) {
  const { user } = useSession()
  const navigate = useNavigate()
  const navigation = useNavigation()
  const isReplacing = useRef(false)
  const isSignedIn = user !== null
  const blocker = useBlocker(({ nextLocation, historyAction }) => {
    isReplacing.current = historyAction === NavigationType.Replace
    return missingCode(nextLocation.pathname).length > 0
  })
  const next = blocker.location ?? navigation.location ?? null

  const open = useEffectEvent(async (signal: AbortSignal) => {
    const { location, proceed, reset } = blocker
    if (!location || !proceed || !reset) return
    try {
      await fetchCode(missingCode(location.pathname), { signal })
      if (!signal.aborted) proceed()
    } catch (error) {
      if (signal.aborted) return
      const { pathname, search, hash, state } = location
      // A menu may still be removing its history entry.
      if (error instanceof MissingCode)
        return historyLayers().leave(() => {
          if (!signal.aborted) window.location.assign(pathname + search + hash)
        })
      const replace = isReplacing.current
      reset()
      // The guard shows the failure, and replaces the screen that needs a session.
      if (!isSignedIn && replace && pathname === '/login') return
      toast.error('This page could not be opened. Check your connection, then try again.', {
        label: 'Try again',
        run: () => void navigate({ pathname, search, hash }, { state, replace }),
      })
    }
  })

  useEffect(() => {
    if (blocker.state !== 'blocked') return undefined
    const abort = new AbortController()
    void open(abort.signal)
    return () => abort.abort()
  }, [blocker])

  useEffect(() => (isSignedIn && !savesData() ? prefetchScreens() : undefined), [isSignedIn])

  return (
    <NextLocation value={next}>
      {children}
      <output aria-live="polite">
        {next && (
          <span className="fixed inset-x-0 top-0 z-50 h-0.5 animate-appear overflow-hidden">
            <span className="block h-full w-1/3 animate-opening bg-accent" />
            <VisuallyHidden>Opening the page</VisuallyHidden>
          </span>
        )}
      </output>
    </NextLocation>
  )
}
