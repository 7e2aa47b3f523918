import { clearInterrupted } from '#web/forms/form-drafts.ts'

/**
 * What the composer opens: an entry of this milestone, or a new entry without `entryId`; `null` for a new entry in the
 * person's usual milestone. `draftId` continues the draft of a new entry, in its milestone or else the usual one.
 */
export type Composition =
  | { projectId: string; milestoneId: string; entryId?: string | undefined; draftId?: string | undefined }
  | { draftId: string }
  | null

let open: (composition: Composition) => void = () => {}

/** Opens the composer above whatever page is shown. */
export const compose = (composition: Composition): void => open(composition)

/** Registers the function that shows the composer; returns the function that unregisters it. */
export function onCompose(show: (composition: Composition) => void): () => void {
  open = show
  return () => {
    open = () => {}
  }
}

const INTERRUPTED_KEY = 'interruptedComposition'

/** The composition that was open in this tab when the session ended. */
type Interrupted = { personId: string | undefined; composition: Composition }

/** Stores it until somebody signs in. */
export function rememberInterrupted(interrupted: Interrupted): void {
  try {
    sessionStorage.setItem(INTERRUPTED_KEY, JSON.stringify(interrupted))
  } catch {
    // The browser forbids storage: the person has to reopen the draft.
  }
}

/** Returns and removes it, only for its author, so that no screen opens its form again. */
export function takeInterrupted(personId: string | undefined): Interrupted | null {
  try {
    const interrupted = JSON.parse(sessionStorage.getItem(INTERRUPTED_KEY) ?? 'null') as Interrupted | null
    sessionStorage.removeItem(INTERRUPTED_KEY)
    if (interrupted?.personId !== personId) return null
    clearInterrupted()
    return interrupted
  } catch {
    return null
  }
}
