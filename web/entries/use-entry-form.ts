import { zodResolver } from '@hookform/resolvers/zod'
import { useCallback, useState } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { z } from 'zod'
import { type Entry, type EntryFields, entryFields } from '#contract/entries.ts'
import { ApiError, overtakenBy } from '#web/api/api-error.ts'
import { formNames } from '#web/forms/form-names.ts'
import { readUnsaved } from '#web/forms/unsaved-text.ts'
import { useSession } from '#web/identity/session.tsx'
import { BLANK, differ, type EntryText, entryText, readDraft } from './entry-draft.ts'

export type EntryFormControl = UseFormReturn<EntryText, unknown, EntryFields>

const editorFields = entryFields.extend({ tags: entryFields.shape.tags.removeDefault() })

/** The text that was not chosen when two met. It stays in sight until the other is saved. */
export type SetAside = { whose: 'mine' | 'theirs'; text: EntryText }

type Save = (fields: EntryFields, version: number) => Promise<unknown>

export const textOf = ({ title, content, tags }: EntryText): EntryText => ({ title, content, tags })

/** Where writing begins: with what was left unsaved, else with the entry, else with nothing. */
function startOf(original: Entry | undefined, personId: string | undefined) {
  const text = original ? textOf(original) : BLANK
  const left = original ? readEdit(original._id, personId) : withoutVersion(readDraft(personId))
  const restored = left && differ(left, text) ? left : null
  const version = restored?.version ?? original?.version ?? 1
  return { base: { text, version }, restored: restored && textOf(restored) }
}

const readEdit = (entryId: string, personId: string | undefined) =>
  readUnsaved({ form: formNames.entry(entryId), personId }, entryText.extend({ version: z.number() }))

const withoutVersion = (draft: EntryText | null) => draft && { ...draft, version: undefined }

/** The editor's fields, what they are based on, and what became of saving them. */
export function useEntryForm(original: Entry | undefined, save: Save, onSaved: () => void) {
  const { user } = useSession()
  const [{ base, restored }, setStart] = useState(() => startOf(original, user?._id))
  const [fault, setFault] = useState<ApiError | null>(null)
  const [theirs, setTheirs] = useState<Entry | null>(null)
  const [setAside, putAside] = useState<SetAside | null>(null)
  const form = useForm<EntryText, unknown, EntryFields>({
    resolver: zodResolver(editorFields),
    defaultValues: restored ?? base.text,
  })

  const isUnsaved = useCallback(
    () => setAside?.whose === 'mine' || differ(form.getValues(), base.text),
    [base, form, setAside],
  )

  function begin(text: EntryText, version: number) {
    setStart({ base: { text, version }, restored: null })
    setFault(null)
  }

  /** Puts what was restored away and begins with what is on the server. */
  function startAfresh() {
    const text = original ? textOf(original) : BLANK
    begin(text, original?.version ?? 1)
    form.reset(text)
  }

  function take(error: ApiError) {
    setTheirs(overtakenBy(error) as Entry | null)
    setFault(error.code === 'stale' ? null : error)
    for (const { path, message } of error.issues) {
      const field = path.split('.')[0]
      if (field === 'title' || field === 'content' || field === 'tags') form.setError(field, { message })
    }
  }

  async function send(fields: EntryFields) {
    setFault(null)
    try {
      await save(fields, base.version)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      take(error)
      return
    }
    onSaved()
  }

  /** Of two texts that met, goes on with one and puts the other aside. */
  function choose(whose: SetAside['whose']) {
    if (!theirs) return
    const mine = textOf(form.getValues())
    putAside(whose === 'mine' ? { whose: 'theirs', text: textOf(theirs) } : { whose: 'mine', text: mine })
    begin(textOf(theirs), theirs.version)
    if (whose === 'theirs') form.reset(textOf(theirs))
    setTheirs(null)
  }

  return { form, base, restored, fault, theirs, setAside, isUnsaved, startAfresh, send, choose }
}
