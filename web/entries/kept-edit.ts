import { z } from 'zod'
import { type EntryText, entryText } from './entry-draft.ts'

const keptEdit = entryText.extend({ version: z.number() })
type KeptEdit = z.infer<typeof keptEdit>

const keyOf = (entryId: string) => `entryEdit/${entryId}`

/** Keeps, for this tab, a change whose editor went away unasked: when the session ended, say. */
export function keepEdit(entryId: string, { title, content, tags }: EntryText, version: number): void {
  try {
    sessionStorage.setItem(keyOf(entryId), JSON.stringify({ title, content, tags, version }))
  } catch {
    // A browser that forbids storage, or has no room: there is nowhere else to keep it.
  }
}

/** The change of an entry that was kept, if there is one. */
export function readEdit(entryId: string): KeptEdit | null {
  try {
    return keptEdit.parse(JSON.parse(sessionStorage.getItem(keyOf(entryId)) ?? 'null'))
  } catch {
    // None, or not ours.
    return null
  }
}

/** Forgets a kept change: it was saved or given up. */
export function removeEdit(entryId: string): void {
  try {
    sessionStorage.removeItem(keyOf(entryId))
  } catch {
    // A browser that forbids storage kept none.
  }
}
