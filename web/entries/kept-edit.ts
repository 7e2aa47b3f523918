import { z } from 'zod'
import { type EntryText, entryText } from './entry-draft.ts'

const keptEdit = entryText.extend({ version: z.number() })
type KeptEdit = z.infer<typeof keptEdit>

/** Of which entry, and who changes it: a tab may have one person after the other. */
export type Editing = { entryId: string; personId: string | undefined }

const keyOf = ({ entryId, personId }: Editing) => `entryEdit/${entryId}/${personId}`

/** Keeps, for this tab, a change whose editor went away unasked: when the session ended, say. */
export function keepEdit(editing: Editing, { title, content, tags }: EntryText, version: number): void {
  try {
    sessionStorage.setItem(keyOf(editing), JSON.stringify({ title, content, tags, version }))
  } catch {
    // A browser that forbids storage, or has no room: there is nowhere else to keep it.
  }
}

/** The change of an entry that was kept, if there is one. */
export function readEdit(editing: Editing): KeptEdit | null {
  try {
    return keptEdit.parse(JSON.parse(sessionStorage.getItem(keyOf(editing)) ?? 'null'))
  } catch {
    // None, or not ours.
    return null
  }
}

/** Forgets a kept change: it was saved or given up. */
export function removeEdit(editing: Editing): void {
  try {
    sessionStorage.removeItem(keyOf(editing))
  } catch {
    // A browser that forbids storage kept none.
  }
}
