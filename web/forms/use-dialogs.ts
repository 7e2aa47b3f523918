import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSession } from '#web/identity/session.tsx'
import { clearInterrupted, isInterrupted } from '#web/saving/interrupted.ts'

let lastKey = 0

/** The form dialogs of a screen. There may be several: one that was submitted must reopen if saving fails. */
export function useDialogs<Subject>() {
  const [dialogs, setDialogs] = useState<readonly { key: number; subject: Subject }[]>([])

  function open(subject: Subject) {
    lastKey += 1
    setDialogs([...dialogs, { key: lastKey, subject }])
  }

  function close(key: number) {
    setDialogs((others) => others.filter((dialog) => dialog.key !== key))
  }

  return { dialogs, open, close }
}

/**
 * Reopens the form that the end of the session had closed. `open` is called on every render until it returns true; it
 * receives a predicate for the interrupted form, and opens it once its data is loaded.
 */
export function useReopenedForm(open: (wasInterrupted: (form: string) => boolean) => boolean): void {
  const { user } = useSession()
  const isDone = useRef(false)

  const tryOpen = useEffectEvent(() => {
    if (isDone.current || !open((form) => isInterrupted({ form, personId: user?._id }))) return
    clearInterrupted()
    isDone.current = true
  })

  useEffect(() => tryOpen())
}
