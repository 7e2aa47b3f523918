import { LogOut } from 'lucide-react'
import { useRef } from 'react'
import type { User } from '#contract/identity.ts'
import { Tooltip } from '#web/ui/tooltip.tsx'
import { menuRowClass } from './menu-row.ts'
import { useNavigationCloses } from './use-navigation-closes.ts'
import { useSignOut } from './use-sign-out.ts'

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
