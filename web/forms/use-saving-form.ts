import { zodResolver } from '@hookform/resolvers/zod'
import { type BaseSyntheticEvent, useRef, useState } from 'react'
import { type DefaultValues, type FieldValues, type Path, type UseFormReturn, useForm } from 'react-hook-form'
import { z } from 'zod'
import { ApiError } from '#web/api/api-error.ts'
import { newId } from '#web/api/ids.ts'
import { useSession } from '#web/identity/session.tsx'
import { type DraftKey, readDraft, removeDraft, saveInProgress, storeDraft } from '#web/saving/drafts.ts'
import { claimChanges, clearChanges, type FormChanges, idOf } from '#web/saving/form-changes.ts'
import { markInterrupted } from '#web/saving/interrupted.ts'
import { useIsMounted } from '#web/ui/layout/use-is-mounted.ts'
import { useLeaveGuard, whileSaving } from './leave-guard.tsx'
import { useFormDraft } from './use-form-draft.ts'

type Options<In extends FieldValues, Out extends FieldValues> = {
  /** The form's name in `formNames`. */
  name: string
  schema: z.ZodType<Out, In>
  /** The fields of a new resource, and the defaults of fields that a fetched one omits. */
  blank: In
  /** The fetched resource; absent for a new one. */
  original?: Versioned<In> | undefined
  /** `version`: on which the fields are based; 0 if they are those of something new. */
  save: (fields: Out, version: number, form: FormChanges) => Promise<unknown>
  onClose: () => void
  /**
   * While a field is still being filled, for example by a picture that is being uploaded: whether the form should be sent
   * afterwards.
   */
  isReady?: () => Promise<boolean> | undefined
}

/**
 * A form whose dialog closes as soon as it is submitted. If saving fails, the dialog reopens with the fields and the error; after
 * a conflict also with the other version, which the next save replaces. Drafts survive the session and the page.
 */
export function useSavingForm<In extends FieldValues, Out extends FieldValues>(options: Options<In, Out>) {
  const { blank, save, onClose, isReady } = options
  const { form, draftKey, original, isRestored, changes, thing, discardDraft } = useStart(options)
  const [sent, setSent] = useState(false)
  /** Set immediately, unlike `sent`, because a second press may arrive before the dialog has closed. */
  const isSending = useRef(false)
  const [saveError, setSaveError] = useState<ApiError | null>(null)
  const { theirs, base, isSeen, rebase } = useConflict(form, blank, original)

  function isDirty() {
    return !sent && !isSameIn(blank, form.getValues(), original ?? blank)
  }

  function store() {
    storeDraft(draftKey, { fields: pick(form.getValues(), blank), base: original, id: thing() })
  }

  const draft = useFormDraft({ form, draftKey, isDirty, store })

  function finish() {
    draft.end()
    onClose()
  }

  const guard = useLeaveGuard(isDirty, () => {
    clearChanges(changes, thing())
    finish()
  })

  function handleFailure(error: unknown) {
    setSent(false)
    draft.resume()
    if (!(error instanceof ApiError)) throw error
    if (error.status === 401) markInterrupted(draftKey)
    if (error.code === 'stale') return rebase(error.current as Versioned<In>)
    const placed = error.issues.filter(({ path }) => path in blank)
    for (const { path, message } of placed) form.setError(path as Path<In>, { message })
    if (placed.length === 0) setSaveError(error)
  }

  async function send(values: Out) {
    if (isSending.current) return
    isSending.current = true
    draft.pause()
    setSent(true)
    setSaveError(null)
    try {
      await whileSaving(draftKey, save(values, base?.version ?? 0, Object.assign(changes, { isSeen })))
    } catch (error) {
      isSending.current = false
      return handleFailure(error)
    }
    finish()
  }

  const isShown = useIsMounted()

  async function submit(event?: BaseSyntheticEvent) {
    event?.preventDefault()
    const ready = isReady?.()
    // The form may be canceled meanwhile.
    if (ready && !((await ready) && isShown())) return
    await form.handleSubmit(send)(event)
  }

  return { form, submit, open: !sent, saveError, original, theirs, guard, isRestored, discardDraft }
}

