import { LogOut, Settings, ShieldCheck, Trash2 } from 'lucide-react'
import type { MouseEvent } from 'react'
import { NavLink } from 'react-router'
import type { User } from '#contract/identity.ts'
import { mayHoldUploads } from '#web/files/pending.ts'
import { useLeaving } from '#web/identity/leaving.tsx'
import { useSession } from '#web/identity/session.tsx'
import { historyLayers } from '#web/ui/dialogs/history-layers.ts'
import { menuRowClass } from '#web/ui/dialogs/menu-row.ts'

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
 * Returns a function that ends the session and loads the landing page, or reloads it if it is already shown; after a failure it does
 * not reload, because the toast would be lost with the page.
 */
function useSignOut() {
  const { user, signOut, leave } = useSession()
  const userId = user?._id

  return async function signOutAndLeave() {
    if (isOnLandingPage()) {
      const isConfirmed = await signOut()
      // The menu may still be removing its history entry. Later pages keep their layers, and what is typed in them.
      if (isConfirmed && isOnLandingPage()) historyLayers().leave(reloadLandingPage)
    } else {
      // The guard of a screen would redirect to /login if the session of this page ended before the landing page is shown.
      leave()
      if (userId !== undefined && mayHoldUploads()) await forgetUploads(userId)
      historyLayers().leave(() => window.location.assign('/'))
    }
  }
}

/** Removes the files that were not uploaded yet from this browser. */
async function forgetUploads(userId: string) {
  try {
    await (await import('#web/files/page-uploads.ts')).endUploads(userId, true)
  } catch (error) {
    // oxlint-disable-next-line no-console -- the next person to sign in here cannot read them
    console.warn(error)
  }
}

/** The server may have been slow to confirm, and the user may have navigated since. */
const isOnLandingPage = () => window.location.pathname === '/'

function reloadLandingPage() {
  if (isOnLandingPage()) window.location.reload()
}
