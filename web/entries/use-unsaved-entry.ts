import { useState } from 'react'
import { formNames } from '#web/forms/form-names.ts'
import { removeUnsaved, storeUnsaved } from '#web/forms/unsaved-text.ts'
import { useUnsavedText } from '#web/forms/use-unsaved-text.ts'
import { useSession } from '#web/identity/session.tsx'
import { type DraftOrigin, type DraftState, keepDraft, removeDraft } from './entry-draft.ts'
import { type EntryFormControl, textOf } from './use-entry-form.ts'

type Options = {
  form: EntryFormControl
  entryId: string | undefined
  /** The version of the entry that is being changed. */
  version: number
  /** Where a new entry is written. */
  origin: DraftOrigin
  isUnsaved: () => boolean
}

/** Keeps text that is not on the server yet in this browser: a new entry's as the draft, a change of an existing one by its entry. */
export function useUnsavedEntry({ form, entryId, version, origin, isUnsaved }: Options) {
  const [draft, setDraft] = useState<DraftState>('none')
  const { user } = useSession()
  // The one who began: when the session ends, the editor goes away with it.
  const [personId] = useState(user?._id)
  const formOf = {
    form: entryId ? formNames.entry(entryId) : formNames.newEntry(origin.milestoneId),
    personId,
  }

  function store() {
    const text = textOf(form.getValues())
    if (entryId === undefined) setDraft(keepDraft(text, personId, origin))
    else setDraft(storeUnsaved(formOf, { ...text, version }) ? 'kept' : 'cannot be kept')
  }

  function remove() {
    setDraft('none')
    if (entryId === undefined) removeDraft()
    else removeUnsaved(formOf)
  }

  return { draft, remove, ...useUnsavedText({ form, formOf, isUnsaved, store, remove }) }
}
