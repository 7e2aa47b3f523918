import { zodResolver } from '@hookform/resolvers/zod'
import { useCallback, useState } from 'react'
import { useForm } from 'react-hook-form'
import { type Entry, type EntryFields, entryFields } from '#contract/entries.ts'
import { ApiError } from '#web/api/api-error.ts'
import { separatePictures } from '#web/composer/attachments/file-text.ts'
import {
  BLANK,
  differ,
  type EntryChoices,
  type EntryText,
  entryKey,
  hasChoices,
  readEntryDraft,
  textOf,
} from '#web/composer/drafts/entry-draft.ts'
import { type EntryConflict, saveMerging } from '#web/composer/merge/save-merging.ts'
import { useSession } from '#web/identity/session.tsx'
import type { FormChanges } from '#web/saving/form-changes.ts'

const composerFields = entryFields.extend({ tags: entryFields.shape.tags.removeDefault() })

/** The version that was not chosen in a conflict. It is shown until the other one is saved. */
export type UnchosenVersion = { whose: 'mine' | 'theirs'; text: EntryText }

type Save = (fields: EntryFields & { merged?: true }, version: number) => Promise<Entry>

/** Returns the initial values of the form: the draft, else the entry, else blank fields. */
function startOf(original: Entry | undefined, personId: string | undefined) {
  const text = original ? textOf(original) : BLANK
  const draft = readEntryDraft(entryKey(personId, original?._id))
  const isChanged = draft && (differ(draft.text, text) || (original && hasChoices(draft.choices)))
  const restored = isChanged ? draft : null
  const version = restored?.version ?? original?.version ?? 0
  const base = { text, version, isKnown: version === (original?.version ?? 0), isMerged: false }
  return { base, restored: restored && restored.text }
}

type EntryFormOptions = {
  save: Save
  changes: FormChanges
  /** The choices besides the text. */
  chosen: EntryChoices
  /** `wasStale`: the saved entry contains changes of somebody else. */
  onSaved: (saved: Entry, wasStale: boolean) => void
}

/** The composer's fields, their base version, and the result of saving them. */
export function useEntryForm(
  original: Entry | undefined,
  { save, changes, chosen, onSaved }: EntryFormOptions,
) {
  const { user } = useSession()
  const [opened] = useState(original)
  const [{ base, restored }, setStart] = useState(() => startOf(original, user?._id))
  const [saveError, setSaveError] = useState<ApiError | null>(null)
  const [conflict, setConflict] = useState<EntryConflict | null>(null)
  const [unchosen, setUnchosen] = useState<UnchosenVersion | null>(null)
  const [resets, setResets] = useState(0)
  const form = useForm<EntryText, unknown, EntryFields>({
    resolver: zodResolver(composerFields),
    defaultValues: restored ?? base.text,
  })

  const isDirty = useCallback(
    () => unchosen?.whose === 'mine' || differ(form.getValues(), base.text),
    [base, form, unchosen],
  )

  function rebase(text: EntryText, version: number, isMerged = false) {
    setStart({ base: { text, version, isKnown: true, isMerged }, restored: null })
    setSaveError(null)
  }

  function reset(text: EntryText) {
    form.reset(text)
    setResets((count) => count + 1)
  }

  /** Discards the restored draft and resets the form to the saved entry. Returns the function that undoes it. */
  function discardDraft(): () => void {
    const discarded = { start: { base, restored }, text: textOf(form.getValues()) }
    const text = original ? textOf(original) : BLANK
    rebase(text, original?.version ?? 0)
    reset(text)
    return () => {
      setStart(discarded.start)
      reset(discarded.text)
    }
  }

  function showError(error: ApiError) {
    setSaveError(error)
    for (const { path, message } of error.issues) {
      const field = path.split('.')[0]
      if (field === 'title' || field === 'content' || field === 'tags') form.setError(field, { message })
    }
  }

  async function submit(typed: EntryFields) {
    setSaveError(null)
    const isUnchanged = typed.content === base.text.content
    const fields = isUnchanged ? typed : { ...typed, content: separatePictures(typed.content) }
    const saving = await saveMerging(fields, { base, chosen, original: opened, save, changes })
    if (saving.base !== base) {
      rebase(saving.base.text, saving.base.version, saving.base.isMerged)
      reset(saving.text)
    }
    if ('saved' in saving) onSaved(saving.saved, saving.wasStale)
    else if ('conflict' in saving) setConflict(saving.conflict)
    else showError(saving.error)
  }

  /** Resolves a conflict: continues with one version or a merge of both, and keeps the other one visible. */
  function resolveConflict(result: 'mine' | 'theirs' | EntryText) {
    if (!conflict) return
    const { mine, theirs } = conflict
    setUnchosen(result === 'mine' ? { whose: 'theirs', text: textOf(theirs) } : { whose: 'mine', text: mine })
    rebase(textOf(theirs), theirs.version, typeof result === 'object')
    if (result !== 'mine') reset(result === 'theirs' ? textOf(theirs) : result)
    setConflict(null)
  }

  return {
    form,
    /** The number of times the fields were reset to other texts. */
    resets,
    base,
    restored,
    saveError,
    /** Hides the reason why the entry was not saved. */
    clearError: () => setSaveError(null),
    conflict,
    unchosen,
    isDirty,
    discardDraft,
    submit,
    resolveConflict,
  }
}
