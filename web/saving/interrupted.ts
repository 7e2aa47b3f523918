import { readStored, readStoredAs, store } from '#web/api/browser-storage.ts'
import { type DraftKey, draftsOf, forgetDrafts, isForgotten, storageKey } from './drafts.ts'

/** What was open in this tab when the session ended, and is opened again after signing in. */
const FORM_KEY = 'interruptedForm'
const COMPOSER_KEY = 'interruptedComposition'
/** What was typed to sign in. */
const SIGN_IN_KEY = 'signInTyped'

/** Records that the end of the session closed this form. */
export function markInterrupted(key: DraftKey): void {
  // Its author may have signed out and discarded it.
  if (!isForgotten(key.personId)) store(FORM_KEY, storageKey(key), 'tab')
}

export const isInterrupted = (key: DraftKey): boolean => readStored(FORM_KEY, 'tab') === storageKey(key)

/** The form that was closed when this page was loaded, even if it is open again. */
const closedBefore = readStored(FORM_KEY, 'tab')

/** Whether the end of the session, on an earlier page, has closed the form that creates or changes a thing. */
export const wasInterrupted = (personId: string, thing: string): boolean =>
  draftsOf(personId).some(
    ({ key, draft }) =>
      storageKey(key) === closedBefore && (draft.id ?? key.form.split('/').at(-1)) === thing,
  )

export const clearInterrupted = (): void => void store(FORM_KEY, null, 'tab')

/** Prevents a form from opening again when its screen is visited next. */
export function clearIfInterrupted(key: DraftKey): void {
  if (isInterrupted(key)) clearInterrupted()
}

/** What the composer showed. */
type InterruptedComposer<T> = { personId: string | undefined; composition: T }

/** Stores what the composer shows until somebody signs in. */
export const markComposerInterrupted = <T>(interrupted: InterruptedComposer<T>): void =>
  void store(COMPOSER_KEY, JSON.stringify(interrupted), 'tab')

export const isComposerInterrupted = (): boolean => readStored(COMPOSER_KEY, 'tab') !== null

/** Returns and removes it, only for its author, so that no screen opens its form again. */
export function takeInterruptedComposer<T>(personId: string | undefined): InterruptedComposer<T> | null {
  const shape = { parse: (value: unknown) => value as InterruptedComposer<T> | null }
  const interrupted = readStoredAs(COMPOSER_KEY, shape, 'tab')
  store(COMPOSER_KEY, null, 'tab')
  if (interrupted?.personId !== personId) return null
  clearInterrupted()
  return interrupted
}

/** Removes everything that a person typed from this browser. */
export function forgetTyped(personId: string): void {
  forgetDrafts(personId)
  store(SIGN_IN_KEY, null, 'tab')
  for (const key of [FORM_KEY, COMPOSER_KEY])
    if (readStored(key, 'tab')?.includes(personId)) store(key, null, 'tab')
}
