import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSession } from '#web/identity/session.tsx'
import { DRAFT_DELAY_MS, type DraftState, keepDraft, removeDraft } from './entry-draft.ts'
import { keepEdit, removeEdit } from './kept-edit.ts'
import type { EntryFormControl } from './use-entry-form.ts'

type Options = {
  form: EntryFormControl
  entryId: string | undefined
  /** The version of the entry that is being changed. */
  version: number
  isUnsaved: () => boolean
}

/**
 * Sees to it that text which is not on the server yet is not lost: a new entry's is kept as the draft, two seconds
 * after the last change and when the editor goes away; a change of an existing one when its editor goes away unasked.
 */
export function useUnsavedText({ form, entryId, version, isUnsaved }: Options) {
  const [draft, setDraft] = useState<DraftState>('none')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isOver = useRef(false)
  const { user } = useSession()
  // The one who began: when the session ends, the editor goes away with it.
  const [personId] = useState(user?._id)

  function keep() {
    clearTimeout(timer.current)
    if (isOver.current || !isUnsaved()) return
    if (entryId) keepEdit({ entryId, personId }, form.getValues(), version)
    else setDraft(keepDraft(form.getValues(), personId))
  }

  function remove() {
    clearTimeout(timer.current)
    setDraft('none')
    if (entryId) removeEdit({ entryId, personId })
    else removeDraft()
  }

  const keepNow = useEffectEvent(keep)

  useEffect(() => {
    if (entryId) return undefined
    return form.subscribe({
      formState: { values: true },
      callback: () => {
        clearTimeout(timer.current)
        timer.current = setTimeout(keepNow, DRAFT_DELAY_MS)
      },
    })
  }, [entryId, form])

  useEffect(() => {
    const keepOnHide = () => keepNow()
    addEventListener('pagehide', keepOnHide)
    return () => {
      removeEventListener('pagehide', keepOnHide)
      keepNow()
    }
  }, [])

  /** Removes what is kept, and keeps nothing more. */
  function end() {
    isOver.current = true
    remove()
  }

  return { draft, keep, remove, end }
}
