import { readStoredAs, store, storedKeys } from '#web/api/browser-storage.ts'
import { type DraftKey, draftsOf, type LocalDraft, removeDraft } from './drafts.ts'

type EntryText = { title: string; content: string; tags: string[] }

/** What this browser knows about the draft at the server that has the same text. */
export type ServerCopy = {
  id: string
  /** The last acknowledged version; absent before the first acknowledgement. */
  version?: number | undefined
  /** The digest of the last acknowledged text. */
  saved?: string
  /** When that text was sent. */
  heldAt?: number | undefined
  /** The digest of the last sent text, and the time. */
  sent?: string
  sentAt?: number
}

const COPY_PREFIX = 'draftSync/'
const copyKey = ({ form, personId }: DraftKey) => `${COPY_PREFIX}${personId}/${form.replace('entry/', '')}`

export const readCopy = (key: DraftKey): ServerCopy | null =>
  readStoredAs(copyKey(key), { parse: (value) => value as ServerCopy | null })

/** Storing may fail: without it, the draft at the server counts as one of another device. */
export const storeCopy = (key: DraftKey, copy: ServerCopy): void =>
  void store(copyKey(key), JSON.stringify(copy))

export const removeCopy = (key: DraftKey): void => void store(copyKey(key), null)

/** Forgets what the server has of the drafts of a person. */
export function forgetCopies(personId: string): void {
  for (const key of storedKeys()) if (key.startsWith(`${COPY_PREFIX}${personId}/`)) store(key, null)
}

/** Returns a 53-bit digest of a text, for comparing the server's draft with sent texts. */
export function digestOf({ title, content, tags }: EntryText): string {
  const text = JSON.stringify([title, content, tags])
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    a = Math.imul(a ^ code, 2_654_435_761)
    b = Math.imul(b ^ code, 1_597_334_677)
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909)
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909)
  return (4_294_967_296 * (2_097_151 & b) + (a >>> 0)).toString(36)
}

/** Returns the forms of a person whose text the server lacks: the texts of entries are synchronized, others are not. */
export const unsentForms = (personId: string): string[] =>
  draftsOf(personId)
    .filter((stored) => !isOnServer(stored))
    .map(({ key }) => key.form)

function isOnServer({ key, draft }: { key: DraftKey; draft: LocalDraft }): boolean {
  const copy = readCopy(key)
  return copy?.version !== undefined && copy.saved === digestOf(draft.fields as EntryText)
}

/** Removes the drafts of a thing whose fields have been saved as they were typed: nothing was typed since. */
export function forgetSaved(personId: string, thing: string, saved: Readonly<Record<string, unknown>>): void {
  for (const { key, draft } of draftsOf(personId)) {
    const isOfThing = draft.id === thing || key.form.split('/').includes(thing)
    if (!isOfThing || !hasFields(saved, draft.fields)) continue
    removeDraft(key)
    removeCopy(key)
  }
}

function hasFields(saved: Readonly<Record<string, unknown>>, typed: unknown): boolean {
  const text = (value: unknown) => (typeof value === 'string' ? value.trim() : JSON.stringify(value ?? ''))
  const fields = Object.entries(typed as Record<string, unknown>)
  return fields.every(([name, value]) => !(name in saved) || text(saved[name]) === text(value))
}
