import type { DraftFields } from '#contract/drafts.ts'
import { coverOf } from '#web/composer/drafts/entry-draft.ts'
import type { Decision } from '#web/composer/merge/merge-view.tsx'
import { clearChanges } from '#web/saving/form-changes.ts'
import { type ClosingOptions, useClosing } from './use-closing.ts'
import { useDiscarded } from './use-discarded.ts'
import { type SubmissionOptions, useSubmission } from './use-submission.ts'
import { useWriting, type Writing, type WritingOptions } from './use-writing.ts'

export type ComposerOptions = WritingOptions &
  ClosingOptions &
  SubmissionOptions & {
    /** The draft that was discarded before the form was shown. */
    initiallyDiscarded?: DraftFields | undefined
  }

/** The state of the composer: what is written, and how to save, close and discard it. */
export function useComposer(options: ComposerOptions) {
  const writing = useWriting(options)
  const closing = useClosing(writing, options)
  const submission = useSubmission(writing, closing, options)
  const discarding = useDiscarding(writing, options.initiallyDiscarded)

  function resolveConflict({ text, day, cover }: Decision) {
    const { entry, dateAndState, setHasResult } = writing
    if (!entry.conflict) return
    const { theirs } = entry.conflict
    setHasResult(false)
    entry.resolveConflict(text)
    dateAndState.rebase(theirs.happenedOn, day === 'mine')
    writing.cover.rebase(coverOf(theirs), cover === 'mine')
  }

  return { ...writing, closing, ...submission, ...discarding, resolveConflict }
}

export type Composer = ReturnType<typeof useComposer>

/** Discards the draft, and brings it back. */
function useDiscarding(writing: Writing, initiallyDiscarded: DraftFields | undefined) {
  const { source, target, onTarget, original, entry, draft, dateAndState, cover, changes, isDirty } = writing
  const discarded = useDiscarded(initiallyDiscarded)

  function discardDraft() {
    const { milestone, ...typed } = draft.fields()
    const fields = { ...typed, milestone: milestone ?? source.milestoneId }
    const { day } = dateAndState
    draft.discard()
    const bringBack = clearChanges(changes, original?._id)
    const restoreText = entry.discardDraft()
    dateAndState.reset()
    cover.set(cover.savedCover)
    if (original) onTarget(source)
    discarded.offer(fields, () => {
      bringBack()
      restoreText()
      dateAndState.setDay(day)
      cover.set(cover.cover)
      if (original) onTarget(target)
    })
  }

  return {
    discardDraft,
    /** Brings back the discarded draft; undefined if there is none. */
    undoDiscard: discarded.isOffered ? () => discarded.undo(isDirty()) : undefined,
  }
}
