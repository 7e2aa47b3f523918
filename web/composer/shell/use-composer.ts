import { type FormEvent, useCallback, useRef, useState } from 'react'
import type { DraftFields } from '#contract/drafts.ts'
import type { Entry, EntryFields, ShownEntryState } from '#contract/entries.ts'
import { ApiError } from '#web/api/api-error.ts'
import { watchSession } from '#web/api/client.ts'
import { isOutOfReach, useConnectionBack } from '#web/api/connection-back.ts'
import { useEntryFiles } from '#web/composer/attachments/files-in-text.tsx'
import { fileOfCover, useImageChoice } from '#web/composer/attachments/image-choice.ts'
import type { InitialDraft } from '#web/composer/drafts/choose-draft.ts'
import {
  BLANK,
  coverOf,
  type DraftOrigin,
  differ,
  type EntryChoices,
  entryKey,
  hasChoices,
  readEntryDraft,
  textOf,
} from '#web/composer/drafts/entry-draft.ts'
import { useEntryDraft } from '#web/composer/drafts/use-entry-draft.ts'
import { changedBy, mergedWith } from '#web/composer/merge/changed-by.ts'
import type { Decision } from '#web/composer/merge/merge-view.tsx'
import { useSaveEntry } from '#web/entries/mutations.ts'
import { rememberMove } from '#web/entries/paths.ts'
import { useSession } from '#web/identity/session.tsx'
import { clearChanges, type FormChanges } from '#web/saving/form-changes.ts'
import { trackSave } from '#web/saving/saves-in-progress.ts'
import { notFoundMessage } from '#web/saving/use-change.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import type { MilestoneRef } from './composer-settings.ts'
import { type StateChoice, useDateAndState } from './date-and-state.ts'
import { rememberMilestone } from './last-milestone.ts'
import { findMovedMilestone, type MovedMilestone } from './moved-entry.tsx'
import { useClosing } from './use-closing.ts'
import { useDiscarded } from './use-discarded.ts'
import { useEntryForm } from './use-entry-form.ts'

export type ComposerOptions = {
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
  /** The draft that was discarded before the form was shown. */
  initiallyDiscarded?: DraftFields | undefined
  onClose: (saved?: Entry) => void
  /** Shows the content field, if it has an error or a file that needs attention. */
  showContent: () => void
  /** Adds the tag that is still being typed. */
  addTypedTag: () => void
  requestSubmit: () => void
}

