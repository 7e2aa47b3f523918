import { useEffect } from 'react'
import { Outlet, useLocation, useSearchParams } from 'react-router'
import { safeRedirect } from '#web/identity/redirect.ts'
import { useSession } from '#web/identity/session.tsx'
import { Redirect } from './redirect.tsx'

/** The layout of the auth pages: redirects signed-in users to where signing in would have led. */
export default function SignedOutOnly() {
  const { status, prepare } = useSession()
  const [search] = useSearchParams()
  const { state } = useLocation()
  useEffect(() => {
    if (status === 'signed-out') prepare()
  }, [status, prepare])
  if (status === 'signed-in') {
    return (
      <Redirect
        to={safeRedirect(search.get('redirect'))}
        state={state}
        failure="You are signed in, but the page could not be opened"
      />
    )
  }
  return <Outlet />
}
