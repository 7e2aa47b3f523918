import { useEffect, useRef, useState } from 'react'
import { type DraftKey, trackSave } from '#web/saving/drafts.ts'
import { ConfirmDialog } from '#web/ui/dialogs/confirm-dialog.tsx'

/**
 * Asks for confirmation before unsaved changes are lost: when the dialog is closed in any way, including Back, or, with the
 * browser's own text, when the page is closed. `onLeave` runs once leaving is confirmed or needs no confirmation.
 */
export function useLeaveGuard(isDirty: () => boolean, onLeave: () => void) {
  const [isAsking, setAsking] = useState(false)
  const isFree = useRef(false)

  useEffect(() => {
    function warn(event: BeforeUnloadEvent) {
      if (!isFree.current && isDirty()) event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isDirty])

  /** Leaves without asking. */
  function leave() {
    isFree.current = true
    setAsking(false)
    onLeave()
  }

  /** Returns whether the form was left; otherwise the person is asked first. */
  function close(): boolean {
    const mayLeave = isFree.current || !isDirty()
    if (mayLeave) leave()
    else setAsking(true)
    return mayLeave
  }

  return { isAsking, close, leave, stay: () => setAsking(false) }
}

/** Makes the browser ask before the page is closed while a form is being saved, because closing it would abort the call. */
export async function whileSaving(key: DraftKey, saved: Promise<unknown>): Promise<void> {
  const warn = (event: BeforeUnloadEvent) => event.preventDefault()
  addEventListener('beforeunload', warn)
  try {
    await trackSave(key, saved)
  } finally {
    removeEventListener('beforeunload', warn)
  }
}

type LeaveDialogProps = {
  /** Explains what happens to the unsaved changes. */
  detail: string
  onLeave: () => void
  onStay: () => void
}

/** Asks before a form is left with unsaved changes. */
export function LeaveDialog({ detail, onLeave, onStay }: LeaveDialogProps) {
  return (
    <ConfirmDialog
      question="Leave without saving?"
      detail={detail}
      verb="Leave"
      onConfirm={onLeave}
      onClose={onStay}
    />
  )
}
