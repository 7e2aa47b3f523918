import { useState } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { NoIndex } from '#web/head/screen-title.tsx'
import { loginPath } from '#web/identity/redirect.ts'
import { useSession } from '#web/identity/session.tsx'
import { dialogOnDemand } from '#web/ui/dialog-on-demand.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { useKey } from '#web/ui/use-key.ts'

/**
 * Lets signed-in people through and sends everybody else to the sign-in page, and back afterwards. It spares
 * people a useless screen; what protects their data is the API, which authorizes every call.
 */
export default function Guard() {
  const { status } = useSession()
  const { pathname, search, hash, state } = useLocation()
  if (status === 'loading')
    return (
      <>
        <NoIndex />
        <Waiting />
      </>
    )
  if (status === 'signed-out') {
    return <Navigate to={loginPath(pathname + search + hash)} state={state} replace />
  }
  return (
    <>
      <NoIndex />
      <Outlet />
      <Shortcuts />
    </>
  )
}

/** Stands where a screen will be. */
function Waiting() {
  return (
    <div className="grid min-h-[60dvh] place-items-center">
      <title>Milepost</title>
      <Spinner />
    </div>
  )
}

const ShortcutsDialog = dialogOnDemand(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog)

/** Opens the list of shortcuts at the `?` key, unless another dialog is open. Nobody else downloads it. */
function Shortcuts() {
  const [isOpen, setOpen] = useState(false)
  useKey('?', () => setOpen(document.querySelector('[role$=dialog], dialog') === null))
  return isOpen && <ShortcutsDialog onClose={() => setOpen(false)} />
}
