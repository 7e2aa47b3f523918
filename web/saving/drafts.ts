import { readStored, readStoredAs, store, storedKeys } from '#web/api/browser-storage.ts'

/** A form and its person; other people who use this browser do not see the draft. */
export type DraftKey = { form: string; personId: string | undefined }

/** Text that a person typed and has not saved, in this browser: one record for each form. */
export type LocalDraft<Fields = unknown, Base = unknown> = {
  fields: Fields
  /** What the form changes, as it was when the form was opened, or only its version. */
  base?: Base | undefined
  /** The id of what the form changes or creates. */
  id?: string | undefined
  /** What the server has of it, if it is sent there while it is typed. */
  copy?: ServerCopy | undefined
}

/** What the server has of a draft, which it stores under this id. */
export type ServerCopy = {
  id: string
  /** The last acknowledged version; absent before the first acknowledgement. */
  version?: number | undefined
  /** Whether exactly this text was acknowledged. */
  isSaved: boolean
  /** The digests of the texts that were sent since the last response. */
  sent?: string[]
}

type Shape<T> = { parse: (value: unknown) => T }

/** The form of a new entry. */
export const NEW_ENTRY = 'entry/new'

/** The text of the new entry that was typed here last, as specified, and its author. */
const TEXT_KEY = 'entryDraft'
const WRITER_KEY = 'entryDraftWriter'
/** Until November 2026, its milestone and choices. */
const FORMER_KEYS = ['entryDraftOrigin', 'entryDraftCalls'] as const
/** Names the person who has signed out and keeps nothing here: another tab must not store it again while it is being closed. */
const SIGNED_OUT_KEY = 'signedOut'

const PREFIX = 'unsaved/'
/** Until November 2026, what the server has of the text of an entry. */
const formerCopyKey = ({ form, personId }: DraftKey) => `draftSync/${personId}/${form.replace('entry/', '')}`

/** Returns where a draft is stored. Another prefix would lose the drafts that browsers hold. */
export const storageKey = ({ form, personId }: DraftKey): string => `${PREFIX}${form}/${personId}`

const anything = { parse: (value: unknown) => value }

/** Returns what is stored, also by former versions. */
function asDraft(stored: unknown): LocalDraft {
  if (typeof stored !== 'object' || stored === null) return { fields: stored }
  if ('fields' in stored) return stored
  const { typed, original, id } = stored as { typed?: unknown; original?: unknown; id?: string }
  return typed === undefined ? { fields: stored, base: stored } : { fields: typed, base: original, id }
}

/** Returns what former versions knew about the server's draft: they stored it apart. */
function formerCopy(key: DraftKey): ServerCopy | undefined {
  const copy = readStoredAs(formerCopyKey(key), anything) as Omit<ServerCopy, 'isSaved'> | null
  return copy ? { id: copy.id, version: copy.version, isSaved: false } : undefined
}

/** Returns the text of a new entry that nobody else has typed, without a record of it. */
function asNewEntry(text: unknown): LocalDraft {
  const origin = readStoredAs(FORMER_KEYS[0], anything) as { id?: string } | null
  return { ...asDraft({ ...origin, ...(text as object), origin: origin ?? undefined }), id: origin?.id }
}

function mayHaveTyped(personId: string | undefined): boolean {
  const writer = readStored(WRITER_KEY)
  return writer === null || writer === personId
}

/** Returns the draft of this person and form; null if there is none of this shape. */
export function readDraft<Fields, Base = undefined>(
  key: DraftKey,
  fields: Shape<Fields>,
  base?: Shape<Base>,
): LocalDraft<Fields, Base> | null {
  const shapeOf = (from: (stored: unknown) => LocalDraft) => ({
    parse(stored: unknown) {
      if (stored === null) return null
      const draft = from(stored)
      const { id, copy = formerCopy(key) } = draft
      return { fields: fields.parse(draft.fields), base: base?.parse(draft.base), id, copy }
    },
  })
  const own = readStoredAs(storageKey(key), shapeOf(asDraft))
  if (own || key.form !== NEW_ENTRY || !mayHaveTyped(key.personId)) return own
  return readStoredAs(TEXT_KEY, shapeOf(asNewEntry))
}

