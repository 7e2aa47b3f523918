import { use, useMemo, useState } from 'react'
import type { DraftFields } from '#contract/drafts.ts'
import type { InitialDraft } from '#web/composer/drafts/choose-draft.ts'
import {
  type DraftOrigin,
  type EntryDraft,
  readEntryDraft,
  storeEntryDraft,
} from '#web/composer/drafts/entry-draft.ts'
import {
  discardStoredDraft,
  keepStoredDraft,
  loadInitialDraft,
  useInitialDraft,
} from '#web/composer/drafts/initial-draft.ts'
import { type DraftKey, NEW_ENTRY } from '#web/saving/drafts.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { zoneOf } from '#web/ui/layout/days.ts'
import { DateContext } from '#web/ui/layout/time.tsx'
import { happenedOn } from './date-and-state.ts'

/** A draft of a new entry for another milestone. */
export type OtherDraft = EntryDraft & { origin: DraftOrigin }

/**
 * The draft with which the composer opens. Before a new entry, the person is asked about a draft for another milestone (`other`), which
 * the new one would overwrite. `origin`: the milestone in which the composer is open.
 */
export function useChosenDraft(key: DraftKey, origin: DraftOrigin, firstDraftId: string | undefined) {
  const { milestoneId } = origin
  const zone = zoneOf(use(DateContext))
  const [draftId, setDraftId] = useState(firstDraftId)
  const loaded = useInitialDraft({ key, draftId, origin })
  const [replacing, setReplacing] = useState<InitialDraft | null>(null)
  const [discarded, setDiscarded] = useState<DraftFields>()
  const [isDecided, setDecided] = useState(false)
  const [openings, setOpenings] = useState(0)
  const initialDraft = replacing ?? loaded.initialDraft
  const other = useMemo(() => {
    const mayAsk = key.form === NEW_ENTRY && initialDraft && initialDraft.text !== 'none' && !isDecided
    return mayAsk ? draftFromElsewhere(key, milestoneId) : null
  }, [initialDraft, isDecided, key, milestoneId])

  /** Continues the other draft here. */
  function continueHere() {
    if (other) storeEntryDraft(key, { ...other, origin })
    setDecided(true)
  }

  function discard() {
    if (!other) return
    const { coverFile, day } = other.choices
    const { milestoneId: milestone } = other.origin
    setDiscarded({ ...other.text, milestone, coverFile, ...(day && happenedOn(day, zone)) })
    setReplacing(discardStoredDraft(key))
    setDecided(true)
  }

  /** Moves the other draft to the server, beside which another entry begins. */
  async function keep() {
    try {
      setReplacing(await keepStoredDraft(key))
      setDecided(true)
    } catch {
      toast.error(
        'The unfinished entry could not be sent to your drafts. Check your connection and try again.',
      )
    }
  }

  /**
   * Opens the form again with what the server has by now; `leave` is called right before. Changes nothing and throws if that cannot be
   * fetched, or if `check` throws then.
   */
  async function reopen(check: () => void, leave: () => void) {
    const newer = await loadInitialDraft({ key, draftId, origin }, check)
    leave()
    setReplacing(newer)
    setOpenings((count) => count + 1)
  }

  /** Continues with another draft of a new entry. */
  function open(chosen: string) {
    setReplacing(null)
    setDraftId(chosen)
  }

  const { isAfterSave, error, retry } = loaded
  const actions = { continueHere, discard, keep, open, reopen, retry }
  /** `discarded`: the fields of the other draft, once that is discarded. `openings` counts how often a newer text has replaced it. */
  return { draftId, openings, initialDraft, isAfterSave, error, other, isDecided, discarded, ...actions }
}

export type ChosenDraft = ReturnType<typeof useChosenDraft>

/** Returns this browser's draft of a new entry if it is for another milestone, else null. */
function draftFromElsewhere(key: DraftKey, milestoneId: string): OtherDraft | null {
  const draft = readEntryDraft(key)
  const origin = draft?.origin
  return origin && origin.milestoneId !== milestoneId ? { ...draft, origin } : null
}
