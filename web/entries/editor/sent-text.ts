import { digestOf, readRecord } from './draft-record.ts'
import { DRAFT_KEY, entryText, readNewEntryDraft } from './entry-draft.ts'

/** Whether the server has the text that this browser stores under a key: entries are synchronized, other forms are not. */
export function isOnServer(key: string, personId: string): boolean {
  const [, entryId] = /^unsaved\/entry\/([^/]+)\//.exec(key) ?? []
  if (key !== DRAFT_KEY && entryId === undefined) return false
  const record = readRecord({ personId, entryId })
  const text = entryId === undefined ? readNewEntryDraft(personId) : readStored(key)
  return text !== null && record?.version !== undefined && record.saved === digestOf(text)
}

function readStored(key: string) {
  const stored = entryText.safeParse(JSON.parse(localStorage.getItem(key) ?? 'null'))
  return stored.success ? stored.data : null
}