/** Stores a draft until it is saved or discarded. Returns whether the browser could store it. */
export function storeDraft(key: DraftKey, draft: LocalDraft, isMirrored = true): boolean {
  if (isForgotten(key.personId)) return false
  const isStored = store(storageKey(key), JSON.stringify(draft))
  if (isMirrored && key.form === NEW_ENTRY) {
    const { title, content, tags } = draft.fields as { title: string; content: string; tags: string[] }
    store(WRITER_KEY, key.personId ?? null)
    store(TEXT_KEY, JSON.stringify({ title, content, tags }))
  }
  return isStored
}

/** Whether another tab has replaced or removed a draft, rather than stored it once more. */
export function isReplaced(key: DraftKey, event: StorageEvent): boolean {
  const fieldsOf = (stored: string | null) => JSON.stringify(asDraft(JSON.parse(stored ?? 'null')).fields)
  const isOfDraft = event.storageArea === localStorage && event.key === storageKey(key)
  return isOfDraft && fieldsOf(event.oldValue) !== fieldsOf(event.newValue)
}

export function removeDraft(key: DraftKey): void {
  store(storageKey(key), null)
  store(formerCopyKey(key), null)
  if (key.form !== NEW_ENTRY || !mayHaveTyped(key.personId)) return
  for (const mirrored of [TEXT_KEY, WRITER_KEY, ...FORMER_KEYS]) store(mirrored, null)
}

function keysOf(personId: string): DraftKey[] {
  const end = `/${personId}`
  const forms = storedKeys()
    .filter((key) => key.startsWith(PREFIX) && key.endsWith(end))
    .map((key) => key.slice(PREFIX.length, -end.length))
  return [...new Set([...forms, NEW_ENTRY])].map((form) => ({ form, personId }))
}

/** Returns the drafts of a person in this browser. */
export const draftsOf = (personId: string): { key: DraftKey; draft: LocalDraft }[] =>
  keysOf(personId).flatMap((key) => {
    const draft = readDraft(key, anything)
    return draft ? [{ key, draft }] : []
  })

/** Returns the forms of a person whose text the server lacks: the texts of entries are sent there while they are typed. */
export const unsentForms = (personId: string): string[] =>
  draftsOf(personId).flatMap(({ key, draft }) => (draft.copy?.isSaved ? [] : [key.form]))

/** Removes the drafts of a thing whose fields have been saved as they were typed: nothing was typed since. */
export function forgetSaved(personId: string, thing: string, saved: Readonly<Record<string, unknown>>): void {
  for (const { key, draft } of draftsOf(personId)) {
    const isOfThing = draft.id === thing || key.form.split('/').includes(thing)
    if (isOfThing && hasFields(saved, draft.fields)) removeDraft(key)
  }
}

function hasFields(saved: Readonly<Record<string, unknown>>, typed: unknown): boolean {
  const text = (value: unknown) => (typeof value === 'string' ? value.trim() : JSON.stringify(value ?? ''))
  const fields = Object.entries(typed as Record<string, unknown>)
  return fields.every(([name, value]) => !(name in saved) || text(saved[name]) === text(value))
}

/** Removes all drafts of a person from this browser, and keeps other tabs from storing them again. */
export function forgetDrafts(personId: string): void {
  store(SIGNED_OUT_KEY, personId)
  for (const key of keysOf(personId)) removeDraft(key)
}

/** Whether a person has signed out and keeps nothing here. */
export const isForgotten = (personId: string | undefined): boolean =>
  personId !== undefined && readStored(SIGNED_OUT_KEY) === personId

/** Somebody has signed in: drafts are stored again. */
export const storeDraftsAgain = (): void => void store(SIGNED_OUT_KEY, null)

/** The running saves of forms, which continue after their form is closed: its draft must not be restored meanwhile. */
const saves = new Map<string, Promise<unknown>>()

export const saveInProgress = (key: DraftKey): Promise<unknown> | undefined => saves.get(storageKey(key))

/** Tracks a save until it settles, and returns it. */
export function trackSave<T>(key: DraftKey, save: Promise<T>): Promise<T> {
  const name = storageKey(key)
  const noted = save.finally(() => {
    if (saves.get(name) === noted) saves.delete(name)
  })
  saves.set(name, noted)
  return noted
}
