import { forgetInterrupted } from '#web/forms/drafts.ts'

/**
 * What to write: an entry of this milestone, a new one without `entryId`; `null` where the person usually writes. A draft of a
 * new entry is gone on with, where it was begun or else where the person usually writes.
 */
export type Composition =
  | { projectId: string; milestoneId: string; entryId?: string | undefined; draftId?: string | undefined }
  | { draftId: string }
  | null

let open: (composition: Composition) => void = () => {}

/** Opens the composer above whatever page is shown. */
export const compose = (composition: Composition): void => open(composition)

/** Registers who shows the composer; returns a function that ends it. */
export function onCompose(show: (composition: Composition) => void): () => void {
  open = show
  return () => {
    open = () => {}
  }
}

const INTERRUPTED_KEY = 'interruptedComposition'

/** What somebody was writing in this tab when the session ended. */
type Interrupted = { personId: string | undefined; composition: Composition }

/** Remembers it until somebody signs in. */
export function rememberInterrupted(interrupted: Interrupted): void {
  try {
    sessionStorage.setItem(INTERRUPTED_KEY, JSON.stringify(interrupted))
  } catch {
    // The browser forbids storage: the draft has to be opened by hand.
  }
}

/** Returns it once, to its writer alone. No screen has to open the form of it, then. */
export function takeInterrupted(personId: string | undefined): Interrupted | null {
  try {
    const interrupted = JSON.parse(sessionStorage.getItem(INTERRUPTED_KEY) ?? 'null') as Interrupted | null
    sessionStorage.removeItem(INTERRUPTED_KEY)
    if (interrupted?.personId !== personId) return null
    forgetInterrupted()
    return interrupted
  } catch {
    return null
  }
}
