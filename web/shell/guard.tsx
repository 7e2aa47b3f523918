import { Navigate, Outlet, useLocation } from 'react-router'
import { loginPath } from '#web/identity/redirect.ts'
import { useSession } from '#web/identity/session.tsx'
import { NoIndex } from './no-index.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { Waiting } from './waiting.tsx'

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
