import { clsx } from 'clsx'
import { Link, NavLink } from 'react-router'
import { useSession } from '#web/identity/session.tsx'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { Fetched, onDemand } from '#web/ui/dialogs/on-demand.tsx'
import { Wordmark } from '#web/ui/layout/logo.tsx'
import { InvitationMark, logMissing, MobileMenu, ThemeToggle, UserMenu } from './menus.tsx'
import { WriteButton } from './write-button.tsx'

/** Loaded on demand, so that visitors do not download it. */
const bell = onDemand(async () => (await import('#web/notifications/notification-bell.tsx')).NotificationBell)

const linkClass =
  'relative rounded-md px-3 py-2 text-sm font-medium text-muted hover:text-ink aria-[current=page]:text-ink aria-[current=page]:after:absolute aria-[current=page]:after:inset-x-3 aria-[current=page]:after:-bottom-[0.5625rem] aria-[current=page]:after:border-b-2 aria-[current=page]:after:border-accent'

/** Its rule fades out at both ends: what is kept for a scrollbar at the window's edge shows nothing but a colour. */
const barClass =
  'fixed inset-x-0 top-0 z-30 h-nav bg-surface after:absolute after:inset-x-0 after:bottom-0 after:h-px after:bg-linear-to-r after:from-transparent after:via-line after:from-0% after:via-8% after:to-transparent after:to-100%'

/** The navigation bar at the top of every screen. */
export function NavigationBar() {
  const { user } = useSession()
  return (
    <header className={barClass} data-print="hidden">
      <nav
        aria-label="Main"
        className="mx-auto flex h-full max-w-wide items-center gap-1 px-[min(1rem,5vw)] sm:px-6"
      >
        <Link
          to="/"
          className={clsx(
            'mr-auto flex min-w-7 overflow-hidden rounded-sm',
            // Beside the buttons of somebody signed in, the narrowest windows have room for the mark alone.
            user && 'max-[22rem]:[&_svg+span]:sr-only',
          )}
        >
          <Wordmark />
        </Link>
        <div className="hidden items-center gap-1 md:flex">
          {user && (
            <>
              <NavLink to="/dashboard" className={linkClass}>
                Dashboard
              </NavLink>
              <NavLink to="/collaborations" className={clsx(linkClass, 'inline-flex items-center gap-1.5')}>
                Collaborations
                <InvitationMark />
              </NavLink>
            </>
          )}
          <ThemeToggle />
        </div>
        {user && <WriteButton />}
        {user && (
          <Fetched
            key={user._id}
            of={bell}
            with={{}}
            fallback={<span className="size-10 pointer-coarse:size-11" />}
            onFailed={logMissing}
          />
        )}
        <div className="hidden items-center gap-1 md:flex">
          {user ? <UserMenu person={user} /> : <SignInLinks />}
        </div>
        <div className="md:hidden">
          <MobileMenu />
        </div>
      </nav>
    </header>
  )
}

function SignInLinks() {
  return (
    <>
      <LinkButton to="/login" variant="quiet" size="sm">
        Sign In
      </LinkButton>
      <LinkButton to="/register" variant="primary" size="sm">
        Get Started
      </LinkButton>
    </>
  )
}
