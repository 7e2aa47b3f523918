import { use, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { EntryFields } from '#contract/entries.ts'
import { useFormDraft } from '#web/forms/use-form-draft.ts'
import { useSession } from '#web/identity/session.tsx'
import { removeDraft } from '#web/saving/drafts.ts'
import type { FormChanges } from '#web/saving/form-changes.ts'
import { zoneOf } from '#web/ui/layout/days.ts'
import { DateContext } from '#web/ui/layout/time.tsx'
import type { InitialDraft } from './choose-draft.ts'
import {
  type DraftOrigin,
  type EntryChoices,
  type EntryText,
  entryKey,
  storeEntryDraft,
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
  // The person who opened the composer; when the session ends, the composer is unmounted with it.
  const [draftKey] = useState(() => entryKey(user?._id, entryId))
  const isStored = useRef(true)

  function storeLocally(): boolean {
    const text = textOf(form.getValues())
    const { day, coverFile } = choices
    const draft = entryId
      ? { text, choices, version }
      : { text, choices: { day, coverFile }, origin, id: changes.id }
    isStored.current = storeEntryDraft(draftKey, draft)
    return isStored.current
  }

  const onServer = useDraftSync({
    form,
    draftKey,
    initialDraft,
    baseVersion: version,
    origin,
    choices,
    zone: zoneOf(use(DateContext)),
    isDirty,
    storeLocally,
  })
  const { sync } = onServer
  const store = () => sync.noteLocal(storeLocally())
  const local = useFormDraft({
    form,
    draftKey,
    isDirty,
    extra: JSON.stringify([choices, origin.milestoneId]),
    store,
    onChange: () => sync.changed(),
  })

  return {
    status: onServer.status,
    other: onServer.other,
    key: draftKey,
    fields: onServer.fields,
    /** Stores the text in this browser now. */
    store,
    /** Whether the server has the text on the screen. */
    isOnServer: () => sync.isSaved,
    /** The id of the draft, and of the entry that it becomes. */
    id: () => sync.id,
    /** Discards the draft here and on the server. */
    discard() {
      removeDraft(draftKey)
      isStored.current = true
      sync.discard()
    },
    /** The content was saved. */
    end() {
      local.end()
      onServer.end()
    },
    /** Stores the text and stops; returns false if the browser could not store it. */
    leave() {
      local.pause()
      return isStored.current
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
