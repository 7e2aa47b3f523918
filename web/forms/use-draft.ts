import { useEffect, useEffectEvent, useRef } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { readToken } from '#web/api/token.ts'
import { DRAFT_DELAY_MS, type DraftKey, markInterrupted } from './drafts.ts'

type Options<In extends FieldValues, Out> = {
  form: UseFormReturn<In, unknown, Out>
  draftKey: DraftKey
  isDirty: () => boolean
  /** Writes the draft into the browser's storage. */
  store: () => void
  /** Removes the draft that an earlier call of `store` wrote. */
  remove: () => void
}

/**
 * Keeps a draft of a form in the browser's storage until it is saved or discarded. The draft is written two seconds after
 * the last change, when the page is hidden or closed, and when the end of the session unmounts the form.
 */
export function useDraft<In extends FieldValues, Out>(options: Options<In, Out>) {
  const { form, draftKey, isDirty, store, remove } = options
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isTouched = useRef(false)
  const isOver = useRef(false)

  /** Brings the stored draft up to date, unless nothing was typed here: a stored draft may then belong to another tab. */
  function save() {
    clearTimeout(timer.current)
    if (isOver.current || !isTouched.current) return
    if (isDirty()) store()
    else remove()
  }

  const saveNow = useEffectEvent(save)

  const saveOnUnmount = useEffectEvent(() => {
    save()
    if (!isOver.current && readToken() === null && isDirty()) markInterrupted(draftKey)
  })

  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback() {
          isTouched.current = true
          clearTimeout(timer.current)
          timer.current = setTimeout(saveNow, DRAFT_DELAY_MS)
        },
      }),
    [form],
  )

  useEffect(() => {
    const saveOnHide = () => saveNow()
    addEventListener('pagehide', saveOnHide)
    document.addEventListener('visibilitychange', saveOnHide)
    return () => {
      removeEventListener('pagehide', saveOnHide)
      document.removeEventListener('visibilitychange', saveOnHide)
      saveOnUnmount()
    }
  }, [])

  return {
    /** Removes the draft for good: its content was saved or discarded. */
    end() {
      isOver.current = true
      clearTimeout(timer.current)
      remove()
    },
    /** Stops updating the draft, which stays stored. Returns false if that had been done already. */
    pause(): boolean {
      if (isOver.current) return false
      save()
      isOver.current = true
      return true
    },
    /** Continues after a failed save. */
    resume() {
      isOver.current = false
      isTouched.current = true
      save()
    },
  }
}
