import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useState } from 'react'
import { type FieldErrors, type FieldValues, type Path, useForm } from 'react-hook-form'
import { z } from 'zod'
import { ApiError } from '#web/api/api-error.ts'
import type { Refusal } from '#web/identity/texts.ts'
import { toast } from '#web/ui/toast.ts'

type Options<In extends FieldValues, Out extends FieldValues> = {
  schema: z.ZodType<Out, In>
  /** The fields whose faults the banner tells, in the order of the page. */
  told: Path<In>[]
  send: (fields: Out) => Promise<void>
  refusalOf: (error: ApiError) => Refusal
  /** What the banner says when something else failed. */
  otherwise: string
}

/**
 * A form that signs somebody in. The banner says the first thing that is wrong, the keyboard goes where it can be
 * put right, and nothing that was typed is lost. After a failed try, name and email are still there on the other of the two
 * screens and after a reload.
 */
export function useCredentials<In extends FieldValues, Out extends FieldValues>(options: Options<In, Out>) {
  const { schema, told, send, refusalOf, otherwise } = options
  // No default values: what was typed, or filled in by the browser, before the page was alive stays.
  const form = useForm({ resolver: zodResolver(schema) })
  const [fault, setFault] = useState<string | null>(null)

  useEffect(() => {
    for (const [field, value] of Object.entries(readTyped()) as [Path<In>, never][]) {
      if (told.includes(field) && !form.getValues(field)) form.setValue(field, value)
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- as the page opens, and never over what is typed since
  }, [])

  function refuse(error: unknown) {
    storeTyped(form.getValues())
    if (!(error instanceof ApiError)) {
      setFault(otherwise)
      return
    }
    const { text, field } = refusalOf(error)
    setFault(text)
    toast.error(text)
    if (field === undefined) return
    form.setError(field as Path<In>, { message: text })
    form.setFocus(field as Path<In>, { shouldSelect: true })
  }

  const submit = form.handleSubmit(
    async (fields) => {
      setFault(null)
      await send(fields).then(forgetTyped, refuse)
    },
    (errors) => setFault(firstFault(errors, told)),
  )

  return { form, fault, setFault, submit }
}

function firstFault<In extends FieldValues>(errors: FieldErrors<In>, told: Path<In>[]): string | null {
  for (const field of told) {
    const message = errors[field]?.message
    if (typeof message === 'string') return message
  }
  return null
}

const KEY = 'signInTyped'

/** What is remembered of a form that signs somebody in: never a password. */
const typedIdentity = z.object({ name: z.string().optional(), email: z.string().optional() })

/** What was typed, in this tab, when signing in or registering last failed. */
export function readTyped(): z.infer<typeof typedIdentity> {
  try {
    return typedIdentity.parse(JSON.parse(sessionStorage.getItem(KEY) ?? '{}'))
  } catch {
    // Not ours, or a browser that forbids storage.
    return {}
  }
}

export function storeTyped(typed: unknown): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...readTyped(), ...typedIdentity.parse(typed) }))
  } catch {
    // A browser that forbids storage: the form itself still has it.
  }
}

export function forgetTyped(): void {
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // Nothing was stored.
  }
}
