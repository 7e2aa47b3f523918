import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type Entry, type EntryFields, entryFields } from '#contract/entries.ts'
import { ApiError } from '#web/api/api-error.ts'
import { isOutOfReach, useConnectionBack } from '#web/api/connection-back.ts'
import { separatePictures } from '#web/composer/attachments/file-text.ts'
import {
  BLANK,
  differ,
  type EntryDraft,
  type EntryText,
  hasChoices,
  textOf,
} from '#web/composer/drafts/entry-draft.ts'
import { type EntryConflict, type SaveOptions, saveMerging } from '#web/composer/merge/save-merging.ts'

const composerFields = entryFields.extend({ tags: entryFields.shape.tags.removeDefault() })

/** The version that was not chosen in a conflict. It is shown until the other one is saved. */
export type UnchosenVersion = { whose: 'mine' | 'theirs'; text: EntryText }

/** Returns the initial values of the form: the draft, else the entry, else blank fields. */
function startOf(original: Entry | undefined, draft: EntryDraft | null) {
  const text = original ? textOf(original) : BLANK
  const isChanged = draft && (differ(draft.text, text) || (original && hasChoices(draft.choices)))
  const restored = isChanged ? draft : null
  const version = restored?.version ?? original?.version ?? 0
  const base = { text, version, isKnown: version === (original?.version ?? 0), isMerged: false }
  return { base, restored: restored && restored.text }
}

/** The text of the composer, its base version, and the result of saving it. */
export function useEntryForm(original: Entry | undefined, draft: EntryDraft | null) {
  const [{ base, restored }, setStart] = useState(() => startOf(original, draft))
  const [saveError, setSaveError] = useState<ApiError | null>(null)
  const [resets, setResets] = useState(0)
  const form = useForm<EntryText, unknown, EntryFields>({
    resolver: zodResolver(composerFields),
    defaultValues: restored ?? base.text,
  })

  useConnectionBack(isOutOfReach(saveError), () => setSaveError(null))

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

  const { conflict, unchosen, setConflict, resolveConflict } = useEntryConflict(rebase, reset)

  function showError(error: ApiError) {
    setSaveError(error)
    for (const { path, message } of error.issues) {
      const field = path.split('.')[0]
      if (field === 'title' || field === 'content' || field === 'tags') form.setError(field, { message })
    }
  }

  /** Resolves to the saved entry, and whether it contains changes of somebody else; to null if it shows why it is not saved. */
  async function submit(typed: EntryFields, options: Omit<SaveOptions, 'base'>) {
    setSaveError(null)
    const isUnchanged = typed.content === base.text.content
    const fields = isUnchanged ? typed : { ...typed, content: separatePictures(typed.content) }
    const saving = await saveMerging(fields, { ...options, base })
    if (saving.base !== base) {
      rebase(saving.base.text, saving.base.version, saving.base.isMerged)
      reset(saving.text)
    }
    if ('saved' in saving) return saving
    if ('conflict' in saving) setConflict(saving.conflict)
    else showError(saving.error)
    return null
  }

  return {
    form,
    /** The number of times the fields were reset to other texts. */
    resets,
    base,
    restored,
    saveError,
    conflict,
    unchosen,
    isDirty: () => unchosen?.whose === 'mine' || differ(form.getValues(), base.text),
    discardDraft,
    submit,
    resolveConflict,
  }
}

/** A conflict with what somebody else has saved, and afterwards the version that was not chosen. */
function useEntryConflict(
  rebase: (text: EntryText, version: number, isMerged: boolean) => void,
  reset: (text: EntryText) => void,
) {
  const [conflict, setConflict] = useState<EntryConflict | null>(null)
  const [unchosen, setUnchosen] = useState<UnchosenVersion | null>(null)

  /** Resolves a conflict: continues with one version or a merge of both, and keeps the other one visible. */
  function resolveConflict(result: 'mine' | 'theirs' | EntryText) {
    if (!conflict) return
    const { mine, theirs } = conflict
    setUnchosen(result === 'mine' ? { whose: 'theirs', text: textOf(theirs) } : { whose: 'mine', text: mine })
    rebase(textOf(theirs), theirs.version, typeof result === 'object')
    if (result !== 'mine') reset(result === 'theirs' ? textOf(theirs) : result)
    setConflict(null)
  }

  return { conflict, unchosen, setConflict, resolveConflict }
}
