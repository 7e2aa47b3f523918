import { useEffect, useState } from 'react'
import type { Entry } from '#contract/entries.ts'
import { compose } from '#web/entries/compose.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import type { Place } from './composer-settings.ts'
import { readNewEntryDraft } from './entry-draft.ts'
import type { useEntryDraft } from './use-entry-form.ts'

type Options = {
  draft: ReturnType<typeof useEntryDraft>
  isDirty: () => boolean
  /** Whether something was chosen that no draft keeps. */
  loses: boolean
  place: Place
  original: Entry | undefined
  onClose: (saved?: Entry) => void
}

const KEPT_NEW = 'Your draft is kept in this browser'
const KEPT_EDIT = 'Your changes are kept in this browser only'

/**
 * Closes the composer. What was not saved stays in this browser as a draft, and a toast says so; it asks only about what no
 * draft can keep.
 */
export function useClosing({ draft, isDirty, loses, place, original, onClose }: Options) {
  const [isAsking, setAsking] = useState(false)
  const cannotKeep = loses || draft.state === 'not stored'

  useEffect(() => {
    function warn(event: BeforeUnloadEvent) {
      if (cannotKeep && isDirty()) event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [cannotKeep, isDirty])

  function leave(saved?: Entry) {
    setAsking(false)
    onClose(saved)
  }

  /** Returns whether the composer was left; otherwise the person is asked first. */
  function close(): boolean {
    if (!isDirty()) {
      leave()
      return true
    }
    if (loses || draft.pause() === 'not stored') {
      setAsking(true)
      return false
    }
    leave()
    if (original || readNewEntryDraft(draft.personId)) {
      toast.info(original ? KEPT_EDIT : KEPT_NEW, {
        label: 'Continue writing',
        run: () => compose({ ...place, entryId: original?._id }),
      })
    }
    return true
  }

  return {
    isAsking,
    detail: loses
      ? 'The image that you chose will be lost.'
      : 'This browser cannot keep a draft of your text.',
    close,
    leave,
    stay: () => setAsking(false),
  }
}
