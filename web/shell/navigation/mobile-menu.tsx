import { FolderOpen, LogIn, Menu, Users } from 'lucide-react'
import { useRef } from 'react'
import { NavLink } from 'react-router'
import { useSession } from '#web/identity/session.tsx'
import { LinkButton } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { useNavigationCloses } from '#web/ui/use-navigation-closes.ts'
import { LabelledThemeToggle } from './theme-toggle.tsx'
import { menuRowClass, PersonLines, SignOutRow } from './user-menu.tsx'

function Divider() {
  return <div className="mx-3 my-1.5 border-t border-line" />
}

/** Everything of the navigation bar in rows as wide as a thumb likes, on screens too narrow for the bar. */
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
            <PersonLines person={user} />
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
