import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { type FieldErrors, type FieldValues, type Path, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { ApiError } from '#web/api/api-error.ts'
import { toast } from '#web/ui/toast.ts'
import type { Refusal } from './texts.ts'

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
 * put right, and nothing that was typed is lost.
 */
export function useCredentials<In extends FieldValues, Out extends FieldValues>(options: Options<In, Out>) {
  const { schema, told, send, refusalOf, otherwise } = options
  // No default values: what was typed, or filled in by the browser, before the page was alive stays.
  const form = useForm({ resolver: zodResolver(schema) })
  const [fault, setFault] = useState<string | null>(null)

  function refuse(error: unknown) {
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
      await send(fields).catch(refuse)
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
