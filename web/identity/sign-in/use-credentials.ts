import { zodResolver } from '@hookform/resolvers/zod'
import { type BaseSyntheticEvent, useEffect, useRef, useState } from 'react'
import { type FieldErrors, type FieldValues, type Path, useForm } from 'react-hook-form'
import { z } from 'zod'
import { ApiError } from '#web/api/api-error.ts'
import { readStoredAs, store } from '#web/api/browser-storage.ts'
import { readToken } from '#web/api/token.ts'
import { SignInNotKept } from '#web/identity/session-manager.ts'
import type { FormError } from '#web/identity/sign-in/texts.ts'
import { useFirstPress } from '#web/ui/controls/use-first-press.ts'
import { toast } from '#web/ui/feedback/toast.tsx'

type Options<In extends FieldValues, Out extends FieldValues> = {
  schema: z.ZodType<Out, In>
  /** The fields whose errors the banner shows, in the order of the page. */
  fields: Path<In>[]
  send: (fields: Out) => Promise<void>
  toFormError: (error: ApiError) => FormError
  /** The banner's text for any other failure. */
  fallback: string
}

/**
 * The state of a sign-in or registration form. The banner shows the first error and the focus moves to its field. Name and
 * email are kept until an attempt succeeds: when switching between these screens, after Back, and after a reload.
 */
export function useCredentials<In extends FieldValues, Out extends FieldValues>(options: Options<In, Out>) {
  const { schema, fields, send, toFormError, fallback } = options
  // No default values, because they would overwrite what was typed or autofilled before hydration.
  const form = useForm({ resolver: zodResolver(schema) })
  const [error, setError] = useState<string | null>(null)
  const isSent = useRef(false)
  const dismissLast = useRef<() => void>(undefined)

  function succeed() {
    isSent.current = true
    dismissLast.current?.()
    clearRemembered()
  }

  useEffect(() => {
    for (const [field, value] of Object.entries(readRemembered()) as [Path<In>, never][]) {
      if (fields.includes(field) && !form.getValues(field)) form.setValue(field, value)
    }
    const keep = () => isSent.current || readToken() !== null || remember(form.getValues())
    addEventListener('pagehide', keep)
    return () => {
      removeEventListener('pagehide', keep)
      keep()
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only on mount, so that nothing typed since is overwritten
  }, [])

  function refuse(error: unknown) {
    remember(form.getValues())
    if (!(error instanceof ApiError)) {
      setError(error instanceof SignInNotKept ? error.message : fallback)
      return
    }
    const { text, field } = toFormError(error)
    setError(text)
    // Several would cover the button of the form on a phone.
    dismissLast.current?.()
    dismissLast.current = toast.passingError(text)
    if (field === undefined) return
    form.setError(field as Path<In>, { message: text })
    form.setFocus(field as Path<In>, { shouldSelect: true })
  }

  const press = useFirstPress(
    form.handleSubmit(
      // The error of the previous attempt stays until this one has ended: without the banner the button would move away from under
      // the pointer, and the second click of a double click would hit what is below.
      (fields) => send(fields).then(succeed, refuse),
      (errors) => setError(firstError(errors, fields)),
    ),
  )

  function submit(event: BaseSyntheticEvent) {
    event.preventDefault()
    press(event)
  }

  return { form, error, setError, submit }
}

function firstError<In extends FieldValues>(errors: FieldErrors<In>, fields: Path<In>[]): string | null {
  for (const field of fields) {
    const message = errors[field]?.message
    if (typeof message === 'string') return message
  }
  return null
}

const KEY = 'signInTyped'

/** The stored values of a sign-in or registration form, without passwords. */
const rememberedFields = z.object({ name: z.string().optional(), email: z.string().optional() })

/** Returns the name and email that were typed in this tab since the last successful attempt. */
export const readRemembered = (): z.infer<typeof rememberedFields> =>
  readStoredAs(KEY, rememberedFields, 'tab') ?? {}

export function remember(fields: unknown): void {
  const typed = { ...readRemembered(), ...rememberedFields.safeParse(fields).data }
  store(KEY, JSON.stringify(typed), 'tab')
}

export const clearRemembered = (): void => void store(KEY, null, 'tab')
