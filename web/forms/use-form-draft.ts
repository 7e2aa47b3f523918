import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { watchSession } from '#web/api/client.ts'
import { clearInterrupted, type FormDraftKey, isInterrupted, markInterrupted } from './form-drafts.ts'
import { type RecoveryReason, recoverText } from './recovered-text.ts'

/** The delay after the last change before a draft is stored. */
const DRAFT_DELAY_MS = 2000

type Options<In extends FieldValues, Out> = {
  form: UseFormReturn<In, unknown, Out>
  draftKey: FormDraftKey
  isDirty: () => boolean
  /** Whether the user has closed a form that closes without confirmation and restores its draft when it is reopened. */
  wasClosed?: () => boolean
  /** The content of the draft besides the fields, as a string. */
  extra?: string
  /** Writes the draft into the browser's storage. */
  store: () => void
  /** Removes the draft that an earlier call of `store` wrote. */
  remove: () => void
}

/**
 * Stores a draft of a form in the browser until it is saved or discarded. The draft is written two seconds after the last change,
 * when the page is hidden or closed, and when the form is unmounted. If the resource of the form was deleted, or its screen was left,
 * the text is shown once more, so that it can be copied.
 */
export function useFormDraft<In extends FieldValues, Out>(options: Options<In, Out>) {
  const { form, draftKey, isDirty, wasClosed, extra, store, remove } = options
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isTouched = useRef(false)
  const isOver = useRef(false)
  const isSaving = useRef(false)
  const [isSessionOver] = useState(watchSession)

  /** Updates the stored draft, unless nothing was typed here, because a stored draft may then belong to another tab. */
  function save() {
    clearTimeout(timer.current)
    if (isOver.current || !isTouched.current) return
    if (isDirty()) store()
    else remove()
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
    if (isSaving.current && isSessionOver()) markInterrupted(draftKey)
    if (isOver.current || !isDirty()) return
    const reason = location.pathname === path.current ? 'gone' : 'not saved'
    // In development, React mounts a form twice to check its effects.
    queueMicrotask(() => !isMounted.current && recover(reason))
  })

  const saveLater = useEffectEvent(() => {
    isTouched.current = true
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
      isOver.current = true
      isSaving.current = false
      clearTimeout(timer.current)
      remove()
      clearIfInterrupted()
    },
    /** Stops updating the draft, which stays stored. */
    pause() {
      save()
      isOver.current = true
      isSaving.current = true
    },
    /** Continues after a failed save. */
    resume() {
      isOver.current = false
      isSaving.current = false
      isTouched.current = true
      save()
      if (!isMounted.current) recover('not saved')
    },
  }
}
