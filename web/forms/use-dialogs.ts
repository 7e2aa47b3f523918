import { useState } from 'react'

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
