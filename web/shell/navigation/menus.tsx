import { FolderOpen, LogIn, Search, Users } from 'lucide-react'
import { useRef } from 'react'
import { useSession } from '#web/identity/session.tsx'
import { IconButton } from '#web/ui/controls/button.tsx'
import { Tooltip } from '#web/ui/controls/tooltip.tsx'
import { useNavigationCloses } from '#web/ui/dialogs/use-history-layer.ts'
import { Avatar } from '#web/ui/layout/avatar.tsx'
import { MenuIcon, mobileMenuClass, RegisterRow } from './bar-parts.tsx'
import { InvitationMark } from './invitation-mark.tsx'
import { AccountRows, Divider, LinkRow, type Person, UserDetails } from './menu-rows.tsx'
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
        <AccountRows person={person} />
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
            <LinkRow to="/dashboard" Icon={FolderOpen}>
              Dashboard
            </LinkRow>
            <LinkRow to="/collaborations" Icon={Users}>
              Collaborations
              <InvitationMark />
            </LinkRow>
            <LinkRow to="/search" Icon={Search}>
              Search
            </LinkRow>
          </>
        )}
        {!user && (
          <LinkRow to="/login" Icon={LogIn}>
            Sign In
          </LinkRow>
        )}
        <LabelledThemeToggle />
        {user && (
          <>
            <Divider />
            <AccountRows person={user} />
          </>
        )}
        {!user && <RegisterRow />}
      </div>
    </>
  )
}
