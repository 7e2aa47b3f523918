import { use, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { EntryFields } from '#contract/entries.ts'
import { formNames, removeFormDraft, storageKey, storeFormDraft } from '#web/forms/form-drafts.ts'
import { useFormDraft } from '#web/forms/use-form-draft.ts'
import { useSession } from '#web/identity/session.tsx'
import type { FormChanges } from '#web/saving/form-changes.ts'
import { zoneOf } from '#web/ui/layout/days.ts'
import { DateContext } from '#web/ui/layout/time.tsx'
import { type InitialDraft, markStored } from './draft-record.ts'
import {
  DRAFT_KEY,
  type DraftOrigin,
  type DraftState,
  type EntryChoices,
  type EntryText,
  removeNewEntryDraft,
  storeNewEntryDraft,
  textOf,
} from './entry-draft.ts'
import { useDraftSync } from './use-draft-sync.ts'

type DraftOptions = {
  form: UseFormReturn<EntryText, unknown, EntryFields>
  entryId: string | undefined
  /** The version of the entry that is being edited. */
  version: number
  /** The milestone of a new entry. */
  origin: DraftOrigin
  choices: EntryChoices
  changes: FormChanges
  initialDraft: InitialDraft
  isDirty: () => boolean
}

/**
 * Stores a draft of the entry in this browser and on the server: one for a new entry and one for each existing entry.
 */
export function useEntryDraft(options: DraftOptions) {
  const { form, entryId, version, origin, choices, changes, initialDraft, isDirty } = options
  const { user } = useSession()
  // The person who opened the editor; when the session ends, the editor is unmounted with it.
  const [personId] = useState(user?._id)
  const [slot] = useState({ personId, entryId })
  const draftKey = {
    form: entryId ? formNames.entry(entryId) : formNames.newEntry(origin.milestoneId),
    personId,
  }
  const stored = useRef<DraftState>('none')

  function storeLocally(): boolean {
    const text = textOf(form.getValues())
    const { day, coverFile } = choices
    if (entryId === undefined)
      stored.current = storeNewEntryDraft(text, personId, { ...origin, day, coverFile, id: changes.id })
    else stored.current = storeFormDraft(draftKey, { ...text, ...choices, version }) ? 'stored' : 'not stored'
    if (stored.current === 'stored') markStored(slot)
    return stored.current !== 'not stored'
  }

  function remove() {
    stored.current = 'none'
    if (entryId === undefined) removeNewEntryDraft()
    else removeFormDraft(draftKey)
  }

  const extra = JSON.stringify([choices, origin.milestoneId])
  const onServer = useDraftSync({
    form,
    slot,
    initialDraft,
    baseVersion: version,
    origin,
    choices,
    zone: zoneOf(use(DateContext)),
    extra,
    isDirty,
    storeLocally,
    localKey: entryId === undefined ? DRAFT_KEY : storageKey(draftKey),
  })
  const { sync } = onServer
  const store = () => sync.noteLocal(storeLocally())
  const local = useFormDraft({
    form,
    draftKey,
    isDirty,
    extra,
    store,
    remove,
  })

  return {
    status: onServer.status,
    other: onServer.other,
    personId,
    fields: onServer.fields,
    /** Stores the text in this browser now. */
    store,
    /** Whether the server has the text on the screen. */
    isOnServer: () => sync.isSaved,
    /** The id of the draft, and of the entry that it becomes. */
    id: () => sync.id,
    /** Discards the draft here and on the server. */
    discard() {
      remove()
      sync.discard()
    },
    /** The content was saved. */
    end() {
      local.end()
      onServer.end()
    },
    /** Stores the text and stops; returns whether the browser could store it. */
    leave() {
      local.pause()
      return stored.current
    },
    /** Called before the entry is saved; resolves to the id of the draft that the save ends. */
    pause: () => sync.pause(),
    resume: () => onServer.resume(),
    /** Sends unsent changes now; again as another draft if the previous one has ended. */
    async flush() {
      for (let times = 0; times < 2 && !sync.isSaved; times += 1) await sync.flush()
    },
  }
}
