import { useEffect, useRef, useState } from 'react'
import type { Entry } from '#contract/entries.ts'
import { compose } from '#web/commands/compose.ts'
import { readEntryDraft } from '#web/composer/drafts/entry-draft.ts'
import type { useEntryDraft } from '#web/composer/drafts/use-entry-draft.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import type { MilestoneRef } from './composer-settings.ts'

type Options = {
  draft: ReturnType<typeof useEntryDraft>
  isDirty: () => boolean
  /** Adds the tag that is still being typed. */
  addTypedTag: () => void
  /** Whether there is a choice that drafts do not contain. */
  loses: 'result' | false
  /** Whether no draft would refer to some files. */
  losesFiles: () => boolean
  source: MilestoneRef
  original: Entry | undefined
  isSaving: boolean
  onClose: (saved?: Entry) => void
}

const texts = {
  browser: {
    create: 'Your draft is kept in this browser',
    edit: 'Your changes are kept in this browser only',
  },
  lost: {
    result: 'The result that you wrote will be lost. Your own text is kept.',
  },
  server: { create: 'Your draft is kept on the server', edit: 'Your changes are kept on the server' },
}

/**
 * Closes the composer. Unsaved text is kept as a draft, with a toast that shows where (after a save only if that fails). It
 * asks for confirmation only if something would be lost.
 */
export function useClosing({
  draft,
  isDirty,
  addTypedTag,
  loses,
  losesFiles,
  source,
  original,
  isSaving,
  onClose,
}: Options) {
  const [isAsking, setAsking] = useState(false)
  /** Set when the composer was closed while the entry was being saved. */
  const isAway = useRef(false)
  const isMounted = useRef(true)
  const cannotKeep = loses !== false || draft.status.kind === 'lost'

  useEffect(() => {
    function warn(event: BeforeUnloadEvent) {
      if (cannotKeep && isDirty()) event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [cannotKeep, isDirty])

  useEffect(() => {
    isMounted.current = true
    return () => void (isMounted.current = false)
  }, [])

  function leave(saved?: Entry) {
    // The session has ended while the entry was being saved: closing would navigate away from the sign-in page.
    if (isAway.current || !isMounted.current) return
    setAsking(false)
    onClose(saved)
  }

  /** Keeps the text as a draft. Returns whether that succeeded; otherwise the person is asked first. */
  function keep(): boolean {
    addTypedTag()
    if (!isDirty()) return true
    const isKept = !loses && !losesFiles() && (draft.leave() || draft.isOnServer())
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
    if (wasDirty && !isSaving) sayKept()
    return true
  }

  /** Shows where the unsaved text is stored, with a button that opens it. */
  function sayKept() {
    const isOnServer = draft.isOnServer()
    if (original || isOnServer || readEntryDraft(draft.key)) {
      toast.info(texts[isOnServer ? 'server' : 'browser'][original ? 'edit' : 'create'], {
        label: 'Continue writing',
        run: () => compose({ ...source, entryId: original?._id }),
      })
    }
  }

  function detail(): string {
    if (loses) return texts.lost[loses]
    if (losesFiles()) return 'Files that you have added will be lost.'
    return 'This browser cannot keep a draft of your text.'
  }

  return {
    isAsking,
    detail: detail(),
    close,
    keep,
    leave,
    /** Closes although something is lost; the draft contains the rest. */
    giveUp: () => {
      draft.leave()
      leave()
    },
    hasLeft: () => !isMounted.current,
    /** Whether the composer was closed while the entry was being saved. */
    isAway: () => isAway.current,
    /** The entry could not be saved. */
    sayIfAway: () => isAway.current && sayKept(),
    stay: () => setAsking(false),
  }
}
