import { Link } from 'react-router'
import { loginPath, registerPath } from '#web/identity/redirect.ts'
import { useSession } from '#web/identity/session.tsx'

const linkClass = 'rounded-sm font-semibold text-accent hover:text-accent-strong pointer-coarse:py-2'

/** Which account will answer; for somebody without one here, the ways to it and back. */
export function WaysIn({ path }: { path: string }) {
  const { user } = useSession()
  if (user) {
    return (
      <p className="mt-4 text-center text-sm text-muted">
        You are signed in with <b className="font-semibold">{user.email}</b>.
      </p>
    )
  }
  return (
    <p className="mt-4 text-center text-sm text-muted">
      To accept, use the account of the address that was invited:{' '}
      <Link to={loginPath(path)} className={linkClass}>
        Sign In
      </Link>{' '}
      or{' '}
      <Link to={registerPath(path)} className={linkClass}>
        Create an account
      </Link>
    </p>
  )
}
