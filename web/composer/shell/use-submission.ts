import { useRef, useState } from 'react'
import type { Entry, EntryFields } from '#contract/entries.ts'
import { ApiError } from '#web/api/api-error.ts'
import { watchSession } from '#web/api/client.ts'
import { changedBy, mergedWith } from '#web/composer/merge/changed-by.ts'
import { useSaveEntry } from '#web/entries/mutations.ts'
import { rememberMove } from '#web/entries/paths.ts'
import { trackSave } from '#web/saving/drafts.ts'
import { notFoundMessage } from '#web/saving/use-change.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import type { StateChoice } from './date-and-state.ts'
import { rememberMilestone } from './last-milestone.ts'
import { findMovedMilestone, type MovedMilestone } from './moved-entry.tsx'
import type { useClosing } from './use-closing.ts'
import type { Writing } from './use-writing.ts'

export type SubmissionOptions = {
  /** Shows the content field, if it has an error or a file that needs attention. */
  showContent: () => void
  /** Adds the tag that is still being typed. */
  addTypedTag: () => void
}

/** Submits what is written, once at a time, and as soon as the text refers to every file; their uploads may complete later. */
export function useSubmission(
  writing: Writing,
  closing: ReturnType<typeof useClosing>,
  { showContent, addTypedTag }: SubmissionOptions,
) {
  const { entry, files, dateAndState, draft } = writing
  const { save, movedMilestone } = useSaving(writing, closing)
  /** Whether the entry is being saved, or will be once the text refers to every file. */
  const [isSaving, setSaving] = useState(false)
  const hasSubmitted = useRef(false)

  async function submitWithFiles() {
    const isComplete = !files || (await files.arrivals.settled())
    // The person has left without saving, and the text is a draft.
    if (closing.hasLeft()) return
    if (!isComplete) {
      toast.error('Not saved yet: a file could not be added. Retry it, or remove it.')
      return showContent()
    }
    await entry.form.handleSubmit(save, ({ content }) => content && showContent())()
  }

  /** `choice`: the state to save it with, if another button than that of the form was pressed. */
  function submit(choice?: StateChoice) {
    if (hasSubmitted.current) return
    if (dateAndState.isDayIncomplete) return dateAndState.dayField.current?.focus()
    hasSubmitted.current = true
    dateAndState.saveAs(choice)
    setSaving(true)
    addTypedTag() // on phones, a button may not take the focus from the field
    const saving = submitWithFiles().finally(() => {
      hasSubmitted.current = false
      setSaving(false)
      dateAndState.saveAs()
    })
    void trackSave(draft.key, saving)
  }

  return { submit, isSaving, movedMilestone }
}

/** Saves what is written: the draft ends with it, or continues if that fails. */
function useSaving(writing: Writing, closing: ReturnType<typeof useClosing>) {
  const { source, target, original, opened, entry, draft, files, dateAndState, cover, choices, changes } =
    writing
  const send = useSaveEntry(original ? source : target, original?._id)
  const [isSessionOver] = useState(watchSession)
  /** Set if the entry could not be saved because it was moved to another milestone. */
  const [movedMilestone, setMovedMilestone] = useState<MovedMilestone | null>(null)

  async function attempt(fields: EntryFields & { merged?: true }, version: number) {
    setMovedMilestone(null)
    const draftId = await draft.pause()
    const input = {
      ...fields,
      ...dateAndState.fields(),
      ...cover.fields(),
      ...(choices.place && { milestone: choices.place.milestoneId }),
      ...(draftId !== undefined && { draft: draftId }),
    }
    try {
      changes.id ??= draft.id()
      draft.store()
      return await send({ input, version, form: changes })
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

  async function save(typed: EntryFields) {
    const result = await entry.submit(typed, { chosen: choices, original: opened, save: attempt, changes })
    if (!result) return
    const { saved, wasStale } = result
    if (wasStale && opened)
      void changedBy(source.projectId, opened, saved).then(
        (others) => isSessionOver() || toast.info(mergedWith(others)),
      )
    files?.end(saved.content, saved.coverFile)
    draft.end()
    rememberMilestone(draft.key.personId, target)
    if (choices.place) rememberMove(saved._id, choices.place)
    closing.leave(saved)
  }

  return { save, movedMilestone }
}
