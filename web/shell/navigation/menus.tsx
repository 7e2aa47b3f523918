import {
  FolderOpen,
  LogIn,
  LogOut,
  Menu,
  Moon,
  Settings,
  ShieldCheck,
  Sun,
  Trash2,
  Users,
  X,
} from 'lucide-react'
import { useEffect, useRef } from 'react'
import { NavLink, useLocation, useNavigate } from 'react-router'
import type { User } from '#contract/identity.ts'
import { useSession } from '#web/identity/session.tsx'
import { IconButton, LinkButton } from '#web/ui/controls/button.tsx'
import { Tooltip } from '#web/ui/controls/tooltip.tsx'
import { menuRowClass } from '#web/ui/dialogs/menu.tsx'
import { Fetched, onDemand } from '#web/ui/dialogs/on-demand.tsx'
import { useNavigationCloses } from '#web/ui/dialogs/use-history-layer.ts'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { Avatar } from '#web/ui/layout/avatar.tsx'

/** Logs that a part of the navigation could not be loaded: it is missing until the page is reloaded. */
export function logMissing(error: unknown): void {
  // oxlint-disable-next-line no-console -- the missing part only links to screens
  console.warn(error)
}

/** Loaded on demand, so that visitors do not download it. */
const dot = onDemand(async () => (await import('#web/collaborators/invitation-dot.tsx')).InvitationDot)

/** Marks the link to the collaborations while an invitation is pending. */
export function InvitationMark() {
  return <Fetched of={dot} with={{}} fallback={null} onFailed={logMissing} />
}

type Person = Pick<User, 'name' | 'email' | 'photoURL' | 'isAdmin'>

/** The name and email of the signed-in user. */
function UserDetails({ person }: { person: Person }) {
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
function SettingsRow() {
  return (
    <NavLink to="/settings" className={menuRowClass}>
      <Settings aria-hidden="true" />
      Settings
    </NavLink>
  )
}

/** The link of a menu to the trash. */
function TrashRow() {
  return (
    <NavLink to="/trash" className={menuRowClass}>
      <Trash2 aria-hidden="true" />
      Trash
    </NavLink>
  )
}

/** The link of a menu to the administration of this server. */
function AdministrationRow() {
  return (
    <NavLink to="/admin" className={menuRowClass}>
      <ShieldCheck aria-hidden="true" />
      Administration
    </NavLink>
  )
}

/** The sign-out button of a menu. */
function SignOutRow() {
  const signOut = useSignOut()
  return (
    <button type="button" className={menuRowClass} onClick={() => void signOut()}>
      <LogOut aria-hidden="true" />
      Sign out
    </button>
  )
}

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
      // The server may be slow: a user who has navigated since keeps what they are typing.
      if (isConfirmed && window.location.pathname === '/') window.location.reload()
    } else {
      left.current = key
      session.leave()
      await navigate('/')
    }
  }
}

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
              <InvitationMark />
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
        {!user && (
          <LinkButton to="/register" variant="primary" className="mt-2 w-full">
            Get Started
          </LinkButton>
        )}
      </div>
    </>
  )
}

/** Three lines, or a cross while the menu is open. */
function MenuIcon() {
  return (
    <>
      <Menu className="in-[body:has(#mobile-menu:popover-open)]:hidden" aria-hidden="true" />
      <X className="hidden in-[body:has(#mobile-menu:popover-open)]:block" aria-hidden="true" />
    </>
  )
}

function ThemeIcon() {
  return (
    <>
      <Moon className="dark:hidden" aria-hidden="true" />
      <Sun className="hidden dark:block" aria-hidden="true" />
    </>
  )
}

/** Toggles the theme; the script in the page's head handles the click. */
export function ThemeToggle() {
  return <IconButton data-theme-toggle label="Toggle theme" icon={<ThemeIcon />} />
}

/** The theme toggle as a row of the mobile menu, labelled with the other theme. */
function LabelledThemeToggle() {
  return (
    <button type="button" data-theme-toggle className={menuRowClass}>
      <ThemeIcon />
      <VisuallyHidden>Toggle theme: </VisuallyHidden>
      <span className="dark:hidden">Dark Mode</span>
      <span className="hidden dark:inline">Light Mode</span>
    </button>
  )
}