/** The state of the composer: text, day, state, cover and files, with their draft, and how to save them. */
export function useComposer({
  source,
  target,
  onTarget,
  origin,
  original,
  initialDraft,
  initiallyDiscarded,
  onClose,
  showContent,
  addTypedTag,
  requestSubmit,
}: ComposerOptions) {
  const { user } = useSession()
  const save = useSaveEntry(original ? source : target, original?._id)
  const [isSessionOver] = useState(watchSession)
  const nextState = useRef<StateChoice>(undefined)
  /** The state of which the button was pressed, while the entry is saved with it. */
  const [savingAs, setSavingAs] = useState<ShownEntryState>()
  /** Whether the entry is being saved, or will be once the text refers to every file. */
  const [isSaving, setSaving] = useState(false)
  const hasSubmitted = useRef(false)
  const [stored] = useState(() => readEntryDraft(entryKey(user?._id, original?._id)))
  const [changes] = useState<FormChanges>(() => ({ id: stored?.id }))
  const dateAndState = useDateAndState(original, stored?.choices.day)
  const files = useEntryFiles(target.projectId)
  /** The entry when the form was opened; the other one is refetched when others save. */
  const [opened] = useState(original)
  const [savedCover, setSavedCover] = useState(() => coverOf(opened))
  const [cover, showCover] = useState(
    stored?.choices.coverFile === undefined ? savedCover : stored.choices.coverFile,
  )
  /** Also for a save that waits for the id of a cover. */
  const latestCover = useRef(cover)
  const image = useImageChoice(files, { cover, savedCover, onCover: setCover })
  const choices: EntryChoices = {
    day: dateAndState.chosenDay,
    place: original && target.milestoneId !== source.milestoneId ? target : undefined,
    coverFile: cover === savedCover ? undefined : cover,
  }
  const entry = useEntryForm(original, { save: saveEntry, changes, chosen: choices, onSaved })
  const { form, base, isDirty: isTextDirty } = entry
  const hasChosen = original !== undefined && hasChoices(choices)
  const draft = useEntryDraft({
    form,
    entryId: original?._id,
    version: base.version,
    origin,
    choices,
    changes,
    initialDraft,
    isDirty: () => hasChosen || isTextDirty(),
  })
  useConnectionBack(entry.saveError !== null && isOutOfReach(entry.saveError), entry.clearError)
  const discarded = useDiscarded(draft.key.personId, initiallyDiscarded)
  /** Whether the result of a merge was edited by hand. */
  const [hasResult, setHasResult] = useState(false)
  const loses = hasResult && 'result'
  /** Drafts contain the chosen cover, but a new entry without a text has none. */
  const losesFiles = useCallback(
    () =>
      files?.hasArrivals === true ||
      (!original && fileOfCover(cover) !== null && !differ(textOf(form.getValues()), BLANK)),
    [files, original, cover, form],
  )
  const isDirty = useCallback(
    () => loses !== false || hasChosen || losesFiles() || isTextDirty(),
    [loses, hasChosen, losesFiles, isTextDirty],
  )
  /** Set if the entry could not be saved because it was moved to another milestone. */
  const [movedMilestone, setMovedMilestone] = useState<MovedMilestone | null>(null)
  const closing = useClosing({
    draft,
    isDirty,
    addTypedTag,
    loses,
    losesFiles,
    source,
    original,
    isSaving: form.formState.isSubmitting,
    onClose,
  })

  function setCover(next: string | null) {
    latestCover.current = next
    showCover(next)
  }

  async function saveEntry(fields: EntryFields & { merged?: true }, version: number) {
    setMovedMilestone(null)
    const draftId = await draft.pause()
    const sent = {
      ...fields,
      ...dateAndState.fields(nextState.current),
      ...(latestCover.current !== savedCover && { coverFile: latestCover.current }),
      ...(choices.place && { milestone: choices.place.milestoneId }),
      ...(draftId !== undefined && { draft: draftId }),
    }
    try {
      changes.id ??= draft.id()
      draft.store()
      return await save({ input: sent, version, form: changes })
    } catch (error) {
      if (!closing.isAway()) draft.store()
      draft.resume()
      if (isSessionOver()) throw error
      closing.sayIfAway()
      if (original && error instanceof ApiError && notFoundMessage(error)) await lookForEntry(original, error)
      throw error
    }
  }

  async function lookForEntry({ _id }: Entry, absence: ApiError) {
    await draft.flush()
    const found = await findMovedMilestone(_id, source.milestoneId)
    if (found) rememberMove(_id, found)
    else toast.error(absence.message)
    setMovedMilestone(found)
  }

  function onSaved(saved: Entry, wasStale: boolean) {
    if (wasStale && opened)
      void changedBy(source.projectId, opened, saved).then(
        (others) => isSessionOver() || toast.info(mergedWith(others)),
      )
    files?.end(saved.content, saved.coverFile)
    draft.end()
    rememberMilestone(user?._id, target)
    if (choices.place) rememberMove(saved._id, choices.place)
    closing.leave(saved)
  }

  function discardDraft() {
    const { milestone, ...typed } = draft.fields()
    const fields = { ...typed, milestone: milestone ?? source.milestoneId }
    const { day } = dateAndState
    draft.discard()
    const bringBack = clearChanges(changes, original?._id)
    const restoreText = entry.discardDraft()
    dateAndState.reset()
    setCover(savedCover)
    if (original) onTarget(source)
    discarded.offer(fields, () => {
      bringBack()
      restoreText()
      dateAndState.setDay(day)
      setCover(cover)
      if (original) onTarget(target)
    })
  }

  function saveAs(choice: StateChoice) {
    if (hasSubmitted.current) return
    nextState.current = choice
    setSavingAs(choice.state)
    requestSubmit()
  }

  function submit(event: FormEvent) {
    // React would let it bubble to a form around this dialog.
    event.stopPropagation()
    event.preventDefault()
    if (hasSubmitted.current) return
    hasSubmitted.current = true
    setSaving(true)
    addTypedTag() // on phones, a button may not take the focus from the field
    const save = submitWithFiles().finally(() => {
      hasSubmitted.current = false
      setSaving(false)
      nextState.current = undefined
      setSavingAs(undefined)
    })
    void trackSave(draft.key, save)
  }

  /** Saves the text as soon as it refers to every file; their uploads may complete later. */
  async function submitWithFiles() {
    const isComplete = !files || (await files.settled())
    // The person has left without saving, and the text is a draft.
    if (closing.hasLeft()) return
    if (!isComplete) {
      toast.error('Not saved yet: a file could not be added. Retry it, or remove it.')
      return showContent()
    }
    await form.handleSubmit(entry.submit, ({ content }) => content && showContent())()
  }

  function resolveConflict(decision: Decision) {
    if (!entry.conflict) return
    const { theirs } = entry.conflict
    const theirCover = coverOf(theirs)
    setHasResult(false)
    entry.resolveConflict(decision.text)
    dateAndState.rebase(theirs.happenedOn, decision.day === 'mine')
    setSavedCover(theirCover)
    if (decision.cover !== 'mine' || cover === savedCover) setCover(theirCover)
  }

  return {
    entry,
    draft,
    closing,
    /** Brings back the discarded draft; undefined if there is none. */
    undoDiscard: discarded.isOffered ? () => discarded.undo(isDirty()) : undefined,
    isSaving,
    files,
    image,
    dateAndState,
    cover,
    setCover,
    opened,
    movedMilestone,
    submit,
    saveAs,
    savingAs,
    discardDraft,
    resolveConflict,
    setHasResult,
  }
}
