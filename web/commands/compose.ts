import { readStoredAs, store } from '#web/api/browser-storage.ts'
import { clearInterrupted } from '#web/forms/form-drafts.ts'

/**
 * What the composer opens: an entry of this milestone, or a new entry without `entryId`; `null` for a new entry in the
 * person's usual milestone. `draftId` continues the draft of a new entry, in its milestone or else the usual one.
 */
export type Composition =
  | { projectId: string; milestoneId: string; entryId?: string | undefined; draftId?: string | undefined }
  | { draftId: string }
  | null

type Host = { show: (composition: Composition) => void; preload: () => void }

let host: Host | undefined

/** Opens the composer above whatever page is shown. */
export const compose = (composition: Composition): void => host?.show(composition)

const preload = () => host?.preload()

/** Handlers for a control that opens the composer: fetch its code when the pointer or the focus arrives. */
export const composerPreloadProps = { onPointerEnter: preload, onFocus: preload }

/** Registers what shows the composer; returns the function that unregisters it. */
export function hostComposer(of: Host): () => void {
  host = of
  return () => {
    host = undefined
  }
}

const INTERRUPTED_KEY = 'interruptedComposition'

/** The composition that was open in this tab when the session ended. */
type Interrupted = { personId: string | undefined; composition: Composition }

/** Stores it until somebody signs in. */
export const rememberInterrupted = (interrupted: Interrupted): void =>
  void store(INTERRUPTED_KEY, JSON.stringify(interrupted), 'tab')

/** Returns and removes it, only for its author, so that no screen opens its form again. */
export function takeInterrupted(personId: string | undefined): Interrupted | null {
  const interrupted = readStoredAs(INTERRUPTED_KEY, { parse: (value) => value as Interrupted | null }, 'tab')
  store(INTERRUPTED_KEY, null, 'tab')
  if (interrupted?.personId !== personId) return null
  clearInterrupted()
  return interrupted
}
