import { FolderOpen, LogIn, Search, Users } from 'lucide-react'
import { useRef } from 'react'
import { NavLink } from 'react-router'
import { useSession } from '#web/identity/session.tsx'
import { IconButton } from '#web/ui/controls/button.tsx'
import { Tooltip } from '#web/ui/controls/tooltip.tsx'
import { menuRowClass } from '#web/ui/dialogs/menu-row.ts'
import { useNavigationCloses } from '#web/ui/dialogs/use-history-layer.ts'
import { Avatar } from '#web/ui/layout/avatar.tsx'
import { MenuIcon, mobileMenuClass, RegisterRow } from './bar-parts.tsx'
import { InvitationMark } from './invitation-mark.tsx'
import {
  AdministrationRow,
  Divider,
  type Person,
  SettingsRow,
  SignOutRow,
  TrashRow,
  UserDetails,
} from './menu-rows.tsx'
import { LabelledThemeToggle } from './theme-toggle.tsx'

/** The signed-in user's menu, a native popover below its button. */
export function UserMenu({ person }: { person: Person }) {
  const popover = useRef<HTMLDivElement>(null)
  useNavigationCloses(popover)
  return (
    <>
      <Tooltip text="User menu">
        <button
          type="button"
          aria-label="User menu"
          popoverTarget="user-menu"
          className="grid size-10 place-items-center rounded-full hover:bg-hover"
        >
          <Avatar
            name={person.name || person.email}
            pictureURL={person.photoURL}
            className="size-8 text-sm"
          />
        </button>
      </Tooltip>
      <div
        ref={popover}
        id="user-menu"
        popover="auto"
        className="popover-menu fixed top-nav right-nav-edge mt-1 w-64 rounded-lg border border-line bg-raised p-1.5 text-ink shadow-lg"
      >
        <UserDetails person={person} />
        <Divider />
        <SettingsRow />
        {person.isAdmin && <AdministrationRow />}
        <TrashRow />
        <SignOutRow />
      </div>
    </>
  )
}

/** The navigation bar's content as a menu, on narrow screens. */
export function MobileMenu() {
  const { user } = useSession()
  const popover = useRef<HTMLDivElement>(null)
  useNavigationCloses(popover)
  return (
    <>
      <IconButton
        label="Menu"
        icon={
          <span className="relative grid">
            <MenuIcon />
            <span className="absolute -top-1 -right-1 flex">{user && <InvitationMark />}</span>
          </span>
        }
        popoverTarget="mobile-menu"
      />
      <div ref={popover} id="mobile-menu" popover="auto" className={mobileMenuClass}>
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
              <InvitationMark />
            </NavLink>
            <NavLink to="/search" className={menuRowClass}>
              <Search aria-hidden="true" />
              Search
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
            <SettingsRow />
            {user.isAdmin && <AdministrationRow />}
            <TrashRow />
            <SignOutRow />
          </>
        )}
        {!user && <RegisterRow />}
      </div>
    </>
  )
}
