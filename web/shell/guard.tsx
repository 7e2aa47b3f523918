import { useState, useSyncExternalStore } from 'react'
import { Outlet, useLocation } from 'react-router'
import { forgetRescued, rescuedText } from '#web/forms/rescued-text.ts'
import { NoIndex } from '#web/head/screen-title.tsx'
import { loginPath } from '#web/identity/redirect.ts'
import { useSession } from '#web/identity/session.tsx'
import { isDialogOpen, useKey } from '#web/ui/controls/keys.ts'
import { dialogOnDemand } from '#web/ui/dialogs/on-demand.tsx'
import { Spinner } from '#web/ui/feedback/loading.tsx'
import { DateContext } from '#web/ui/layout/time.tsx'
import { useNextLocation } from './opening-screen.tsx'
import { Redirect } from './redirect.tsx'

/**
 * Redirects visitors to the sign-in page, which leads back here. If the session ends while another screen is being opened,
 * that one decides: it is where signing in leads to. It is a convenience; the data is protected by the API, which
 * authorizes every call.
 */
export default function Guard() {
  const { status, user, isUnreachable } = useSession()
  const next = useNextLocation()
  const { pathname, search, hash, state } = useLocation()
  const isLeaving = next !== null && next.pathname !== '/login'
  if (status === 'loading' || (status === 'signed-out' && isLeaving))
    return (
      <>
        <NoIndex />
        <SessionSpinner isUnreachable={isUnreachable} />
      </>
    )
  if (status === 'signed-out')
    return (
      <Redirect
        to={loginPath(pathname + search + hash)}
        state={state}
        failure="The sign-in page could not be opened"
      />
    )
  return (
    <>
      <NoIndex />
      <DateContext value={user ?? {}}>
        <Outlet />
      </DateContext>
      <Shortcuts />
      <Rescued personId={user?._id} />
    </>
  )
}

/** Shown until the session is known, which is read again and again while the server is unreachable. */
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

const ShortcutsDialog = dialogOnDemand(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog)

/** Opens the list of shortcuts with the `?` key, unless another dialog is open. Its code is loaded on demand. */
function Shortcuts() {
  const [isOpen, setOpen] = useState(false)
  useKey('?', () => setOpen(!isDialogOpen()))
  return isOpen && <ShortcutsDialog onClose={() => setOpen(false)} />
}

const RescuedDialog = dialogOnDemand(
  async () => (await import('#web/forms/rescued-dialog.tsx')).RescuedDialog,
)

/** Shows what this person typed into a form that is gone, and not saved. */
function Rescued({ personId }: { personId: string | undefined }) {
  const rescued = useSyncExternalStore(rescuedText.subscribe, rescuedText.read, rescuedText.readOnServer)
  return (
    rescued && rescued.personId === personId && <RescuedDialog rescued={rescued} onClose={forgetRescued} />
  )
}
