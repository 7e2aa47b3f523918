import { PenLine } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { readToken } from '#web/api/token.ts'
import {
  type Composition,
  compose,
  onCompose,
  rememberInterrupted,
  takeInterrupted,
} from '#web/entries/compose.ts'
import { Write } from '#web/entries/dialogs.ts'
import { loginPath } from '#web/identity/redirect.ts'
import { useSession } from '#web/identity/session.tsx'
import { isDialogOpen, useKey } from '#web/ui/controls/keys.ts'
import { Tooltip } from '#web/ui/controls/tooltip.tsx'

const SIGN_IN_PATHS = new Set(['/login', '/register'])

/** Where text is large and the window narrow, the word wraps to a line that is not shown, and the pen remains. */
const buttonClass =
  'inline-flex h-10 min-w-9.5 shrink-99 flex-wrap content-start gap-x-2 overflow-hidden rounded-md px-2.5 text-sm font-semibold text-accent *:h-10 hover:bg-hover hover:text-accent-strong pointer-coarse:h-11 pointer-coarse:*:h-11 [&_span]:leading-10 pointer-coarse:[&_span]:leading-11 [&_svg]:w-4.5'

/**
 * Opens the composer from anywhere, as the key `c` does, and shows it for every other caller of `compose`. A composer that
 * the end of the session closed is open again after signing in.
 */
export function WriteButton() {
  const personId = useSession().user?._id
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()
  const [shown, setShown] = useState<{ composition: Composition } | null>(null)

  const remember = useEffectEvent(() => {
    if (!shown || readToken() !== null) return
    rememberInterrupted({ personId, ...shown })
    // From a public page, the guard leads nobody there.
    void navigate(loginPath(pathname + search + hash), { replace: true })
  })

  useEffect(() => onCompose((composition) => setShown({ composition })), [])
  useEffect(() => () => remember(), [])
  useEffect(() => {
    // Signing in leads on to where the session ended.
    const interrupted = SIGN_IN_PATHS.has(pathname) ? null : takeInterrupted(personId)
    if (interrupted) compose(interrupted.composition)
  }, [pathname, personId])
  useKey('c', () => {
    if (!isDialogOpen()) setShown({ composition: null })
  })

  return (
    <>
      <Tooltip text="Write (c)">
        <button
          type="button"
          aria-keyshortcuts="c"
          className={buttonClass}
          {...Write.near}
          onClick={() => setShown({ composition: null })}
        >
          <PenLine aria-hidden="true" />
          <span>Write</span>
        </button>
      </Tooltip>
      {shown && <Write composition={shown.composition} onClose={() => setShown(null)} />}
    </>
  )
}
