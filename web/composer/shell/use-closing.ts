import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Entry } from '#contract/entries.ts'
import { compose } from '#web/commands/compose.ts'
import { readEntryDraft } from '#web/composer/drafts/entry-draft.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { useIsMounted } from '#web/ui/layout/use-is-mounted.ts'
import type { Writing } from './use-writing.ts'

const texts = {
  browser: {
    create: 'Your draft is kept in this browser',
    edit: 'Your changes are kept in this browser only',
  },
  server: { create: 'Your draft is kept on the server', edit: 'Your changes are kept on the server' },
}

export type ClosingOptions = {
  /** Adds the tag that is still being typed. */
  addTypedTag: () => void
  onClose: (saved?: Entry) => void
}

/**
 * Closes the composer. Unsaved text is kept as a draft, with a toast that shows where (after a save only if that fails). It
 * asks for confirmation only if something would be lost.
 */
export function useClosing(writing: Writing, { addTypedTag, onClose }: ClosingOptions) {
  const { draft, isDirty, hasResult, losesFiles } = writing
  const isSaving = writing.entry.form.formState.isSubmitting
  const [isAsking, setAsking] = useState(false)
  /** Set when the composer was closed while the entry was being saved. */
  const isAway = useRef(false)
  const isMounted = useIsMounted()
  useWarning(() => (hasResult || draft.status.kind === 'lost') && isDirty())

  function leave(saved?: Entry) {
    // The session has ended while the entry was being saved: closing would navigate away from the sign-in page.
    if (isAway.current || !isMounted()) return
    setAsking(false)
    onClose(saved)
  }

  /** Keeps the text as a draft. Returns whether that succeeded; otherwise the person is asked first. */
  function keep(): boolean {
    addTypedTag()
    if (!isDirty()) return true
    const isKept = !hasResult && !losesFiles() && (draft.leave() || draft.isOnServer())
    if (!isKept) setAsking(true)
    return isKept
  }

  /** Returns whether the composer was closed; otherwise the person is asked first. */
  function close(): boolean {
    addTypedTag()
    const wasDirty = isDirty()
    if (!keep()) return false
    leave()
    isAway.current = isSaving
    if (wasDirty && !isSaving) sayKept(writing)
    return true
  }

  return {
    isAsking,
    detail: lossOf(writing),
    close,
    keep,
    leave,
    /** Closes although something is lost; the draft contains the rest. */
    giveUp: () => {
      draft.leave()
      leave()
    },
    hasLeft: () => !isMounted(),
    /** Whether the composer was closed while the entry was being saved. */
    isAway: () => isAway.current,
    /** The entry could not be saved. */
    sayIfAway: () => isAway.current && sayKept(writing),
    stay: () => setAsking(false),
  }
}

/** The browser asks before the page is closed, if something would be lost. */
function useWarning(isLosing: () => boolean) {
  const warn = useEffectEvent((event: BeforeUnloadEvent) => {
    if (isLosing()) event.preventDefault()
  })
  useEffect(() => {
    const listener = (event: BeforeUnloadEvent) => warn(event)
    addEventListener('beforeunload', listener)
    return () => removeEventListener('beforeunload', listener)
  }, [])
}

/** Shows where the unsaved text is stored, with a button that opens it. */
function sayKept({ draft, original, source }: Writing) {
  const isOnServer = draft.isOnServer()
  if (!original && !isOnServer && !readEntryDraft(draft.key)) return
  toast.info(texts[isOnServer ? 'server' : 'browser'][original ? 'edit' : 'create'], {
    label: 'Continue writing',
    run: () => compose({ ...source, entryId: original?._id }),
  })
}

/** Returns what would be lost. */
function lossOf({ hasResult, losesFiles }: Writing): string {
  if (hasResult) return 'The result that you wrote will be lost. Your own text is kept.'
  if (losesFiles()) return 'Files that you have added will be lost.'
  return 'This browser cannot keep a draft of your text.'
}
