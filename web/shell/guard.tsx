import { Fragment, useState, useSyncExternalStore } from 'react'
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router'
import { dismissRecovered, recoveredText } from '#web/forms/recovered-text.ts'
import { NoIndex } from '#web/head/screen-title.tsx'
import { loginPath } from '#web/identity/redirect.ts'
import { useSession } from '#web/identity/session.tsx'
import { TryAgain } from '#web/ui/controls/try-again.tsx'
import { dialogOnDemand } from '#web/ui/dialogs/on-demand.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Spinner } from '#web/ui/feedback/loading.tsx'
import { DateContext } from '#web/ui/layout/time.tsx'
import { useNextLocation } from './next-location.ts'

/**
 * Redirects visitors to the sign-in page, which redirects back here. If the session ends while another screen is being opened,
 * that screen decides: signing in redirects to it. The guard is only a convenience; the API protects the data by authorizing
 * every call.
 */
export default function Guard() {
  const { status, user, isUnreachable, isLeaving: isSigningOut } = useSession()
  const next = useNextLocation()
  const { pathname, search, hash, state } = useLocation()
  const isLeaving = next !== null && next.pathname !== '/login'
  if (status === 'loading' || isSigningOut || (status === 'signed-out' && isLeaving))
    return (
      <>
        <NoIndex />
        <SessionSpinner isUnreachable={isUnreachable} />
      </>
    )
  if (status === 'signed-out')
    return <ToSignIn path={loginPath(pathname + search + hash)} state={state} isOpening={next !== null} />
  return (
    // In a tab that was suspended, one person may follow another: nothing on the screen is the next one's.
    <Fragment key={user?._id}>
      <NoIndex />
      <DateContext value={user ?? {}}>
        <Outlet />
      </DateContext>
      <RecoveredText personId={user?._id} />
    </Fragment>
  )
}

/** Redirects to the sign-in page, and offers to try again if its code could not be fetched. */
function ToSignIn({ path, state, isOpening }: { path: string; state: unknown; isOpening: boolean }) {
  const navigate = useNavigate()
  const [wasOpening, setWasOpening] = useState(isOpening)
  const [hasFailed, setFailed] = useState(false)
  if (isOpening !== wasOpening) {
    setWasOpening(isOpening)
    setFailed(hasFailed || wasOpening)
  }
  return (
    <>
      <title>Milepost</title>
      <Navigate to={path} state={state} replace />
      {hasFailed && (
        <EmptyState
          drawing="broken"
          heading="h1"
          title="The sign-in page could not be opened"
          action={<TryAgain busy={isOpening} onClick={() => void navigate(path, { state, replace: true })} />}
        >
          Check your connection and try again.
        </EmptyState>
      )}
    </>
  )
}

/** Shown until the session is known; while the server is unreachable, the session is retried. */
function SessionSpinner({ isUnreachable }: { isUnreachable: boolean }) {
  return (
    <div className="grid min-h-[60dvh] place-items-center px-4 text-center">
      <title>Milepost</title>
      <Spinner
        label={isUnreachable ? 'The server cannot be reached at the moment. Trying again…' : 'Loading'}
      />
    </div>
  )
}

const RecoveredTextDialog = dialogOnDemand(
  async () => (await import('#web/forms/recovered-text-dialog.tsx')).RecoveredTextDialog,
)

/** Shows the unsaved text of a form that was closed without the user's action. */
function RecoveredText({ personId }: { personId: string | undefined }) {
  const recovered = useSyncExternalStore(
    recoveredText.subscribe,
    recoveredText.read,
    recoveredText.readOnServer,
  )
  return (
    recovered &&
    recovered.personId === personId && (
      <RecoveredTextDialog recovered={recovered} onClose={dismissRecovered} />
    )
  )
}
