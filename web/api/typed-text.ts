import { readStored, store, storedKeys } from './browser-storage.ts'
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
  const all = storedKeys()
  const writer = readStored(WRITER_KEY)
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
export const typedKeys = (personId: string): string[] => keysOf(personId).texts

/** Returns those whose text the server lacks: the texts of entries are synchronized, other forms are not. */
export const unsentKeys = (personId: string): string[] =>
  typedKeys(personId).filter((key) => !isOnServer(key, personId))

function isOnServer(key: string, personId: string): boolean {
  const entryId = key === NEW_ENTRY_KEYS[0] ? 'new' : /^unsaved\/entry\/([^/]+)\//.exec(key)?.[1]
  try {
    const record = JSON.parse(readStored(`draftSync/${personId}/${entryId}`) ?? '{}')
    return record.version !== undefined && record.saved === digestOf(JSON.parse(readStored(key) ?? ''))
  } catch {
    return false // it is not a text that is synchronized
  }
}

/** Removes everything that a person typed from this browser, and keeps other tabs from storing it again. */
export function forgetTyped(personId: string): void {
  const { texts, records } = keysOf(personId)
  store(SIGNED_OUT_KEY, personId)
  for (const key of [...texts, ...records]) store(key, null)
  store(SIGN_IN_KEY, null, 'tab')
  for (const key of INTERRUPTED_KEYS) if (readStored(key, 'tab')?.includes(personId)) store(key, null, 'tab')
}

/** Removes the drafts of a thing whose fields have been saved as they were typed: nothing was typed since. */
export function forgetSaved(personId: string, thing: string, saved: Readonly<Record<string, unknown>>): void {
  for (const key of typedKeys(personId)) {
    try {
      const stored = JSON.parse(readStored(key) ?? 'null')
      const isNewEntry = key === NEW_ENTRY_KEYS[0]
      const { id } = isNewEntry ? JSON.parse(readStored(NEW_ENTRY_KEYS[2] ?? '') ?? '{}') : stored
      const isOfThing = id === thing || key.split('/').includes(thing)
      if (!isOfThing || !hasFields(saved, stored.typed ?? stored)) continue
      const records = keysOf(personId).records.filter((record) =>
        isNewEntry
          ? !record.startsWith('draftSync/') || record.endsWith('/new')
          : record.endsWith(`/${thing}`),
      )
      for (const ended of [key, ...records]) store(ended, null)
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
export const isForgotten = (personId: string | undefined): boolean =>
  personId !== undefined && readStored(SIGNED_OUT_KEY) === personId

/** Whether the end of a session has closed the composer of this tab, which opens again after signing in. */
export const isComposerInterrupted = (): boolean => readStored(COMPOSITION_KEY, 'tab') !== null

/** Somebody has signed in: texts are stored again. */
export const storeTypedAgain = (): void => void store(SIGNED_OUT_KEY, null)
