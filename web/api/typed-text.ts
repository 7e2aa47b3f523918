import { digestOf } from './text-digest.ts'

/**
 * What a person typed and this browser stores, under the keys of `form-drafts.ts` and of the composer. After signing out, nothing of it
 * stays, unless its author chose to keep it.
 */

/** Names the person who has signed out and keeps nothing here: another tab must not store it again while it is being closed. */
const SIGNED_OUT_KEY = 'signedOut'
const WRITER_KEY = 'entryDraftWriter'
const NEW_ENTRY_KEYS = ['entryDraft', WRITER_KEY, 'entryDraftOrigin', 'entryDraftCalls']
/** Of this tab: what was typed to sign in, and the open forms of the person whom the value names. */
const SIGN_IN_KEY = 'signInTyped'
const COMPOSITION_KEY = 'interruptedComposition'
const INTERRUPTED_KEYS = [COMPOSITION_KEY, 'interruptedForm']

/** Returns the keys of texts of a person, and of what is known about these texts. */
function keysOf(personId: string): { texts: string[]; records: string[] } {
  const all = Object.keys(localStorage)
  const writer = localStorage.getItem(WRITER_KEY)
  const isAuthor = writer === null || writer === personId
  return {
    texts: all.filter(
      (key) =>
        (key.startsWith('unsaved/') && key.endsWith(`/${personId}`)) || (isAuthor && key === 'entryDraft'),
    ),
    records: all.filter(
      (key) => key.startsWith(`draftSync/${personId}/`) || (isAuthor && NEW_ENTRY_KEYS.includes(key)),
    ),
  }
}

/** Returns the keys of the texts that a person typed and that this browser stores. */
export function typedKeys(personId: string): string[] {
  try {
    return keysOf(personId).texts
  } catch {
    return [] // a browser that forbids storage has none
  }
}

/** Returns those whose text the server lacks: the texts of entries are synchronized, other forms are not. */
export const unsentKeys = (personId: string): string[] =>
  typedKeys(personId).filter((key) => !isOnServer(key, personId))

function isOnServer(key: string, personId: string): boolean {
  const entryId = key === NEW_ENTRY_KEYS[0] ? 'new' : /^unsaved\/entry\/([^/]+)\//.exec(key)?.[1]
  try {
    const record = JSON.parse(localStorage.getItem(`draftSync/${personId}/${entryId}`) ?? '{}')
    return (
      record.version !== undefined && record.saved === digestOf(JSON.parse(localStorage.getItem(key) ?? ''))
    )
  } catch {
    return false // it is not a text that is synchronized
  }
}

/** Removes everything that a person typed from this browser, and keeps other tabs from storing it again. */
export function forgetTyped(personId: string): void {
  try {
    const { texts, records } = keysOf(personId)
    localStorage.setItem(SIGNED_OUT_KEY, personId)
    for (const key of [...texts, ...records]) localStorage.removeItem(key)
    sessionStorage.removeItem(SIGN_IN_KEY)
    for (const key of INTERRUPTED_KEYS)
      if (sessionStorage.getItem(key)?.includes(personId)) sessionStorage.removeItem(key)
  } catch {
    // A browser that forbids storage has stored nothing.
  }
}

/** Removes the drafts of a thing whose fields have been saved as they were typed: nothing was typed since. */
export function forgetSaved(personId: string, thing: string, saved: Readonly<Record<string, unknown>>): void {
  for (const key of typedKeys(personId)) {
    try {
      const stored = JSON.parse(localStorage.getItem(key) ?? 'null')
      const isNewEntry = key === NEW_ENTRY_KEYS[0]
      const { id } = isNewEntry ? JSON.parse(localStorage.getItem(NEW_ENTRY_KEYS[2] ?? '') ?? '{}') : stored
      const isOfThing = id === thing || key.split('/').includes(thing)
      if (!isOfThing || !hasFields(saved, stored.typed ?? stored)) continue
      const records = keysOf(personId).records.filter((record) =>
        isNewEntry
          ? !record.startsWith('draftSync/') || record.endsWith('/new')
          : record.endsWith(`/${thing}`),
      )
      for (const ended of [key, ...records]) localStorage.removeItem(ended)
    } catch {
      // It has another shape, so it is not known to be saved.
    }
  }
}

function hasFields(saved: Readonly<Record<string, unknown>>, typed: Record<string, unknown>): boolean {
  const text = (value: unknown) => (typeof value === 'string' ? value.trim() : JSON.stringify(value ?? ''))
  return Object.entries(typed).every(([name, value]) => !(name in saved) || text(saved[name]) === text(value))
}

/** Whether a person has signed out and keeps nothing here. */
export function isForgotten(personId: string | undefined): boolean {
  try {
    return personId !== undefined && localStorage.getItem(SIGNED_OUT_KEY) === personId
  } catch {
    return false
  }
}

/** Whether the end of a session has closed the composer of this tab, which opens again after signing in. */
export function isComposerInterrupted(): boolean {
  try {
    return sessionStorage.getItem(COMPOSITION_KEY) !== null
  } catch {
    return false // the browser forbids storage
  }
}

/** Somebody has signed in: texts are stored again. */
export function storeTypedAgain(): void {
  try {
    localStorage.removeItem(SIGNED_OUT_KEY)
  } catch {
    // Nothing was stored.
  }
}
