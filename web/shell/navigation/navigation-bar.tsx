import { clsx } from 'clsx'
import { PenLine } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { Link, NavLink, useLocation, useNavigate } from 'react-router'
import { readToken } from '#web/api/token.ts'
import { type Composition, compose, hostComposer } from '#web/commands/compose.ts'
import { useCommand } from '#web/commands/use-command.ts'
import { Write } from '#web/composer/dialogs.ts'
import { loginPath } from '#web/identity/redirect.ts'
import { useSession } from '#web/identity/session.tsx'
import { markComposerInterrupted, takeInterruptedComposer } from '#web/saving/interrupted.ts'
import { Tooltip } from '#web/ui/controls/tooltip.tsx'
import { Fetched, onDemand } from '#web/ui/dialogs/on-demand.tsx'
import { Wordmark } from '#web/ui/layout/logo.tsx'
import { DateContext } from '#web/ui/layout/time.tsx'
import { barClass, barContentClass, SignInLinks } from './bar-parts.tsx'
import { Commands } from './commands.tsx'
import { InvitationMark, logLoadFailure } from './invitation-mark.tsx'
import { MobileMenu, UserMenu } from './menus.tsx'
import { ThemeToggle } from './theme-toggle.tsx'

/** Loaded on demand, so that visitors do not download it. */
const bell = onDemand(async () => (await import('#web/notifications/notification-bell.tsx')).NotificationBell)

const linkClass =
  'relative rounded-md px-3 py-2 text-sm font-medium text-muted hover:text-ink aria-[current=page]:text-ink aria-[current=page]:after:absolute aria-[current=page]:after:inset-x-3 aria-[current=page]:after:-bottom-[0.5625rem] aria-[current=page]:after:border-b-2 aria-[current=page]:after:border-accent'

/** The navigation bar at the top of every screen. */
export function NavigationBar() {
  const { user } = useSession()
  return (
    <header className={barClass} data-print="hidden">
      {/* With large text in a narrow window, buttons are no wider than a finger needs. */}
      <nav
        aria-label="Main"
        className={clsx(barContentClass, '@container [&_[popovertarget]]:max-w-[max(15vw,44px)]')}
      >
        <Link
          to="/"
          className={clsx(
            'mr-auto -ml-1.5 flex min-h-11 min-w-8 items-center overflow-hidden rounded-sm px-1.5',
            // Beside a signed-in user's buttons, the narrowest windows have only enough space for the mark.
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
        {user && (
          // What opens from the bar is above the screens, and so outside of their preferences.
          <DateContext key={user._id} value={user}>
            <Commands />
            <WriteButton />
            <Fetched
              of={bell}
              with={{}}
              fallback={<span className="size-10 pointer-coarse:size-11" />}
              onFailed={logLoadFailure}
            />
          </DateContext>
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

const SIGN_IN_PATHS = new Set(['/login', '/register'])

/** With large text in a narrow window, the word wraps to a hidden line, and only the pen remains. */
const buttonClass =
  'inline-flex h-10 min-w-9.5 flex-wrap content-start gap-x-2 overflow-hidden rounded-md px-2.5 text-sm font-semibold text-accent *:h-10 hover:bg-hover hover:text-accent-strong pointer-coarse:h-11 pointer-coarse:*:h-11 [&_span]:leading-10 pointer-coarse:[&_span]:leading-11 [&_svg]:w-4.5'

/**
 * Opens the composer from anywhere, like the key `c`, and shows it for every other caller of `compose`. A composer that was
 * closed by the end of the session reopens after signing in.
 */
function WriteButton() {
  const personId = useSession().user?._id
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()
  const [shown, setShown] = useState<{ composition: Composition } | null>(null)

  const remember = useEffectEvent(() => {
    if (!shown || readToken() !== null) return
    markComposerInterrupted({ personId, ...shown })
    // On a public page, no guard redirects to the sign-in page.
    void navigate(loginPath(pathname + search + hash), { replace: true })
  })

  useEffect(() => {
    const show = (composition: Composition) => setShown({ composition })
    return hostComposer({ show, preload: Write.preloadProps.onFocus })
  }, [])
  useEffect(() => () => remember(), [])
  useEffect(() => {
    // Signing in redirects to the page on which the session ended.
    const interrupted = SIGN_IN_PATHS.has(pathname) ? null : takeInterruptedComposer<Composition>(personId)
    if (interrupted) compose(interrupted.composition)
  }, [pathname, personId])
  useCommand('write', () => setShown({ composition: null }))

  return (
    <>
      <Tooltip text="Write (c)" className="min-w-9.5 shrink-99">
        <button
          type="button"
          aria-keyshortcuts="c"
          className={buttonClass}
          {...Write.preloadProps}
          onClick={() => setShown({ composition: null })}
        >
          <PenLine aria-hidden="true" />
          <span>Write</span>
        </button>
      </Tooltip>
      {shown && <Write composition={shown.composition} onClose={() => setShown(null)} />}
    </>
  )
}
