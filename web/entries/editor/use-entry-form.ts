import { zodResolver } from '@hookform/resolvers/zod'
import { useCallback, useRef, useState } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { z } from 'zod'
import { type Entry, type EntryFields, entryFields } from '#contract/entries.ts'
import { ApiError, currentOf } from '#web/api/api-error.ts'
import { readDraft, removeDraft, storeDraft, useDraft } from '#web/forms/drafts.ts'
import { formNames } from '#web/forms/form-names.ts'
import { useSession } from '#web/identity/session.tsx'
import {
  BLANK,
  type DraftOrigin,
  type DraftState,
  differ,
  type EntryText,
  entryText,
  readNewEntryDraft,
  removeNewEntryDraft,
  storeNewEntryDraft,
} from './entry-draft.ts'

const editorFields = entryFields.extend({ tags: entryFields.shape.tags.removeDefault() })

/** The version that was not chosen in a conflict. It stays visible until the other one is saved. */
export type SetAside = { whose: 'mine' | 'theirs'; text: EntryText }

type Save = (fields: EntryFields, version: number) => Promise<Entry>

export const textOf = ({ title, content, tags }: EntryText): EntryText => ({ title, content, tags })

/** Returns what the form starts with: the draft, else the entry, else blank fields. */
function startOf(original: Entry | undefined, personId: string | undefined) {
  const text = original ? textOf(original) : BLANK
  const draft = original ? readEdit(original._id, personId) : withoutVersion(readNewEntryDraft(personId))
  const restored = draft && differ(draft, text) ? draft : null
  const version = restored?.version ?? original?.version ?? 1
  return { base: { text, version }, restored: restored && textOf(restored) }
}

const readEdit = (entryId: string, personId: string | undefined) =>
  readDraft({ form: formNames.entry(entryId), personId }, entryText.extend({ version: z.number() }))

const withoutVersion = (draft: EntryText | null) => draft && { ...draft, version: undefined }

/** The editor's fields, the version that they are based on, and the result of saving them. */
export function useEntryForm(original: Entry | undefined, save: Save, onSaved: (saved: Entry) => void) {
  const { user } = useSession()
  const [{ base, restored }, setStart] = useState(() => startOf(original, user?._id))
  const [saveError, setSaveError] = useState<ApiError | null>(null)
  const [theirs, setTheirs] = useState<Entry | null>(null)
  const [setAside, putAside] = useState<SetAside | null>(null)
  const [resets, setResets] = useState(0)
  const form = useForm<EntryText, unknown, EntryFields>({
    resolver: zodResolver(editorFields),
    defaultValues: restored ?? base.text,
  })

  const isDirty = useCallback(
    () => setAside?.whose === 'mine' || differ(form.getValues(), base.text),
    [base, form, setAside],
  )

  function rebase(text: EntryText, version: number) {
    setStart({ base: { text, version }, restored: null })
    setSaveError(null)
  }

  function reset(text: EntryText) {
    form.reset(text)
    setResets((count) => count + 1)
  }

  /** Discards the restored draft and resets the form to what is on the server. */
  function discardDraft() {
    const text = original ? textOf(original) : BLANK
    rebase(text, original?.version ?? 1)
    reset(text)
  }

  function showError(error: ApiError) {
    setTheirs(currentOf(error) as Entry | null)
    setSaveError(error.code === 'stale' ? null : error)
    for (const { path, message } of error.issues) {
      const field = path.split('.')[0]
      if (field === 'title' || field === 'content' || field === 'tags') form.setError(field, { message })
    }
  }

  async function submit(fields: EntryFields) {
    setSaveError(null)
    let saved: Entry
    try {
      saved = await save(fields, base.version)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      showError(error)
      return
    }
    onSaved(saved)
  }

  /** Resolves a conflict: continues with one version and sets the other aside. */
  function resolveConflict(whose: SetAside['whose']) {
    if (!theirs) return
    const mine = textOf(form.getValues())
    putAside(whose === 'mine' ? { whose: 'theirs', text: textOf(theirs) } : { whose: 'mine', text: mine })
    rebase(textOf(theirs), theirs.version)
    if (whose === 'theirs') reset(textOf(theirs))
    setTheirs(null)
  }

  return {
    form,
    /** How often the fields were reset to other texts. */
    resets,
    base,
    restored,
    saveError,
    theirs,
    setAside,
    isDirty,
    discardDraft,
    submit,
    resolveConflict,
  }
}

type DraftOptions = {
  form: UseFormReturn<EntryText, unknown, EntryFields>
  entryId: string | undefined
  /** The version of the entry that is being changed. */
  version: number
  /** The milestone that a new entry is written in. */
  origin: DraftOrigin
  isDirty: () => boolean
}

/** Keeps a draft of the entry in this browser: one for the next new entry, and one for each existing entry. */
export function useEntryDraft({ form, entryId, version, origin, isDirty }: DraftOptions) {
  const [state, setState] = useState<DraftState>('none')
  const { user } = useSession()
  // The person who opened the editor; when the session ends, the editor is unmounted with it.
  const [personId] = useState(user?._id)
  const draftKey = {
    form: entryId ? formNames.entry(entryId) : formNames.newEntry(origin.milestoneId),
    personId,
  }

  const stored = useRef<DraftState>('none')

  function show(next: DraftState) {
    stored.current = next
    setState(next)
  }

  function store() {
    const text = textOf(form.getValues())
    if (entryId === undefined) show(storeNewEntryDraft(text, personId, origin))
    else show(storeDraft(draftKey, { ...text, version }) ? 'stored' : 'not stored')
  }

  function remove() {
    show('none')
    if (entryId === undefined) removeNewEntryDraft()
    else removeDraft(draftKey)
  }

  const draft = useDraft({ form, draftKey, isDirty, store, remove })
  return {
    state,
    personId,
    remove,
    ...draft,
    /** Stores what was typed; returns whether the browser could store it. */
    pause() {
      draft.pause()
      return stored.current
    },
  }
}
