import { CalendarDays, LogOut, type LucideIcon, Settings, ShieldCheck, Trash2 } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { NavLink } from 'react-router'
import type { User } from '#contract/identity.ts'
import { useLeaving } from '#web/identity/leaving.tsx'
import { menuRowClass } from '#web/ui/dialogs/menu-row.ts'
import { useSignOut } from './use-sign-out.ts'

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

type LinkRowProps = { to: string; Icon: LucideIcon; children: ReactNode }

/** A link of a menu to a screen. */
export function LinkRow({ to, Icon, children }: LinkRowProps) {
  return (
    <NavLink to={to} className={menuRowClass}>
      <Icon aria-hidden="true" />
      {children}
    </NavLink>
  )
}

/** The rows of a menu about the account and the server. */
export function AccountRows({ person }: { person: Person }) {
  return (
    <>
      <LinkRow to="/calendar" Icon={CalendarDays}>
        Look back
      </LinkRow>
      <LinkRow to="/settings" Icon={Settings}>
        Settings
      </LinkRow>
      {person.isAdmin && (
        <LinkRow to="/admin" Icon={ShieldCheck}>
          Administration
        </LinkRow>
      )}
      <LinkRow to="/trash" Icon={Trash2}>
        Trash
      </LinkRow>
      <SignOutRow />
    </>
  )
}

/** The sign-out button of a menu. */
function SignOutRow() {
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
