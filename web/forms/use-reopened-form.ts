import { useEffect, useEffectEvent, useRef } from 'react'
import { useSession } from '#web/identity/session.tsx'
import { forgetInterrupted, isInterrupted } from './unsaved-text.ts'

/**
 * Opens the form again that the end of the session had closed. `open` is called until it returns true: it is given a
 * question to ask, whether a form is the one, and opens it as soon as what it belongs to is loaded.
 */
export function useReopenedForm(open: (isTheOne: (form: string) => boolean) => boolean): void {
  const { user } = useSession()
  const isDone = useRef(false)

  const tryOpen = useEffectEvent(() => {
    if (isDone.current || !open((form) => isInterrupted({ form, personId: user?._id }))) return
    forgetInterrupted()
    isDone.current = true
  })

  useEffect(() => tryOpen())
}
