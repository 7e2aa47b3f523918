import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { type DefaultValues, type FieldValues, type Path, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { ApiError } from '#web/api/api-error.ts'

type Versioned<In> = In & { version: number }

type Options<In extends FieldValues, Out extends FieldValues> = {
  schema: z.ZodType<Out, In>
  blank: In
  /** What is changed, as it was read; absent for something new. */
  original?: Versioned<In> | undefined
  save: (fields: Out, version: number) => Promise<unknown>
  onSaved: () => void
}

/**
 * A form whose dialog closes the moment it is sent. If saving fails it opens again with all that was typed and
 * what was wrong; if somebody else saved first, also with their version, over which the next save goes.
 */
export function useSavingForm<In extends FieldValues, Out extends FieldValues>(options: Options<In, Out>) {
  const { schema, blank, save, onSaved } = options
  const [original] = useState(options.original)
  const form = useForm({ resolver: zodResolver(schema), defaultValues: startOf(original ?? blank) })
  const [sent, setSent] = useState(false)
  const [fault, setFault] = useState<ApiError | null>(null)
  const [theirs, setTheirs] = useState<Versioned<In> | null>(null)

  const fields = Object.keys(blank) as Path<In>[]

  function takeFault(error: ApiError) {
    const placed = error.issues.filter(({ path }) => path in blank)
    for (const { path, message } of placed) form.setError(path as Path<In>, { message })
    if (placed.length === 0) setFault(error)
  }

  /** What was not touched here becomes theirs; what was is for the person to decide. */
  function takeTheirs(current: Versioned<In>) {
    const before = theirs ?? original
    for (const field of fields) {
      if (form.getValues(field) === before?.[field]) form.setValue(field, current[field])
    }
    setTheirs(current)
  }

  const submit = form.handleSubmit(async (fields) => {
    setSent(true)
    setFault(null)
    try {
      await save(fields, (theirs ?? original)?.version ?? 1)
      onSaved()
    } catch (error) {
      setSent(false)
      if (!(error instanceof ApiError)) throw error
      if (error.code === 'stale') takeTheirs(error.current as Versioned<In>)
      else takeFault(error)
    }
  })

  return { form, submit, open: !sent, fault, original, theirs }
}

const startOf = <In extends FieldValues>(values: In) => values as DefaultValues<In>

/** What `useSavingForm` returns, as its dialog takes it. */
export type SavingForm<In extends FieldValues, Out extends FieldValues> = ReturnType<
  typeof useSavingForm<In, Out>
>
