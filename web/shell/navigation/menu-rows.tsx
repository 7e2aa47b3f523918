import { LogOut, Settings, ShieldCheck, Trash2 } from 'lucide-react'
import { type MouseEvent, useEffect, useRef } from 'react'
import { NavLink, useLocation, useNavigate } from 'react-router'
import type { User } from '#contract/identity.ts'
import { useLeaving } from '#web/identity/leaving.tsx'
import { useSession } from '#web/identity/session.tsx'
import { menuRowClass } from '#web/ui/dialogs/menu.tsx'
import { historyLayers } from '#web/ui/dialogs/use-history-layer.ts'

export type Person = Pick<User, 'name' | 'email' | 'photoURL' | 'isAdmin'>

/** The name and email of the signed-in user. */
export function UserDetails({ person }: { person: Person }) {
  return (
    <div className="min-w-0 px-3 py-2">
      <p dir="auto" className="truncate text-sm font-semibold text-ink">
        {person.name}
      </p>
      <p className="truncate text-sm text-muted">{person.email}</p>
    </div>
  )
}

/** The link of a menu to the settings of the account. */
export function SettingsRow() {
  return (
    <NavLink to="/settings" className={menuRowClass}>
      <Settings aria-hidden="true" />
      Settings
    </NavLink>
  )
}

/** The link of a menu to the trash. */
export function TrashRow() {
  return (
    <NavLink to="/trash" className={menuRowClass}>
      <Trash2 aria-hidden="true" />
      Trash
    </NavLink>
  )
}

/** The link of a menu to the administration of this server. */
export function AdministrationRow() {
  return (
    <NavLink to="/admin" className={menuRowClass}>
      <ShieldCheck aria-hidden="true" />
      Administration
    </NavLink>
  )
}

/** The sign-out button of a menu. */
export function SignOutRow() {
  const signOut = useSignOut()
  const { request, question, preloadProps } = useLeaving(() => void signOut())

  function press({ currentTarget }: MouseEvent<HTMLElement>) {
    // The menu would cover the question.
    currentTarget.closest<HTMLElement>('[popover]')?.hidePopover?.()
    request()
  }

  return (
    <>
      <button type="button" className={menuRowClass} {...preloadProps} onClick={press}>
        <LogOut aria-hidden="true" />
        Sign out
      </button>
      {question}
    </>
  )
}

export function Divider() {
  return <div className="mx-3 my-1.5 border-t border-line" />
}

/**
 * Returns a function that ends the session and navigates to the landing page, or reloads it if it is already shown; after a
 * failure it does not reload, because the toast would be lost with the page.
 */
function useSignOut() {
  const session = useSession()
  const { signOut } = session
  const { key, pathname } = useLocation()
  const navigate = useNavigate()
  const left = useRef<string>(null)

  // The session of this page is cleared only once the landing page, or another that was requested since, is shown: the guard of
  // the previous screen would redirect to /login, and `navigate` resolves before React has rendered the new screen.
  useEffect(() => {
    if (left.current === null || left.current === key) return
    left.current = null
    void signOut()
  }, [key, signOut])

  return async function leave() {
    if (pathname === '/') {
      const isConfirmed = await signOut()
      // The menu may still be removing its history entry. Later pages keep their layers, and what is typed in them.
      if (isConfirmed && isOnLandingPage()) historyLayers().leave(reloadLandingPage)
    } else {
      left.current = key
      session.leave()
      await navigate('/')
    }
  }
}

/** The server may have been slow to confirm, and the user may have navigated since. */
const isOnLandingPage = () => window.location.pathname === '/'

function reloadLandingPage() {
  if (isOnLandingPage()) window.location.reload()
}
