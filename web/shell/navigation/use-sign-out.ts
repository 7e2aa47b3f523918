import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { mayHoldUploads } from '#web/files/pending.ts'
import { useSession } from '#web/identity/session.tsx'
import { historyLayers } from '#web/ui/dialogs/history-layers.ts'
import { noteFailedSignOut } from './failed-sign-out.ts'

/** The next page ends the requests of this one, so changes get this long to be saved first. */
const SAVING_MS = 5_000
const REACHABLE_MS = 5_000

/**
 * Returns a function that ends the session and, once the server has confirmed it, loads the landing page, or reloads it if it is
 * already shown. After a failure, the landing page says so; if it cannot be loaded either, this page does.
 */
export function useSignOut() {
  const { user, leave, stay } = useSession()
  const queryClient = useQueryClient()
  const userId = user?._id

  return async function signOut() {
    const uncover = cover()
    await changesSettled(queryClient, SAVING_MS)
    uncover()
    const { href } = window.location
    const ended = leave()
    if (userId !== undefined && mayHoldUploads()) await forgetUploads(userId)
    const isConfirmed = await ended
    const loads = isConfirmed || (await canLoadElsewhere())
    // Nothing that was typed on another screen meanwhile is discarded.
    if (!loads || window.location.href !== href) return stay()
    if (!isConfirmed) noteFailedSignOut()
    // The menu may still be removing its history entry.
    historyLayers().leave(() => loadLandingPage(href))
  }
}

function loadLandingPage(from: string) {
  if (window.location.href !== from) return
  if (isOnLandingPage()) window.location.reload()
  else window.location.assign('/')
}

const isOnLandingPage = () => window.location.pathname === '/'

/** Shows the Loading screen instead of the page. */
function cover(): () => void {
  const { dataset } = document.documentElement
  const { session } = dataset
  dataset.session = 'stored'
  return () => {
    if (session === undefined) delete dataset.session
    else dataset.session = session
  }
}

/** Resolves once no change is being sent to the server, or after a while. */
function changesSettled(queryClient: QueryClient, withinMs: number): Promise<void> {
  const isOver = () => queryClient.isMutating() === 0
  if (isOver()) return Promise.resolve()
  return new Promise((resolve) => {
    const stop = queryClient.getMutationCache().subscribe(() => isOver() && finish())
    const timer = setTimeout(finish, withinMs)
    function finish() {
      clearTimeout(timer)
      stop()
      resolve()
    }
  })
}

/** Removes the files that were not uploaded yet from this browser. */
async function forgetUploads(userId: string) {
  try {
    await (await import('#web/files/page-uploads.ts')).endUploads(userId, true)
  } catch (error) {
    // oxlint-disable-next-line no-console -- the next person to sign in here cannot read them
    console.warn(error)
  }
}

/** Whether the landing page can be loaded: a browser would replace this page by its own error page. It is already shown there. */
async function canLoadElsewhere(): Promise<boolean> {
  if (isOnLandingPage()) return false
  try {
    const { ok } = await fetch('/', { method: 'HEAD', signal: AbortSignal.timeout(REACHABLE_MS) })
    return ok
  } catch {
    return false
  }
}
