import { useEffect, useEffectEvent, useRef } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import { readToken } from '#web/api/token.ts'

/** How long after the last change a draft is stored. */
const DRAFT_DELAY_MS = 2000

/** A form and the person who types into it; nobody else who uses this browser is shown the draft. */
type DraftKey = { form: string; personId: string | undefined }

// The prefix is older than the word draft; changing it would lose the drafts that browsers hold.
const storageKey = ({ form, personId }: DraftKey) => `unsaved/${form}/${personId}`

/** Returns what this person typed into this form without saving it, or null if there is nothing. */
export function readDraft<T>(key: DraftKey, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(localStorage.getItem(storageKey(key)) ?? 'null'))
  } catch {
    // There is none, it has the shape of an older form, or the browser forbids storage.
    return null
  }
}

/** Stores a draft until it is saved or discarded. Returns whether the browser could store it. */
export function storeDraft(key: DraftKey, draft: unknown): boolean {
  try {
    localStorage.setItem(storageKey(key), JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

export function removeDraft(key: DraftKey): void {
  try {
    localStorage.removeItem(storageKey(key))
  } catch {
    // A browser that forbids storage has nothing stored.
  }
}

/** The form that was open in this tab when the session ended. */
const INTERRUPTED_KEY = 'interruptedForm'

/** Remembers that the end of the session closed this form, so that it can be reopened after signing in. */
export function markInterrupted(key: DraftKey): void {
  try {
    sessionStorage.setItem(INTERRUPTED_KEY, storageKey(key))
  } catch {
    // The person has to open it by hand, then.
  }
}

export function isInterrupted(key: DraftKey): boolean {
  try {
    return sessionStorage.getItem(INTERRUPTED_KEY) === storageKey(key)
  } catch {
    return false
  }
}

export function forgetInterrupted(): void {
  try {
    sessionStorage.removeItem(INTERRUPTED_KEY)
  } catch {
    // Nothing was remembered.
  }
}

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
    /** Stops updating the draft, which stays stored. */
    pause() {
      save()
      isOver.current = true
    },
    /** Continues after a failed save. */
    resume() {
      isOver.current = false
      isTouched.current = true
      save()
    },
  }
}
