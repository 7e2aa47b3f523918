import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { watchSession } from '#web/api/client.ts'
import { type DraftKey, removeDraft } from '#web/saving/drafts.ts'
import { clearInterrupted, isInterrupted, markInterrupted } from '#web/saving/interrupted.ts'
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

/**
 * Stores a draft of a form in the browser until it is saved or discarded. The draft is written two seconds after the last change,
 * when the page is hidden or closed, and when the form is unmounted. If the resource of the form was deleted, or its screen was left,
 * the text is shown once more, so that it can be copied.
 */
export function useFormDraft<In extends FieldValues, Out>(options: Options<In, Out>) {
  const { form, draftKey, isDirty, wasClosed, extra, store, onChange } = options
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isTouched = useRef(false)
  const phase = useRef<'open' | 'saving' | 'over'>('open')
  const [isSessionOver] = useState(watchSession)

  /** Updates the stored draft, unless nothing was typed here, because a stored draft may then belong to another tab. */
  function save() {
    clearTimeout(timer.current)
    if (phase.current !== 'open' || !isTouched.current) return
    if (isDirty()) store()
    else removeDraft(draftKey)
  }

  const saveNow = useEffectEvent(save)

  const isMounted = useRef(false)
  const path = useRef('')

  /** If the form is unmounted by something other than the user, shows the typed text, or restores it after the next sign-in. */
  function recover(reason: RecoveryReason) {
    if (isSessionOver()) markInterrupted(draftKey)
    else if (!wasClosed?.()) recoverText(draftKey.personId, form.getValues(), reason)
  }

  const saveOnUnmount = useEffectEvent(() => {
    save()
    // The page may be left before the save has succeeded or failed.
    if (phase.current === 'saving' && isSessionOver()) markInterrupted(draftKey)
    if (phase.current !== 'open' || !isDirty()) return
    const reason = location.pathname === path.current ? 'gone' : 'not saved'
    // In development, React mounts a form twice to check its effects.
    queueMicrotask(() => !isMounted.current && recover(reason))
  })

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

  /** Prevents the form from reopening when its screen is visited next. */
  function clearIfInterrupted() {
    if (isInterrupted(draftKey)) clearInterrupted()
  }

  const clearIfOpen = useEffectEvent(clearIfInterrupted)

  useEffect(() => {
    const saveOnHide = () => saveNow()
    isMounted.current = true
    path.current = location.pathname
    clearIfOpen()
    addEventListener('pagehide', saveOnHide)
    document.addEventListener('visibilitychange', saveOnHide)
    return () => {
      removeEventListener('pagehide', saveOnHide)
      document.removeEventListener('visibilitychange', saveOnHide)
      isMounted.current = false
      saveOnUnmount()
    }
  }, [])

  return {
    /** Removes the draft permanently, because its content was saved or discarded. */
    end() {
      phase.current = 'over'
      clearTimeout(timer.current)
      removeDraft(draftKey)
      clearIfInterrupted()
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
      if (!isMounted.current) recover('not saved')
    },
  }
}
