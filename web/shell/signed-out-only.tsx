import { useEffect } from 'react'
import { Navigate, Outlet, useLocation, useSearchParams } from 'react-router'
import { safeRedirect } from '#web/identity/redirect.ts'
import { useSession } from '#web/identity/session.tsx'

/** The layout of the auth pages: redirects signed-in users to the page that signing in would have opened. */
export default function SignedOutOnly() {
  const { status, prepare } = useSession()
  const [search] = useSearchParams()
  const { state } = useLocation()
  useEffect(() => {
    if (status === 'signed-out') prepare()
  }, [status, prepare])
  if (status === 'signed-in') {
    return <Navigate to={safeRedirect(search.get('redirect'))} state={state} replace />
  }
  return <Outlet />
}
