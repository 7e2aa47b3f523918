import { LogOut, Settings, ShieldCheck, Trash2 } from 'lucide-react'
import type { MouseEvent } from 'react'
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
