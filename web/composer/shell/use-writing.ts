import { useState } from 'react'
import type { Entry } from '#contract/entries.ts'
import { useEntryFiles } from '#web/composer/attachments/files-in-text.tsx'
import { fileOfCover, useCoverChoice } from '#web/composer/attachments/image-choice.ts'
import type { InitialDraft } from '#web/composer/drafts/choose-draft.ts'
import {
  BLANK,
  type DraftOrigin,
  differ,
  type EntryChoices,
  entryKey,
  hasChoices,
  readEntryDraft,
  textOf,
} from '#web/composer/drafts/entry-draft.ts'
import { useEntryDraft } from '#web/composer/drafts/use-entry-draft.ts'
import { useSession } from '#web/identity/session.tsx'
import type { FormChanges } from '#web/saving/form-changes.ts'
import type { MilestoneRef } from './composer-settings.ts'
import { useDateAndState } from './date-and-state.ts'
import { useEntryForm } from './use-entry-form.ts'

export type WritingOptions = {
  /** The current milestone of the entry. */
  source: MilestoneRef
  /** The milestone to save it in. */
  target: MilestoneRef
  onTarget: (target: MilestoneRef) => void
  /** The titles of the target. */
  origin: DraftOrigin
  /** The fetched entry; absent for a new one. */
  original: Entry | undefined
  initialDraft: InitialDraft
}

/** What is written in the composer: text, day, state, cover and files, with their draft. */
export function useWriting(options: WritingOptions) {
  const { source, target, origin, original, initialDraft } = options
  const personId = useSession().user?._id
  const [stored] = useState(() => readEntryDraft(entryKey(personId, original?._id)))
  const [changes] = useState<FormChanges>(() => ({ id: stored?.id }))
  /** The entry when the form was opened; the other one is refetched when others save. */
  const [opened] = useState(original)
  const files = useEntryFiles(target.projectId)
  const dateAndState = useDateAndState(original, stored?.choices.day)
  const cover = useCoverChoice(files, opened, stored?.choices.coverFile)
  const entry = useEntryForm(original, stored)
  /** Whether the result of a merge was edited by hand, which no draft contains. */
  const [hasResult, setHasResult] = useState(false)
  const choices: EntryChoices = {
    day: dateAndState.chosenDay,
    place: original && target.milestoneId !== source.milestoneId ? target : undefined,
    coverFile: cover.changed,
  }
  const isChanged = () => (original !== undefined && hasChoices(choices)) || entry.isDirty()
  const draft = useEntryDraft({
    form: entry.form,
    entryId: original?._id,
    version: entry.base.version,
    origin,
    choices,
    changes,
    initialDraft,
    isDirty: isChanged,
  })

  /** Whether no draft would refer to some files. Drafts contain the chosen cover, but a new entry without a text has none. */
  function losesFiles(): boolean {
    const isBlank = !original && !differ(textOf(entry.form.getValues()), BLANK)
    return files?.hasArrivals === true || (isBlank && fileOfCover(cover.cover) !== null)
  }

  return {
    ...options,
    entry,
    changes,
    opened,
    files,
    dateAndState,
    cover,
    choices,
    draft,
    hasResult,
    setHasResult,
    losesFiles,
    /** Whether it is being saved, in conflict, or waits for a file. */
    isBusy: () => entry.form.formState.isSubmitting || entry.conflict !== null || losesFiles(),
    /** Whether there is anything that is not saved. */
    isDirty: () => hasResult || losesFiles() || isChanged(),
  }
}

export type Writing = ReturnType<typeof useWriting>
