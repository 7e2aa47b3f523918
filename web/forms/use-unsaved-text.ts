import { useEffect, useEffectEvent, useRef } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { readToken } from '#web/api/token.ts'
import { type FormOf, markInterrupted, STORING_DELAY_MS } from './unsaved-text.ts'

type Options<In extends FieldValues, Out> = {
  form: UseFormReturn<In, unknown, Out>
  formOf: FormOf
  isUnsaved: () => boolean
  /** Writes what was typed into the browser's storage. */
  store: () => void
  /** Removes from there what an earlier call of `store` wrote. */
  remove: () => void
}

/**
 * Keeps what is typed into a form in the browser's storage until it is saved or dropped: two seconds after the last
 * change, when the page is hidden or closed, and when the end of the session takes the form away.
 */
export function useUnsavedText<In extends FieldValues, Out>(options: Options<In, Out>) {
  const { form, formOf, isUnsaved, store, remove } = options
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isTouched = useRef(false)
  const isOver = useRef(false)

  /** Brings the browser's storage up to date, unless nothing was typed here: what is stored may be another form's. */
  function keep() {
    clearTimeout(timer.current)
    if (isOver.current || !isTouched.current) return
    if (isUnsaved()) store()
    else remove()
  }

  const keepNow = useEffectEvent(keep)

  const leave = useEffectEvent(() => {
    keep()
    if (!isOver.current && readToken() === null && isUnsaved()) markInterrupted(formOf)
  })

  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback() {
          isTouched.current = true
          clearTimeout(timer.current)
          timer.current = setTimeout(keepNow, STORING_DELAY_MS)
        },
      }),
    [form],
  )

  useEffect(() => {
    const keepOnHide = () => keepNow()
    addEventListener('pagehide', keepOnHide)
    document.addEventListener('visibilitychange', keepOnHide)
    return () => {
      removeEventListener('pagehide', keepOnHide)
      document.removeEventListener('visibilitychange', keepOnHide)
      leave()
    }
  }, [])

  return {
    keep,
    /** What was typed is saved or dropped: nothing is stored any more. */
    end() {
      isOver.current = true
      clearTimeout(timer.current)
      remove()
    },
    /** The form is left for now; what was typed stays stored. */
    pause() {
      keep()
      isOver.current = true
    },
    /** What was to be saved could not be. */
    resume() {
      isOver.current = false
      isTouched.current = true
      keep()
    },
  }
}