/** The form as it is shown at first: with its stored draft, or else the fetched resource. `changes`: what it knows of its changes. */
function useStart<In extends FieldValues, Out extends FieldValues>(options: Options<In, Out>) {
  const { name, schema, blank } = options
  const { user } = useSession()
  const [draftKey] = useState({ form: name, personId: user?._id })
  const [{ original, restored, changes }, setStart] = useState(() => {
    const stored = saveInProgress(draftKey) ? null : readStart(draftKey, blank)
    const found = stored ? (stored.base ?? undefined) : options.original
    const changes: FormChanges = { id: stored?.id ?? newId() }
    void claimChanges(found?._id ?? idOf(changes))
    return { original: found && startingFrom(blank, found), restored: stored?.fields ?? null, changes }
  })
  const form = useForm({
    resolver: zodResolver(schema),
    defaultValues: startOf(restored ?? original ?? blank),
  })

  /** Returns the id of what the form changes, or creates. */
  const thing = () => original?._id ?? idOf(changes)

  /** Returns the function that brings the draft back. */
  function discardDraft(): () => void {
    const discarded = { original, restored: form.getValues(), changes }
    removeDraft(draftKey)
    const bringBack = clearChanges(changes, thing())
    setStart({ original: options.original, restored: null, changes })
    form.reset(startOf(options.original ?? blank))
    return () => {
      bringBack()
      setStart(discarded)
      form.reset(startOf(discarded.restored))
    }
  }

  return { form, draftKey, original, isRestored: restored !== null, changes, thing, discardDraft }
}

/** The other version of a resource, after somebody has saved it while the form was open. */
function useConflict<In extends FieldValues, Out extends FieldValues>(
  form: UseFormReturn<In, unknown, Out>,
  blank: In,
  original: Versioned<In> | undefined,
) {
  const [theirs, setTheirs] = useState<Versioned<In> | null>(null)
  const base = theirs ?? original

  /**
   * Whether the fields are those that are shown, although the version differs: a milestone was completed by its marker, for example, or
   * another tab has saved the same.
   */
  function isSeen(current: unknown) {
    const fetched = startingFrom(blank, current as In)
    return isSameIn(blank, fetched, base) || isSameIn(blank, fetched, form.getValues())
  }

  /** Unchanged fields take the values of `fetched`; the person decides about the others. */
  function rebase(fetched: Versioned<In>) {
    const current = startingFrom(blank, fetched)
    for (const field of Object.keys(blank) as Path<In>[]) {
      if (form.getValues(field) === base?.[field]) form.setValue(field, current[field])
    }
    setTheirs(current)
  }

  return { theirs, base, isSeen, rebase }
}

/** A fetched resource. */
type Versioned<In> = In & { version: number; _id?: string | undefined }

/** Returns the stored draft: the typed fields, the resource on which they are based, and the id of what they create. */
function readStart<In extends FieldValues>(draftKey: DraftKey, blank: In) {
  const fields = Object.entries(blank).map(([field, value]) => [
    field,
    typeof value === 'boolean' ? z.boolean() : z.string(),
  ])
  const typed = z.object(Object.fromEntries(fields)) as unknown as z.ZodType<In>
  const original = typed.and(
    z.object({ version: z.number(), _id: z.string().optional() }),
  ) as unknown as z.ZodType<Versioned<In>>
  return readDraft(draftKey, typed, original.nullish())
}

/** Returns what a form shows of a resource: null is an empty text. */
const startingFrom = <In extends FieldValues, Fetched extends In>(blank: In, fetched: Fetched): Fetched => {
  const shown = Object.entries(blank).map(([field, value]) => [field, fetched[field] ?? value])
  return { ...fetched, ...Object.fromEntries(shown) }
}

const startOf = <In extends FieldValues>(values: In) => values as DefaultValues<In>

const isSameIn = <In extends object>(blank: In, one: In, other: In | undefined): boolean =>
  Object.keys(blank).every((field) => one[field as keyof In] === other?.[field as keyof In])

const pick = <In extends object>(values: In, { ...blank }: In) =>
  Object.fromEntries(Object.keys(blank).map((field) => [field, values[field as keyof In]]))

export type SavingForm<In extends FieldValues, Out extends FieldValues> = ReturnType<
  typeof useSavingForm<In, Out>
>
