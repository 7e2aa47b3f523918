import { zodResolver } from '@hookform/resolvers/zod'
import { type BaseSyntheticEvent, useRef, useState } from 'react'
import { type DefaultValues, type FieldValues, type Path, useForm } from 'react-hook-form'
import { z } from 'zod'
import { ApiError } from '#web/api/api-error.ts'
import { forgetCalls, type SendingForm } from '#web/api/saving.ts'
import { useSession } from '#web/identity/session.tsx'
import { markInterrupted, readDraft, removeDraft, storeDraft } from './drafts.ts'
import { callsOf, keptCalls, keptCallsOf } from './kept-calls.ts'
import { useLeaveGuard } from './leave-guard.tsx'
import { useDraft } from './use-draft.ts'

type Versioned<In> = In & { version: number }

type Options<In extends FieldValues, Out extends FieldValues> = {
  /** The name of `formNames`. */
  name: string
  schema: z.ZodType<Out, In>
  /** The fields of a new one, and what a fetched resource leaves out. */
  blank: In
  /** The resource as it was fetched; absent for a new one. */
  original?: Versioned<In> | undefined
  save: (fields: Out, version: number, form: SendingForm) => Promise<unknown>
  onClose: () => void
}

/** The names of the forms that are being saved: their drafts are not restored. */
const sending = new Set<string>()

/** While a form is being saved, from whatever screen, the browser asks before the page is closed: that would abort the call. */
async function whileSaving(name: string, saved: Promise<unknown>): Promise<void> {
  const warn = (event: BeforeUnloadEvent) => event.preventDefault()
  sending.add(name)
  addEventListener('beforeunload', warn)
  try {
    await saved
  } finally {
    removeEventListener('beforeunload', warn)
    sending.delete(name)
  }
}

/**
 * A form whose dialog closes as soon as it is submitted. If saving fails, the dialog reopens with the fields and the
 * error; after a conflict also with the other version, which the next save replaces. Drafts outlive the session and the
 * page.
 */
export function useSavingForm<In extends FieldValues, Out extends FieldValues>(options: Options<In, Out>) {
  const { name, schema, blank, save, onClose } = options
  const { user } = useSession()
  const [draftKey] = useState({ form: name, personId: user?._id })
  const [{ original, restored, calls }, setStart] = useState(() => {
    const stored = sending.has(name) ? null : readDraft(draftKey, storedAs(blank))
    const found = stored ? (stored.original ?? undefined) : options.original
    return {
      original: found && { ...blank, ...found },
      restored: stored?.typed ?? null,
      calls: callsOf(stored?.calls),
    }
  })
  const form = useForm({
    resolver: zodResolver(schema),
    defaultValues: startOf(restored ?? original ?? blank),
  })
  const [sent, setSent] = useState(false)
  /** Set at once, unlike `sent`: a second press may arrive before the dialog has closed. */
  const isSending = useRef(false)
  const [saveError, setSaveError] = useState<ApiError | null>(null)
  const [theirs, setTheirs] = useState<Versioned<In> | null>(null)
  const fields = Object.keys(blank) as Path<In>[]

  function isDirty() {
    const before = original ?? blank
    return !sent && fields.some((field) => form.getValues(field) !== before[field])
  }

  function store() {
    const typed = { typed: pick(form.getValues(), blank), original: original ?? null }
    // Rather the text alone than nothing, where the browser is nearly full.
    if (!storeDraft(draftKey, { ...typed, calls: keptCallsOf(calls) })) storeDraft(draftKey, typed)
  }

  const draft = useDraft({
    form,
    draftKey,
    isDirty,
    store,
    remove: () => removeDraft(draftKey),
  })

  const guard = useLeaveGuard(isDirty, () => {
    draft.end()
    onClose()
  })

  function discardDraft() {
    removeDraft(draftKey)
    forgetCalls(calls)
    setStart({ original: options.original, restored: null, calls })
    form.reset(startOf(options.original ?? blank))
  }

  function showError(error: ApiError) {
    const placed = error.issues.filter(({ path }) => path in blank)
    for (const { path, message } of placed) form.setError(path as Path<In>, { message })
    if (placed.length === 0) setSaveError(error)
  }

  /** Fields without changes take their values; the person decides about the others. */
  function rebase(fetched: Versioned<In>) {
    const current = { ...blank, ...fetched }
    const before = theirs ?? original
    for (const field of fields) {
      if (form.getValues(field) === before?.[field]) form.setValue(field, current[field])
    }
    setTheirs(current)
  }

  function handleFailure(error: unknown) {
    setSent(false)
    draft.resume()
    if (!(error instanceof ApiError)) throw error
    if (error.status === 401) markInterrupted(draftKey)
    if (error.code === 'stale') rebase(error.current as Versioned<In>)
    else showError(error)
  }

  async function send(fields: Out) {
    if (isSending.current) return
    isSending.current = true
    draft.pause()
    setSent(true)
    setSaveError(null)
    try {
      await whileSaving(name, save(fields, (theirs ?? original)?.version ?? 1, { calls, keep: store }))
    } catch (error) {
      isSending.current = false
      return handleFailure(error)
    }
    draft.end()
    onClose()
  }

  return {
    form,
    submit: (event?: BaseSyntheticEvent) => form.handleSubmit(send)(event),
    open: !sent,
    saveError,
    original,
    theirs,
    guard,
    isRestored: restored !== null,
    discardDraft,
  }
}

const startOf = <In extends FieldValues>(values: In) => values as DefaultValues<In>

const pick = <In extends object>(values: In, { ...blank }: In) =>
  Object.fromEntries(Object.keys(blank).map((field) => [field, values[field as keyof In]]))

/** Returns the schema of a stored draft: what was typed, the resource that it changes, and what may have been done of it. */
function storedAs<In extends FieldValues>(blank: In) {
  const fields = Object.entries(blank).map(([field, value]) => [
    field,
    typeof value === 'boolean' ? z.boolean() : z.string(),
  ])
  const typed = z.object(Object.fromEntries(fields)) as unknown as z.ZodType<In>
  const original = typed.and(z.object({ version: z.number() })) as unknown as z.ZodType<Versioned<In>>
  return z.object({ typed, original: original.nullable(), calls: keptCalls })
}

export type SavingForm<In extends FieldValues, Out extends FieldValues> = ReturnType<
  typeof useSavingForm<In, Out>
>
