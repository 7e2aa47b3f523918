import { type DraftKey, draftsOf, type LocalDraft, readCopy, removeCopy, removeDraft } from './drafts.ts'
import { digestOf } from './text-digest.ts'

type EntryText = Parameters<typeof digestOf>[0]

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
