import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { watchSession } from '#web/api/client.ts'
import { type DraftKey, removeDraft } from '#web/saving/drafts.ts'
import { clearIfInterrupted, markInterrupted } from '#web/saving/interrupted.ts'
import { type RecoveryReason, recoverText } from './recovered-text.ts'

/** The delay after the last change before a draft is stored. */
const DRAFT_DELAY_MS = 2000

type Options<In extends FieldValues, Out> = {
  form: UseFormReturn<In, unknown, Out>
  draftKey: DraftKey
  isDirty: () => boolean
  /** Whether the user has closed a form that closes without confirmation and restores its draft when it is reopened. */
  wasClosed?: () => boolean
  /** The content of the draft besides the fields, as a string. */
  extra?: string
  /** Stores the draft in the browser. */
  store: () => void
  /** Something was typed or chosen. */
  onChange?: () => void
}

/** `over`: the content was saved or discarded. */
type Phase = 'open' | 'saving' | 'over'

/**
 * Stores a draft of a form in the browser until it is saved or discarded. The draft is written two seconds after the last change,
 * when the page is hidden or closed, and when the form is unmounted. If the resource of the form was deleted, or its screen was left,
 * the text is shown once more, so that it can be copied.
 */
export function useFormDraft<In extends FieldValues, Out>(options: Options<In, Out>) {
  const { form, draftKey, isDirty, extra, store, onChange } = options
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isTouched = useRef(false)
  const phase = useRef<Phase>('open')

  /** Updates the stored draft, unless nothing was typed here, because a stored draft may then belong to another tab. */
  function save() {
    clearTimeout(timer.current)
    if (phase.current !== 'open' || !isTouched.current) return
    if (isDirty()) store()
    else removeDraft(draftKey)
  }

  const saveNow = useEffectEvent(save)
  const saveLater = useEffectEvent(() => {
    isTouched.current = true
    onChange?.()
    clearTimeout(timer.current)
    timer.current = setTimeout(saveNow, DRAFT_DELAY_MS)
  })

  useEffect(() => form.subscribe({ formState: { values: true }, callback: () => saveLater() }), [form])

  const lastExtra = useRef(extra)
  useEffect(() => {
    if (extra !== lastExtra.current) saveLater()
    lastExtra.current = extra
  }, [extra])

  useEffect(() => {
    const saveOnHide = () => saveNow()
    addEventListener('pagehide', saveOnHide)
    document.addEventListener('visibilitychange', saveOnHide)
    return () => {
      removeEventListener('pagehide', saveOnHide)
      document.removeEventListener('visibilitychange', saveOnHide)
    }
  }, [])

  const recoverIfLeft = useRecovery(options, () => {
    save()
    return phase.current
  })

  return {
    /** Removes the draft permanently, because its content was saved or discarded. */
    end() {
      phase.current = 'over'
      clearTimeout(timer.current)
      removeDraft(draftKey)
      clearIfInterrupted(draftKey)
    },
    /** Stops updating the draft, which stays stored. */
    pause() {
      save()
      phase.current = 'saving'
    },
    /** Continues after a failed save. */
    resume() {
      phase.current = 'open'
      isTouched.current = true
      save()
      recoverIfLeft()
    },
  }
}

/**
 * If a form is unmounted by something other than the user, shows the typed text, or restores it after the next sign-in. `leave` is
 * called first. Returns the function that does so after a save that failed later.
 */
function useRecovery<In extends FieldValues, Out>(
  { form, draftKey, isDirty, wasClosed }: Options<In, Out>,
  leave: () => Phase,
) {
  const [isSessionOver] = useState(watchSession)
  const isMounted = useRef(false)
  const path = useRef('')

  function recover(reason: RecoveryReason) {
    if (isSessionOver()) markInterrupted(draftKey)
    else if (!wasClosed?.()) recoverText(draftKey.personId, form.getValues(), reason)
  }

  const open = useEffectEvent(() => clearIfInterrupted(draftKey))
  const leaveForm = useEffectEvent(() => {
    const phase = leave()
    // The page may be left before the save has succeeded or failed.
    if (phase === 'saving' && isSessionOver()) markInterrupted(draftKey)
    if (phase !== 'open' || !isDirty()) return
    const reason = location.pathname === path.current ? 'gone' : 'not saved'
    // In development, React mounts a form twice to check its effects.
    queueMicrotask(() => !isMounted.current && recover(reason))
  })

  useEffect(() => {
    isMounted.current = true
    path.current = location.pathname
    open()
    return () => {
      isMounted.current = false
      leaveForm()
    }
  }, [])

  return () => !isMounted.current && recover('not saved')
}
