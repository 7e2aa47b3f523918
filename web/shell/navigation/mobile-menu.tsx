import { FolderOpen, LogIn, Menu, Users } from 'lucide-react'
import { useRef } from 'react'
import { NavLink } from 'react-router'
import { useSession } from '#web/identity/session.tsx'
import { LinkButton } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { useNavigationCloses } from '#web/ui/dialogs/use-history-layer.ts'
import { LabelledThemeToggle } from './theme-toggle.tsx'
import { menuRowClass, SignOutRow, UserDetails } from './user-menu.tsx'

function Divider() {
  return <div className="mx-3 my-1.5 border-t border-line" />
}

/** The navigation bar's content as a menu, on narrow screens. */
export function MobileMenu() {
  const { user } = useSession()
  const popover = useRef<HTMLDivElement>(null)
  useNavigationCloses(popover)
  return (
    <>
      <IconButton label="Menu" icon={<Menu />} popoverTarget="mobile-menu" />
      <div
        ref={popover}
        id="mobile-menu"
        popover="auto"
        className="popover-menu fixed inset-x-0 top-nav w-full border-b border-line bg-raised p-2 text-ink shadow-lg"
      >
        {user && (
          <>
            <UserDetails person={user} />
            <Divider />
            <NavLink to="/dashboard" className={menuRowClass}>
              <FolderOpen aria-hidden="true" />
              Dashboard
            </NavLink>
            <NavLink to="/collaborations" className={menuRowClass}>
              <Users aria-hidden="true" />
              Collaborations
            </NavLink>
          </>
        )}
        {!user && (
          <NavLink to="/login" className={menuRowClass}>
            <LogIn aria-hidden="true" />
            Sign In
          </NavLink>
        )}
        <LabelledThemeToggle />
        {user && (
          <>
            <Divider />
            <SignOutRow />
          </>
        )}
        {!user && (
          <LinkButton to="/register" variant="primary" className="mt-2 w-full">
            Get Started
          </LinkButton>
        )}
      </div>
    </>
  )
}
