import { LogOut } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { User } from '#contract/identity.ts'
import { useSession } from '#web/identity/session.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'
import { useNavigationCloses } from '#web/ui/use-navigation-closes.ts'

type Person = Pick<User, 'name' | 'email'>

/** Who is signed in, as two lines. */
export function PersonLines({ person }: { person: Person }) {
  return (
    <div className="min-w-0 px-3 py-2">
      <p dir="auto" className="truncate text-sm font-semibold text-ink">
        {person.name}
      </p>
      <p className="truncate text-sm text-muted">{person.email}</p>
    </div>
  )
}

/** The way out. */
export function SignOutRow() {
  const signOut = useSignOut()
  return (
    <button type="button" className={menuRowClass} onClick={() => void signOut()}>
      <LogOut aria-hidden="true" />
      Sign out
    </button>
  )
}

/** The signed-in person's menu, a native popover under its button. */
export function UserMenu({ person }: { person: Person }) {
  const popover = useRef<HTMLDivElement>(null)
  useNavigationCloses(popover)
  const [initial = '?'] = (person.name || person.email).toUpperCase()
  return (
    <>
      <Tooltip text="User menu">
        <button
          type="button"
          aria-label="User menu"
          popoverTarget="user-menu"
          className="grid size-10 place-items-center rounded-full hover:bg-hover"
        >
          <span
            className="grid size-8 place-items-center rounded-full bg-ink text-sm font-semibold text-surface"
            aria-hidden="true"
          >
            {initial}
          </span>
        </button>
      </Tooltip>
      <div
        ref={popover}
        id="user-menu"
        popover="auto"
        className="popover-menu fixed top-nav right-nav-edge mt-1 w-64 rounded-lg border border-line bg-raised p-1.5 text-ink shadow-lg"
      >
        <PersonLines person={person} />
        <div className="mx-3 my-1.5 border-t border-line" />
        <SignOutRow />
      </div>
    </>
  )
}

/**
 * Ends the session and goes to the landing page, or reloads it when already there: not after a failure, whose message
 * would go with the page.
 */
function useSignOut() {
  const session = useSession()
  const { signOut } = session
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const isLeaving = useRef(false)

  // This page forgets the person only once the landing page stands: the guard of a screen that still stood would
  // answer by going to /login, and `navigate` resolves before React has shown where it leads.
  useEffect(() => {
    if (!isLeaving.current || pathname !== '/') return
    isLeaving.current = false
    void signOut()
  }, [pathname, signOut])

  return async function leave() {
    if (pathname === '/') {
      if (await signOut()) window.location.reload()
    } else {
      isLeaving.current = true
      session.leave()
      await navigate('/')
    }
  }
}

/** One line of a menu: a link or a button over the whole width. */
export const menuRowClass =
  'flex w-full items-center gap-3 rounded-md px-3 py-2.5 text-left text-sm font-medium text-ink hover:bg-hover aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent pointer-coarse:py-3 pointer-coarse:text-base [&_svg]:size-4.5 [&_svg]:text-muted'
